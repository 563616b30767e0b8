"""The rungs of the judge's ladder: each looks at a case, adds its evidence and may decide the outcome."""
