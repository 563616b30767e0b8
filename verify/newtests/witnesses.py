"""Inputs on which the buggy program and the reference differ: found among recorded calls and near them, and shrunk."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from mendlab.verify.newtests.doing import Call, Looked, Pair
from mendlab.verify.newtests.domain import Domain, Seen
from mendlab.verify.newtests.messages import Arguments
from mendlab.verify.newtests.neighbours import fresh, simpler

FRESH: Final = 200
ROUNDS: Final = 12
TRIED_IN_A_ROUND: Final = 60
SHRUNK: Final = 3

Size = Callable[[Call], int | None]
"""How long a call is as text; None where it cannot be written."""


@dataclass(frozen=True, slots=True)
class Function:
    """A function that the tests call from outside: what it is called with, and the exceptions that they ask for.

    ``domain`` is of the calls that return, ``raising`` has the arguments of those that raise one of ``raises``.
    """

    module: str
    name: str
    domain: Domain
    answers: Seen
    raises: frozenset[str]
    raising: tuple[Arguments, ...] = ()

    def call(self, arguments: Arguments) -> Call:
        """Return a call of it."""
        return Call(self.module, self.name, arguments)

    def is_valid(self, looked: Looked) -> bool:
        """Whether the reference does on an input what the tests ask for: it raises what they do, or answers alike.

        An answer of another type, or the first that is no finite number, shows that it is not meant to be asked.
        """
        if looked.expected.word == "raises":
            return looked.expected.name in self.raises
        return self.answers.is_like(looked.expected.value[0])


def find(function: Function, pair: Pair, size: Size, seed: int, most: int) -> list[Looked]:
    """Return at most so many witnesses, the smallest first; those that were shrunk, and others as they were found."""
    chance = random.Random(f"{seed} {function.module} {function.name}")
    inputs = [*function.domain.recorded, *function.raising, *fresh(function.domain, chance, FRESH)]
    differing = _differing(function, pair, map(function.call, inputs), size)
    if not differing:
        return []
    if not _hangs(differing[0]):
        differing = [each for each in differing if not _hangs(each)]
    most = 1 if _hangs(differing[0]) else most
    shrunk = [shrink(function, pair, start, size) for start in _starts(differing)]
    others = differing[:: max(1, len(differing) // most)]
    distinct = {repr(each.call): each for each in (*shrunk, *others)}
    kept = list(distinct.values())[:most]
    return sorted(kept, key=lambda each: size(each.call) or 0)


def shrink(function: Function, pair: Pair, witness: Looked, size: Size) -> Looked:
    """Return a witness that is no longer than any of the simpler ones tried, within the domain."""
    for _ in range(ROUNDS):
        smaller = _differing(function, pair, _smaller(function, witness, size), size)
        if not smaller:
            return witness
        witness = smaller[0]
    return witness


def _smaller(function: Function, witness: Looked, size: Size) -> Iterator[Call]:
    """Yield the simpler calls to try in one round: within the domain, and shorter or as long."""
    known: set[str] = set()
    most = size(witness.call) or 0
    for arguments in simpler(witness.call.arguments):
        call = replace(witness.call, arguments=arguments)
        if repr(arguments) in known or not function.domain.admits(arguments):
            continue
        length = size(call)
        if length is not None and length <= most:
            known.add(repr(arguments))
            yield call
        if len(known) >= TRIED_IN_A_ROUND:
            return


def _differing(function: Function, pair: Pair, calls: Iterator[Call], size: Size) -> list[Looked]:
    able = [call for call in calls if size(call) is not None]
    found = [each for each in pair.look(able) if each.differs and function.is_valid(each)]
    return sorted(found, key=lambda each: (_hangs(each), size(each.call) or 0, _magnitude(each.call)))


def _hangs(looked: Looked) -> bool:
    """Whether the buggy program does not come to an end by itself: what is tested so takes its time."""
    return not looked.found.is_evidence


def _magnitude(call: Call) -> float:
    """Return how far the letters and digits of a call are from plain ones, to choose among calls of one length."""
    return sum(map(ord, repr(call.arguments)))


def _starts(differing: Sequence[Looked]) -> list[Looked]:
    """Return the smallest witnesses of each way to differ: one for each pair of ends, up to so many."""
    ways: dict[tuple[str, str], Looked] = {}
    for each in differing:
        ways.setdefault((_way(each, expected=True), _way(each, expected=False)), each)
    return list(ways.values())[:SHRUNK]


def _way(looked: Looked, *, expected: bool) -> str:
    end = looked.expected if expected else looked.found
    value = end.value[0] if isinstance(end.value, tuple) and end.value else None
    return f"{end.word} {end.name} {type(value).__name__} {bool(value) if isinstance(value, bool) else ''}"
