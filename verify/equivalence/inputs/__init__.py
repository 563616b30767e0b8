"""Inputs to compare programs on: near those that tests use, at the edges of these, and at what the code mentions."""
