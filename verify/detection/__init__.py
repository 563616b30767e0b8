"""Clean runs, and what the tests of a subject say of a defect."""
