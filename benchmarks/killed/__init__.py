"""The parts of ``benchmarks/killed_runs.py``."""
