"""What benchmarks/detection.py measures, a file each."""
