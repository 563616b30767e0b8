"""From subjects to tasks: defects of one mutant each, or of several together."""
