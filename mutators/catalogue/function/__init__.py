"""Wrong functions and arguments."""
