"""Smaller calls than one on which two programs differ, so that a person sees at a glance what it is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Final

from mendlab.verify.confined.function.wire_values import Malformed
from mendlab.verify.equivalence.inputs.domain import SEQUENCES, SETS, Domain, places
from mendlab.verify.equivalence.inputs.sizes import SIMPLE_LETTERS, weight
from mendlab.verify.equivalence.inputs.travel import Arguments, Kept, changed, key_of, read_arguments, write_arguments
from mendlab.verify.equivalence.recording import Call

MOST: Final = 60
"""Calls tried in one round."""


def size_of(call: Call) -> int:
    """Return how much there is to read in a call."""
    try:
        return weight(read_arguments(call[2]))
    except Malformed:
        return len(key_of(call[2]))


def smaller_calls(call: Call, recorded: Sequence[Arguments]) -> list[Call]:
    """Return calls that are one step smaller and within what recorded ones of the function have in common."""
    module, name, message = call
    try:
        arguments = read_arguments(message)
    except Malformed:
        return []
    domain = Domain([*recorded, arguments])
    found: dict[str, Call] = {}
    for _, smaller in sorted(_smaller_arguments(arguments), key=lambda item: item[0]):
        try:
            written = write_arguments(smaller) if domain.admits(smaller) else None
        except (TypeError, ValueError, RecursionError, OverflowError):
            continue
        if written is not None:
            found.setdefault(key_of(written), [module, name, written])
        if len(found) == MOST:
            break
    return list(found.values())


def _smaller_arguments(arguments: Arguments) -> Iterator[tuple[int, Arguments]]:
    """Yield arguments that are smaller in one place or in two, each with how much less there is to read (below 0)."""
    given = places(arguments)
    smaller = {place: list(_weighed(value)) for place, value in given}
    for place, _ in given:
        for less, value in smaller[place]:
            if less < 0:
                yield less, changed(arguments, place, value)
    for at, (one, first) in enumerate(given):
        for other, second in given[at + 1 :]:
            for less, ours in smaller[one]:
                if type(first) is type(second):
                    for further, theirs in smaller[other]:
                        if less + further < 0:
                            yield less + further, changed(changed(arguments, one, ours), other, theirs)


def _weighed(value: Any) -> Iterator[tuple[int, Any]]:
    """Yield values that are one step smaller, each with how much more there is to read in it."""
    own = weight(value)
    for smaller in smaller_values(value):
        with suppress(TypeError, ValueError, RecursionError, OverflowError):
            yield weight(smaller) - own, smaller


def smaller_values(value: Any, depth: int = 0) -> Iterator[Any]:
    """Yield values that are one step smaller, the smallest first."""
    kind = type(value)
    if depth > 4 or kind is bool or value is None:
        return
    if kind is int:
        digits = min(len(f"{abs(value):x}"), 40)
        step = 1 if value > 0 else -1
        powers = [step * 10 ** (digits * part // 4) for part in (1, 2, 3, 4, 5)]
        yield from dict.fromkeys([0, 1, *powers, value // 2, value // 10, value - step, -value])
    elif kind is float and value == value:
        whole = [float(round(value)), float(int(value))] if abs(value) < 1e15 else []
        yield from dict.fromkeys([0.0, 1.0, *whole, round(value, 1), round(value / 2, 1), value / 2, value - 1, -value])
    elif kind in (str, bytes):
        yield from _parts(value)
        if kind is str:
            for at, letter in enumerate(value):
                for simple in SIMPLE_LETTERS:
                    if letter not in SIMPLE_LETTERS:
                        yield value[:at] + simple + value[at + 1 :]
    elif kind in SEQUENCES:
        items = list(value)
        for part in _parts(items):
            yield kind(part)
        for at, item in enumerate(items):
            for smaller in smaller_values(item, depth + 1):
                yield kind([*items[:at], smaller, *items[at + 1 :]])
                if item in items[at + 1 :]:
                    yield kind([smaller if other == item else other for other in items])
    elif kind in SETS:
        for part in _parts(sorted(value, key=repr)):
            yield kind(part)
    elif kind is dict:
        for part in _parts(list(value.items())):
            yield dict(part)
        for key, item in value.items():
            for smaller in smaller_values(item, depth + 1):
                yield {**value, key: smaller}
    elif kind is Kept and value.tag.startswith("@"):
        for at in range(1, len(value.parts), 2):
            for smaller in smaller_values(value.parts[at], depth + 1):
                yield Kept(value.tag, [*value.parts[:at], smaller, *value.parts[at + 1 :]])


def _parts(value: Any) -> Iterator[Any]:
    """Yield what is left of a sequence without half of it, without a quarter, ..., without one item."""
    length = len(value)
    step = length
    while step:
        for start in range(0, length, step):
            yield value[:start] + value[start + step :]
        step //= 2
