"""mendlab.corpora"""
