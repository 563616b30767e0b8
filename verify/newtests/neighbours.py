"""Inputs near others: simpler ones, to shrink a witness, and fresh ones, to find it."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from typing import Any, Final

from mendlab.verify.newtests.domain import Domain, Seen, places, put
from mendlab.verify.newtests.messages import Arguments

_PLAIN_LETTERS: Final = "a b0 1A"


def simpler(arguments: Arguments) -> Iterator[Arguments]:
    """Yield arguments that are simpler at one place, or at two alike."""
    for place, value in places(arguments):
        for less in simpler_values(value):
            yield put(arguments, place, less)
    found = places(arguments)
    for number, (place, value) in enumerate(found):
        for other, beside in found[number + 1 :]:
            if type(value) in (list, str, int) and type(beside) in (list, str, int):
                for one, two in zip(simpler_values(value), simpler_values(beside), strict=False):
                    yield put(put(arguments, place, one), other, two)


def simpler_values(value: Any) -> Iterator[Any]:
    """Yield simpler values of the same type, the boldest first."""
    kind = type(value)
    if kind is int:
        yield from _simpler_numbers(value)
    elif kind is float and math.isfinite(value):
        yield from (float(each) for each in _simpler_numbers(int(value)) if float(each) != value)
        yield from (each for each in (float(int(value)), round(value, 1), round(value, 2)) if each != value)
    elif kind is str:
        yield from _simpler_texts(value)
    elif kind in (list, tuple):
        items = list(value)
        yield from (kind(each) for each in _shorter(items))
        for at, item in enumerate(items):
            yield from (kind([*items[:at], less, *items[at + 1 :]]) for less in simpler_values(item))
    elif kind in (set, frozenset):
        yield from (kind(each) for each in _shorter(sorted(value, key=repr)))
    elif kind is dict:
        yield from (dict(each) for each in _shorter(list(value.items())))
        for key, item in value.items():
            yield from ({**value, key: less} for less in simpler_values(item))


def _simpler_numbers(value: int) -> Iterator[int]:
    step = 1 if value > 0 else -1
    wanted = [0, 1, -1, 2, step * 10, value // 2, value - step]
    if value < 0:
        wanted.append(-value)
    yield from (each for each in dict.fromkeys(wanted) if abs(each) < abs(value) or (value < 0 and each == -value))


def _simpler_texts(value: str) -> Iterator[str]:
    yield from ("".join(each) for each in _shorter(list(value)))
    for at, letter in enumerate(value):
        for plain in _PLAIN_LETTERS:
            if plain == letter:
                break
            yield value[:at] + plain + value[at + 1 :]


def _shorter(items: list[Any]) -> Iterator[list[Any]]:
    """Yield lists with a part left out: all, one half or the other, ever smaller pieces, single items and pairs."""
    if not items:
        return
    yield []
    size = len(items) // 2
    while size > 1:
        for start in range(0, len(items), size):
            yield items[:start] + items[start + size :]
        size //= 2
    if len(items) > 1:
        for at in range(len(items)):
            yield items[:at] + items[at + 1 :]
        for at in range(len(items)):
            for other in range(at + 1, len(items)):
                if len(items) > 2:
                    yield [item for place, item in enumerate(items) if place not in (at, other)]


def fresh(domain: Domain, chance: random.Random, count: int) -> list[Arguments]:
    """Return new arguments within a domain: recorded ones mixed, and changed at a place or two."""
    found: list[Arguments] = []
    known = {repr(each) for each in domain.recorded}
    for _ in range(5 * count):
        arguments = chance.choice(domain.recorded)
        for place in domain.seen:
            if chance.random() < 0.5:
                arguments = put(arguments, place, chance.choice(domain.seen[place].values))
        for _ in range(chance.choice((0, 1, 1, 2, 3))):
            place, value = chance.choice(places(arguments) or [(0, None)])
            if place in domain.seen:
                arguments = put(arguments, place, _changed(value, domain.seen[place], chance))
        if repr(arguments) not in known and domain.admits(arguments):
            known.add(repr(arguments))
            found.append(arguments)
            if len(found) == count:
                break
    return found


def _changed(value: Any, seen: Seen, chance: random.Random) -> Any:
    kind = type(value)
    known = [each for each in seen.values if type(each) is kind] or [value]
    if kind is bool:
        return not value
    if kind is int:
        low, high = min(known), max(known)
        return chance.choice([value + 1, value - 1, -value, 2 * value, chance.randint(low, high), chance.choice(known)])
    if kind is float and math.isfinite(value):
        return chance.choice([value + 0.5, value - 0.5, -value, float(round(value)), chance.choice(known)])
    if kind is str:
        letters = sorted({letter for text in known for letter in text}) or ["a"]
        return "".join(_edited(list(value), lambda: chance.choice(letters), chance))
    if kind in (list, tuple) and seen.parts is not None:
        parts = seen.parts
        items = _edited(list(value), lambda: chance.choice(parts.values), chance)
        if items and chance.random() < 0.5:
            at = chance.randrange(len(items))
            items[at] = _changed(items[at], parts, chance)
        return kind(items)
    if kind is dict and value:
        key = chance.choice(list(value))
        return {**value, key: _changed(value[key], seen.by_key.get(key, seen), chance)}
    return chance.choice(known)


def _edited(items: list[Any], draw: Any, chance: random.Random) -> list[Any]:
    at = chance.randint(0, len(items))
    match chance.choice(("add", "drop", "put", "swap", "double", "sort")):
        case "add":
            items.insert(at, draw())
        case "drop" if items:
            items.pop(at % len(items))
        case "put" if items:
            items[at % len(items)] = draw()
        case "swap" if items:
            other = chance.randrange(len(items))
            items[at % len(items)], items[other] = items[other], items[at % len(items)]
        case "double" if items:
            items.insert(at, items[at % len(items)])
        case "sort":
            items.sort(key=repr)
    return items
