"""Where fresh arguments come from: each source yields them one by one, from recorded arguments and their domain."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final

from mendlab.verify.equivalence.inputs.domain import SIZED, Domain, places
from mendlab.verify.equivalence.inputs.edges import edge_values, small_values
from mendlab.verify.equivalence.inputs.literals import Literals
from mendlab.verify.equivalence.inputs.sizes import weight
from mendlab.verify.equivalence.inputs.travel import Arguments, changed
from mendlab.verify.equivalence.inputs.varying import Varying

Source = Callable[[Sequence[Arguments], Domain, Literals, Random], Iterator[Arguments]]
ERRORS: Final = (TypeError, ValueError, IndexError, OverflowError, RecursionError)
"""What a change may end in that makes no sense for a value."""


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
                except ERRORS:
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
            except ERRORS:
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
            yield arguments
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


SOURCES: Final[dict[str, Source]] = {"near": near, "edges": edges, "fresh": fresh, "small": small, "related": related}
