"""One mistake made at every place."""
