"""Mutation testing: what the tests of programs say of their mutants, and the score."""
