"""Defects that a model writes, one function at a time; who asks it is handed in."""
