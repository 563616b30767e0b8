"""Wrong patches that pass the tests in sight, and inputs that show them to be wrong, found apart from the judge."""
