"""mendlab.mutators"""
