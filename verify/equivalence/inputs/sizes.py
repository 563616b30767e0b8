"""How much there is to read in a value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from mendlab.verify.equivalence.inputs.domain import SEQUENCES, SETS
from mendlab.verify.equivalence.inputs.travel import Kept

SIMPLE_LETTERS: Final = "a0"
MOST_STEPS: Final = 10_000


def weight(value: Any) -> int:
    """Return how much there is to read: parts, letters and digits, each counted again where it is shared."""
    return sum(map(_weight_of_one, _items(value)))


def extent(value: Any) -> float:
    """Return how much work a value may be: its parts and letters, and whole numbers by their value."""
    return sum(abs(item) if type(item) is int else _weight_of_one(item) for item in _items(value))


def _items(value: Any) -> Iterator[Any]:
    """Yield a value, its parts, and so on."""
    waiting, steps = [value], 0
    while waiting and steps < MOST_STEPS:
        item = waiting.pop()
        steps += 1
        yield item
        if isinstance(item, dict):
            waiting += [*item.keys(), *item.values()]
        elif isinstance(item, (*SEQUENCES, *SETS)):
            waiting += list(item)
        elif isinstance(item, Kept):
            waiting += item.parts


def _weight_of_one(item: Any) -> int:
    """Of a value without its parts."""
    match item:
        case str():
            return 1 + len(item) + sum(letter not in SIMPLE_LETTERS for letter in item)
        case bytes() | bytearray():
            return 1 + len(item)
        case bool():
            return 1
        case int():
            return 1 + _weight_of_int(abs(item)) + (item < 0)
        case float():
            return 1 + 2 * len(repr(item)) + int(min(abs(item), 10) if item == item else 10) + (item % 1 != 0)
    return 1


def _weight_of_int(value: int) -> int:
    """Of small ones their value, of others their digits, those that are neither 0 nor 1 more."""
    if value <= 12:
        return value
    if value.bit_length() > 200:
        return 10 + value.bit_length()
    digits = str(value)
    return 10 + 4 * len(digits) - digits.count("0") - sum(digit in "01" for digit in digits)
