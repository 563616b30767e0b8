"""What each test runs: probes in the code as it is imported."""
