"""The parts of judging.py."""
