"""What benchmarks/realism.py measures, one subject a file."""
