"""Wrong operators."""
