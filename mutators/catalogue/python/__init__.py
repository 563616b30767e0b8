"""Python's own mistakes."""
