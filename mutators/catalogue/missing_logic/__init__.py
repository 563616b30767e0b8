"""Logic that is not there."""
