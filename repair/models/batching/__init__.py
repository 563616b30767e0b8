"""Batches: many calls sent at once, answered within a day, for less."""
