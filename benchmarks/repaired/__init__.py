"""The parts of ``benchmarks/repairing.py``."""
