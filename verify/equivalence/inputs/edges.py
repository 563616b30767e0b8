"""Values at the edges of what a shape may be, and the smallest that it may be."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from itertools import islice, product
from typing import Any

from mendlab.verify.equivalence.inputs.domain import SETS, Shape
from mendlab.verify.equivalence.inputs.literals import Literals


def edge_values(shape: Shape, literals: Literals) -> list[Any]:
    """Return values at the edges of a shape: empty, one, zero, the least, the greatest, the code's constants, ±1."""
    found: list[Any] = []
    for kind in shape.kinds:
        if kind is bool:
            found += [False, True]
        elif kind is int:
            low, high = int(shape.low(int)), int(shape.high(int))
            numbers = [number for number in literals.numbers if number == int(number) and abs(number) < 10**9]
            found += [0, 1, -1, 2, low - 1, high + 1, 3, 4, 5, 10]
            found += [int(number) + step for number in numbers for step in (0, 1, -1)]
            found += [*range(max(low, -20), min(low + 60, 60)), 100, 101, 1000]
            found += [10**6, 2**31, 2**63, 10**18] if high >= 1000 else []
        elif kind is float:
            found += [0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, 0.1, 1e-9, math.nan, math.inf]
            found += [float(number) + step for number in literals.numbers for step in (0, 1, -1, 0.5)]
        elif kind is str:
            letters = shape.alphabet()
            texts = [text for text in literals.texts if text]
            found += ["", " ", "A", "a", "0", "é", *texts, *letters[:40], *(letter * 2 for letter in letters[:20])]
            found += [one + other for one in letters[:6] for other in letters[:6]]
        elif kind in (list, set, frozenset) and "item" in shape.parts:
            inner = (
                _hashable(edge_values(shape.parts["item"], literals))
                if kind is not list
                else edge_values(shape.parts["item"], literals)
            )
            found.append(kind())
            found += [kind([item]) for item in inner[:30]]
            found += [kind([item, item]) for item in inner[:10]]
            found += [kind([one, other]) for one in inner[:5] for other in inner[:5] if one != other]
            found += [kind([one, two, three]) for one, two, three in product(inner[:3], repeat=3)]
        elif kind is dict:
            found += [{}]
        elif kind is type(None):
            found.append(None)
    return found


def small_values(shape: Shape, depth: int = 0) -> list[Any]:
    """Return the smallest values that a shape admits, the smallest first."""
    found: list[Any] = []
    for kind in shape.kinds:
        if kind is bool:
            found += [False, True]
        elif kind in (int, float):
            found += [kind(number) for number in (0, 1, 2, 3, 4, 5, 6, -1, -2, 7, 8, 9, 10)]
        elif kind is str:
            letters = _some(shape.alphabet(), 4)
            found += [one + two for one, two in product(["", *letters], repeat=2) if one or not two]
            found += ["".join(three) for three in product(letters[:3], repeat=3)]
        elif kind in (list, set, frozenset, deque) and "item" in shape.parts and depth < 2:
            items = small_values(shape.parts["item"], depth + 1)
            if kind in SETS:
                items = [item for item in items if item.__hash__ is not None]
            found += [kind(), *(kind([item]) for item in items[:5])]
            found += [kind(pair) for pair in product(items[:4], repeat=2)]
            found += [kind(three) for three in product(items[:3], repeat=3)]
            found += [kind(four) for four in product(items[:2], repeat=4)]
        elif kind is tuple and depth < 2 and shape.shortest(tuple) == shape.longest(tuple) and shape.parts:
            parts = [small_values(part, depth + 1)[:4] for part in shape.parts.values()]
            found += islice(product(*parts), 24)
        elif kind is dict and "key" in shape.parts and depth < 2:
            keys = [key for key in small_values(shape.parts["key"], depth + 1)[:3] if key.__hash__ is not None]
            items = small_values(shape.parts["value"], depth + 1)[:3]
            found += [{}, *({key: item} for key in keys for item in items)]
            found += [{one: first, two: second} for one in keys for two in keys for first in items for second in items]
        else:
            found += _some(shape.seen[kind], 3)
    return [value for value in found if shape.admits(value, depth)]


def _some(values: Sequence[Any], count: int) -> list[Any]:
    """Return so many of some values, spread over all."""
    step = max(1, len(values) // count)
    return list(values[::step][:count])


def _hashable(values: list[Any]) -> list[Any]:
    return [value for value in values if getattr(value, "__hash__", None) is not None]
