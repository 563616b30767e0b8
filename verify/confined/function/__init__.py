"""Function tests: the test program in one process, the candidate in another, and what travels between them."""
