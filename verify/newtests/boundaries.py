"""Boundary values by kind, as far as they fit the types of the recorded arguments."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from mendlab.verify.newtests.domain import Domain, Place, Seen, places, put
from mendlab.verify.newtests.messages import Arguments

HUGE: Final = 1000
_VALUES: Final[dict[type, dict[str, Any]]] = {
    int: {"zero": 0, "one": 1, "negative": -1, "huge": 10**6, "beyond 64 bits": 2**64},
    float: {"zero": 0.0, "one": 1.0, "negative": -1.0, "huge": 1e300, "nan": math.nan, "infinite": math.inf},
    str: {"empty": "", "unicode": "é", "beyond the basic plane": "😀"},
    bool: {"true": True, "false": False},
    type(None): {"none": None},
}


@dataclass(frozen=True, slots=True)
class Boundary:
    """Arguments with a boundary value at one place; ``source`` is how that is written, where not as a literal."""

    label: str
    place: Place
    arguments: Arguments
    source: str | None = None


def boundaries(domain: Domain) -> Iterator[Boundary]:
    """Yield the boundary cases of a function, round the simplest recorded calls."""
    bases = sorted(domain.recorded, key=lambda each: len(repr(each)))[:2]
    for base in bases:
        for place, _ in places(base):
            for label, value, source in _values(domain.seen[place]):
                yield Boundary(label, place, put(base, place, value), source)


def _values(seen: Seen) -> Iterator[tuple[str, Any, str | None]]:
    for kind in sorted(seen.kinds, key=lambda kind: kind.__name__):
        for label, value in _VALUES.get(kind, {}).items():
            yield label, value, None
        of_kind: list[Any] = [each for each in seen.values if type(each) is kind and each]
        known = sorted(of_kind, key=lambda each: len(repr(each)))
        if kind is str and known:
            letter = min(known[0])
            yield "one", letter, None
            yield "duplicates", letter * 2, None
            yield "huge", letter * HUGE, f'"{letter}" * {HUGE}' if letter.isalnum() else None
        if kind in (list, tuple, set, frozenset):
            yield from _collections(kind, seen)
        if kind is dict:
            yield "empty", {}, None
            if known:
                yield "one", dict(list(known[0].items())[:1]), None


def _collections(kind: type, seen: Seen) -> Iterator[tuple[str, Any, str | None]]:
    yield "empty", kind(), None
    if seen.parts is None:
        return
    items = sorted(seen.parts.values, key=lambda each: len(repr(each)))
    yield "one", kind(items[:1]), None
    if kind in (list, tuple):
        yield "duplicates", kind([items[0], items[0]]), None
        if kind is list and type(items[0]) in (int, bool, float):
            yield "huge", [items[0]] * HUGE, f"[{items[0]!r}] * {HUGE}"
    for of in sorted(seen.parts.kinds, key=lambda of: of.__name__):
        if of in (list, tuple):
            yield "nested", kind([of()]), None
        for label, value in _VALUES.get(of, {}).items():
            if label not in ("huge", "one", "true", "false"):
                yield label, kind([value]), None
