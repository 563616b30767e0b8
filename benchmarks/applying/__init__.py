"""What benchmarks/patching.py measures, a file each."""
