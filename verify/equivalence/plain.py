"""Which values are made of Python's plainest ones alone."""

from __future__ import annotations

from typing import Any


def is_plain(value: Any) -> bool:
    """Whether a value is made of numbers, texts, truth values, None, and lists, tuples, dicts and sets of these."""
    kind = type(value)
    if kind in (list, tuple, set, frozenset):
        return all(map(is_plain, value))
    if kind is dict:
        return all(map(is_plain, value)) and all(map(is_plain, value.values()))
    return value is None or kind in (bool, int, float, complex, str)
