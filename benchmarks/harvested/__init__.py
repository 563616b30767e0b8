"""Measurements of harvesting: what it costs beside other tools, and whether what it hands on is right."""
