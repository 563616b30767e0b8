"""The choice among mutants, and among the defects that tests detect."""
