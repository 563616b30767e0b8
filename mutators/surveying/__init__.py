"""Mutants of whole folders of files: read, counted, written down."""
