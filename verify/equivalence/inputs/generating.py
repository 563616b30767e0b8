"""Fresh arguments for one function, from several sources in turn, until there are enough. Seeded: the same always."""

from __future__ import annotations

import ast
import copy
import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from random import Random
from typing import Any, Final

from mendlab.verify.equivalence.inputs.annotations import typed
from mendlab.verify.equivalence.inputs.domain import SETS, SIZED, Domain, Shape, places
from mendlab.verify.equivalence.inputs.literals import Literals
from mendlab.verify.equivalence.inputs.sizes import weight
from mendlab.verify.equivalence.inputs.travel import Arguments, key_of, write_arguments
from mendlab.verify.equivalence.inputs.varying import Varying

LARGEST: Final = 20_000
"""Characters of the longest message of a fresh call."""
BEYOND: Final = "beyond"
"""The source of inputs that are of the types that recorded ones have, and have nothing else in common with them."""
MOST_BEYOND: Final = 40
IDLE: Final = 200
"""So many attempts in a row that find no new input end the search."""

Source = Callable[[Sequence[Arguments], Domain, Literals, Random], Iterator[Arguments]]


@dataclass(frozen=True, slots=True)
class Fresh:
    """One fresh input: its message, and which source made it."""

    message: Any
    source: str


def generate(
    recorded: Sequence[Arguments],
    known: set[str],
    literals: Literals,
    count: int,
    annotated: dict[object, ast.expr],
) -> list[Fresh]:
    """Return at most so many arguments near the recorded ones of a function, none of them in ``known``, which grows.

    And some more ``beyond`` what these have in common.

    ``annotated`` has the annotations of its parameters, by position and by name.
    """
    if not recorded:
        return []
    domain = Domain(recorded)
    sources: dict[str, Source] = {**SOURCES, TYPED: typed(annotated)}
    running = {
        name: make(recorded, domain, literals, Random(f"{number}"))
        for number, (name, make) in enumerate(sources.items())
    }
    weights = WEIGHTS_OF_NUMBERS if domain.is_of_numbers() else WEIGHTS
    found: list[Fresh] = []
    beyond: list[Fresh] = []
    idle = 0
    while running and len(found) < count and idle < IDLE:
        for name, iterator in list(running.items()):
            batch = list(islice(iterator, weights[name]))
            if len(batch) < weights[name]:
                del running[name]
            idle += len(batch)
            for arguments in batch:
                within = _is_within(arguments, domain)
                message = None if within is None else _written(arguments, known)
                if message is not None:
                    idle = 0 if within else idle
                    (found if within else beyond).append(Fresh(message, name if within else BEYOND))
    return found[:count] + beyond[:MOST_BEYOND]


def _is_within(arguments: Arguments, domain: Domain) -> bool | None:
    """Whether arguments are within the domain, or (``False``) of its types at least."""
    try:
        return domain.admits(arguments) or (False if domain.is_of_types(arguments) else None)
    except (TypeError, ValueError, RecursionError, OverflowError):
        return None


def _written(arguments: Arguments, known: set[str]) -> Any:
    """The message, or None for one that is known or cannot be written."""
    try:
        message = write_arguments(arguments)
        key = key_of(message)
    except (TypeError, ValueError, RecursionError, OverflowError):
        return None
    if key in known or len(key) > LARGEST:
        return None
    known.add(key)
    return message


def changed(arguments: Arguments, place: object, value: Any) -> Arguments:
    """Return arguments with another value at a place."""
    args, kwargs = arguments
    if place in kwargs:
        return args, {**kwargs, str(place): value}
    assert isinstance(place, int)
    return (*args[:place], value, *args[place + 1 :]), kwargs


def near(recorded: Sequence[Arguments], domain: Domain, literals: Literals, chance: Random) -> Iterator[Arguments]:
    """Recorded arguments with one to three small changes."""
    varying = Varying(chance, literals)
    able = [place for place, shape in domain.shapes.items() if set(shape.seen) - {type(None)}]
    while able:
        arguments = chance.choice(recorded)
        for _ in range(chance.choice([1, 1, 2, 3])):
            place = chance.choice(able)
            given = dict(places(arguments))
            if place in given:
                try:
                    arguments = changed(arguments, place, varying.vary(given[place], domain.shapes[place]))
                except (TypeError, ValueError, OverflowError, RecursionError, IndexError):
                    continue
        yield arguments


