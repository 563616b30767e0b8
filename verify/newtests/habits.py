"""What values may have in common beside type and size: each habit is a question, None where it is not to be asked."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, Final

SIZED: Final = (str, bytes, list, tuple, dict, set, frozenset)


def whether(holds: Callable[[Any], bool | None], value: Any) -> bool | None:
    """Return whether a habit holds of a value; None where it is nothing to ask of it."""
    try:
        return holds(value)
    except (TypeError, RecursionError):
        return None


def _is_balanced(value: Any) -> bool | None:
    """Whether brackets match within each word."""
    if type(value) is not str:
        return None
    words = value.split(" ")
    return all(map(_is_balanced_word, words))


def _is_balanced_word(value: str) -> bool:
    depths = dict.fromkeys("([{<", 0)
    for letter in value:
        if letter in depths:
            depths[letter] += 1
        elif letter in _CLOSING:
            depths[_CLOSING[letter]] -= 1
            if depths[_CLOSING[letter]] < 0:
                return False
    return not any(depths.values())


_CLOSING: Final = {")": "(", "]": "[", "}": "{", ">": "<"}


def _is_ordered(value: Any) -> bool | None:
    if type(value) not in (list, tuple) or len(value) < 2:
        return None
    return all(one <= other for one, other in pairwise(value))


def _is_distinct(value: Any) -> bool | None:
    if type(value) not in (list, tuple) or len(value) < 2:
        return None
    return all(item not in value[:at] for at, item in enumerate(value))


def _is_even(value: Any) -> bool | None:
    """Whether the parts of a list are of one length, as the rows of a matrix."""
    if type(value) not in (list, tuple) or len(value) < 2 or not all(type(each) in SIZED for each in value):
        return None
    return len({len(each) for each in value}) == 1


def _finite(value: Any) -> bool | None:
    return math.isfinite(value) if type(value) is float else None


HABITS: Final[Mapping[str, Callable[[Any], bool | None]]] = {
    "balanced": _is_balanced,
    "stripped": lambda value: value == value.strip() if type(value) is str and value else None,
    "single spaces": lambda value: "  " not in value if type(value) is str else None,
    "ordered": _is_ordered,
    "distinct": _is_distinct,
    "even": _is_even,
    "even length": lambda value: len(value) % 2 == 0 if type(value) in (list, str) and value else None,
    "odd length": lambda value: len(value) % 2 == 1 if type(value) in (list, str) and value else None,
    "begins with something": lambda value: bool(value[0]) if type(value) in (list, tuple) and value else None,
    "ends with something": lambda value: bool(value[-1]) if type(value) in (list, tuple) and value else None,
    "palindromic": lambda value: value == value[::-1] if type(value) in (list, str) and len(value) > 1 else None,
    "whole": lambda value: value == int(value) if type(value) is float and math.isfinite(value) else None,
    "finite": _finite,
}


BY_CHANCE: Final = frozenset(
    {"even length", "odd length", "begins with something", "ends with something", "palindromic", "whole"}
)
"""What a few values may well have in common without meaning it."""


def shape_of(text: str) -> str:
    """Return what kinds of letters follow one another: ``a-9`` for ``abc-12``."""
    text = re.sub(r"[^\W\d_]+", "a", text)
    return re.sub(r"\d+", "9", text)
