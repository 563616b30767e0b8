"""Fresh arguments for one function, from several sources in turn, until there are enough. Seeded: the same always."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any, Final

from mendlab.verify.equivalence.inputs.annotations import typed
from mendlab.verify.equivalence.inputs.domain import Domain
from mendlab.verify.equivalence.inputs.lengths import lengths
from mendlab.verify.equivalence.inputs.literals import Literals
from mendlab.verify.equivalence.inputs.sources import ERRORS, SOURCES, Source
from mendlab.verify.equivalence.inputs.travel import Arguments, key_of, write_arguments
from mendlab.verify.equivalence.inputs.twins import twins, write_apart

LARGEST: Final = 20_000
"""Characters of the longest message of a fresh call."""
BEYOND: Final = "beyond"
"""The source of inputs that are of the types that recorded ones have, and have nothing else in common with them."""
MOST_BEYOND: Final = 40
TWINS: Final = "twins"
MOST_TWINS: Final = 24
LENGTHS: Final = "lengths"
MOST_LENGTHS: Final = 80
IDLE: Final = 200
"""So many attempts in a row that find no new input end the search."""
TYPED: Final = "typed"
WEIGHTS: Final = {"near": 4, "edges": 2, "fresh": 3, "small": 3, "related": 1, TYPED: 1}
"""How many of each are taken in turn."""
WEIGHTS_OF_NUMBERS: Final = {**WEIGHTS, "small": 8}
"""The same where all arguments are numbers: all small ones together are few."""


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
    optional: Collection[object] = (),
) -> list[Fresh]:
    """Return at most so many arguments near the recorded ones of a function, none of them in ``known``, which grows.

    And some more ``beyond`` what these have in common.

    ``annotated`` has the annotations of its parameters, by position and by name; ``optional`` as for a domain.
    """
    if not recorded:
        return []
    domain = Domain(recorded, optional)
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
            batch = _taken(iterator, weights[name])
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


def generate_twins(recorded: Sequence[Arguments], known: set[str], literals: Literals) -> list[Fresh]:
    """Return arguments in which what is equal is not the same object, none of them in ``known``, which grows."""
    return _from(twins, recorded, known, literals, TWINS, MOST_TWINS)


def generate_lengths(recorded: Sequence[Arguments], known: set[str], literals: Literals) -> list[Fresh]:
    """Return arguments of the lengths of constants, none of them in ``known``, which grows."""
    return _from(lengths, recorded, known, literals, LENGTHS, MOST_LENGTHS)


def _from(
    make: Source, recorded: Sequence[Arguments], known: set[str], literals: Literals, source: str, count: int
) -> list[Fresh]:
    if not recorded:
        return []
    domain = Domain(recorded)
    running = make(recorded, domain, literals, Random(source))
    found: list[Fresh] = []
    for _ in range(2 * IDLE):
        batch = _taken(running, 1)
        if not batch or len(found) == count:
            break
        if _is_within(batch[0], domain):
            message = _written(batch[0], known, write_apart if source == TWINS else write_arguments)
            found += [] if message is None else [Fresh(message, source)]
    return found


def _is_within(arguments: Arguments, domain: Domain) -> bool | None:
    """Whether arguments are within the domain, or (``False``) of its types at least."""
    try:
        return domain.admits(arguments) or (False if domain.is_of_types(arguments) else None)
    except ERRORS:
        return None


def _written(arguments: Arguments, known: set[str], write: Callable[[Arguments], Any] = write_arguments) -> Any:
    """The message, or None for one that is known or cannot be written."""
    try:
        message = write(arguments)
        key = key_of(message)
    except ERRORS:
        return None
    if key in known or len(key) > LARGEST:
        return None
    known.add(key)
    return message


def _taken(iterator: Iterator[Arguments], count: int) -> list[Arguments]:
    """The next so many, fewer where the source ends or fails."""
    try:
        return list(islice(iterator, count))
    except ERRORS:
        return []
