"""The parts of difficulty.py."""
