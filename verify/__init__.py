"""mendlab.verify"""
