"""mendlab.repair"""
