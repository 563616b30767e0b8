"""What runs tests: one engine for each kind of harness."""
