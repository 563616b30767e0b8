"""Fixes that came with no test that tells them: what else does, tests of later commits or new ones."""
