"""Logic too many."""
