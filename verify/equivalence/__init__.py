"""Whether a patched program does what the reference does."""
