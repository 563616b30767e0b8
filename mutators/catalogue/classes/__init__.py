"""Wrong classes and attributes."""
