"""mendlab.harvest"""
