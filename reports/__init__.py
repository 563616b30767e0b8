"""mendlab.reports"""
