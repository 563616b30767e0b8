"""Wrong values."""
