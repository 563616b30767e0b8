"""The parts of intervals.py."""
