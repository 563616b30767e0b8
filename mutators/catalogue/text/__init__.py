"""Wrong building of texts out of values."""
