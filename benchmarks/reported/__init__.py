"""What benchmarks/report.py measures on: runs made from real programs, and a browser."""