def fresh(recorded: Sequence[Arguments], domain: Domain, literals: Literals, chance: Random) -> Iterator[Arguments]:
    """Arguments made from nothing but what recorded ones are like, small ones more often."""
    varying = Varying(chance, literals)
    while True:
        arguments = chance.choice(recorded)
        size = chance.choice([1, 2, 3, 3, 4, 5, 8, 12])
        for place, _ in places(arguments):
            try:
                arguments = changed(arguments, place, varying.fresh(domain.shapes[place], size))
            except (TypeError, ValueError, OverflowError, RecursionError, IndexError):
                continue
        yield arguments


def edges(recorded: Sequence[Arguments], domain: Domain, literals: Literals, chance: Random) -> Iterator[Arguments]:
    """Each argument at each edge of its type and at each constant of the code, the others as recorded."""
    base = sorted(recorded, key=weight)
    options = {place: edge_values(shape, literals) for place, shape in domain.shapes.items()}
    for at in range(max(map(len, options.values()), default=0)):
        for place, values in options.items():
            if at < len(values):
                for arguments in (base[0], chance.choice(base)):
                    if place in dict(places(arguments)):
                        yield changed(arguments, place, copy.deepcopy(values[at]))


def small(recorded: Sequence[Arguments], domain: Domain, literals: Literals, chance: Random) -> Iterator[Arguments]:
    """All small arguments, in order of their size together."""
    options = {place: small_values(shape) for place, shape in domain.shapes.items()}
    base = min(recorded, key=weight)
    able = {place: options[place] for place, _ in places(base) if options.get(place)}
    most = sum(len(values) - 1 for values in able.values())
    for total in range(most + 1 if able else 0):
        for indexes in _summing_to(total, [len(values) for values in able.values()]):
            arguments = base
            for (place, values), index in zip(able.items(), indexes, strict=True):
                arguments = changed(arguments, place, copy.deepcopy(values[index]))
            yield arguments


def _summing_to(total: int, sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    if len(sizes) == 1:
        if total < sizes[0]:
            yield (total,)
        return
    for first in range(min(total + 1, sizes[0])):
        for rest in _summing_to(total - first, sizes[1:]):
            yield (first, *rest)


def related(recorded: Sequence[Arguments], domain: Domain, literals: Literals, chance: Random) -> Iterator[Arguments]:
    """Arguments that have to do with one another: equal, exchanged, a part of the other, one longer, its length."""
    if len(domain.shapes) < 2:
        return
    while True:
        arguments = chance.choice(recorded)
        given = dict(places(arguments))
        one, other = chance.sample(list(domain.shapes), 2)
        if one not in given or other not in given:
            continue
        first, second = given[one], given[other]
        if type(second) in domain.shapes[one].seen:
            copied = copy.deepcopy(second)
            yield changed(arguments, one, copied)
            if type(first) in domain.shapes[other].seen:
                yield changed(changed(arguments, one, copied), other, copy.deepcopy(first))
            if type(second) in (str, list, tuple):
                at = chance.randint(0, len(second))
                for part in (second[:at], second[at:], second + second[:1], second[1:], second[::-1]):
                    yield changed(arguments, one, copy.deepcopy(part))
            elif type(second) in (int, float):
                for number in (second + 1, second - 1, 2 * second, -second):
                    yield changed(arguments, one, number)
        if type(first) in SIZED and type(second) is int:
            for number in (len(first), len(first) - 1, len(first) + 1):
                yield changed(arguments, other, number)
        if type(first) in (list, str) and first and type(second) in domain.shapes[other].seen:
            item = chance.choice(list(first))
            if type(item) is type(second):
                yield changed(arguments, other, copy.deepcopy(item))
        yield arguments


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


TYPED: Final = "typed"
SOURCES: Final[dict[str, Source]] = {"near": near, "edges": edges, "fresh": fresh, "small": small, "related": related}
WEIGHTS: Final = {"near": 4, "edges": 2, "fresh": 3, "small": 3, "related": 1, TYPED: 1}
"""How many of each are taken in turn."""
WEIGHTS_OF_NUMBERS: Final = {**WEIGHTS, "small": 8}
"""The same where all arguments are numbers: all small ones together are few."""
