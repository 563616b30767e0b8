"""Wrong variables, elements and expressions."""
