"""Variants of tasks in other code: good and buggy programs rewritten alike, and proved to do what they did."""
