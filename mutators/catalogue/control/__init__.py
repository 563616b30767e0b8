"""Wrong control flow."""
