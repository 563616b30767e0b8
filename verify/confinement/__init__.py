"""How untrusted code is shut in, and the warm processes that run it."""
