"""Calls of a program's functions, recorded in one version of it and done again in another."""
