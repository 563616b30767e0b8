"""The choice among mutants: apart from making them, by a seed, the same on every machine and Python version."""

from __future__ import annotations

import hashlib
import heapq
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from mendlab.errors import InputError
from mendlab.mutators.mutant import Mutant
from mendlab.mutators.registry import Pattern, operators

STRATEGIES: Final = ("uniform", "operator", "natural")

NATURAL_SHARES: Final[dict[Pattern, float]] = {
    "change identifier": 16.4,
    "change binary operand": 12.1,
    "same function more args": 10.4,
    "wrong function name": 9.3,
    "add function around expression": 8.1,
    "change attribute used": 7.2,
    "change numeric literal": 6.7,
    "more specific if": 4.7,
    "add method call": 4.2,
    "add elements to iterable": 4.0,
    "same function less args": 3.5,
    "change boolean literal": 2.6,
    "add attribute access": 2.2,
    "change binary operator": 2.0,
    "same function wrong caller": 1.7,
    "less specific if": 1.5,
    "change keyword argument used": 1.4,
    "change unary operator": 1.0,
    "same function swap args": 0.6,
    "change constant type": 0.4,
}
"""Percent of the one-statement fixes in TSSB-3M (Richter and Wehrheim, 2022); a defect is the inverse of its fix."""

UNPATTERNED_SHARE: Final = 0.4
"""The weight of a group of mutants that undo none of these patterns: that of the rarest pattern."""


def sample(mutants: Iterable[Mutant], n: int, *, seed: int, strategy: str = "uniform") -> list[Mutant]:
    """At most ``n`` of the mutants, without repetition, in the order drawn: a smaller sample is the start of a larger.

    ``uniform`` gives every mutant the same chance, ``operator`` every operator that has mutants, ``natural`` every
    pattern its share of the fixes that people make (:data:`NATURAL_SHARES`). The choice depends on the ids and the
    seed, not on the order of the mutants.

    Raises:
        InputError: the strategy is unknown or ``n`` is negative.
    """
    if strategy not in STRATEGIES:
        raise InputError(f"no sampling strategy is called {strategy!r}", hint=f"one of {', '.join(STRATEGIES)}")
    if n < 0:
        raise InputError(f"cannot choose {n} mutants", hint="give 0 or more")
    pool = {mutant.id: mutant for mutant in mutants}
    weights = _weights(pool, strategy)
    chosen = heapq.nlargest(n, pool, key=lambda id_: (_priority(id_, weights[id_], seed), id_))
    return [pool[id_] for id_ in chosen]


def per_function(mutants: Iterable[Mutant], limit: int, *, seed: int) -> list[Mutant]:
    """At most ``limit`` mutants of each function of each file, with equal chances; in order of path and position.

    What stands in no function counts as one function of its file.
    """
    groups: dict[tuple[str, str | None], list[Mutant]] = {}
    for mutant in mutants:
        groups.setdefault((mutant.path, mutant.function), []).append(mutant)
    return sorted((m for group in groups.values() for m in sample(group, limit, seed=seed)), key=_place)


def _place(mutant: Mutant) -> tuple[str, int, int, str]:
    return mutant.path, mutant.edits[0].start, mutant.edits[-1].end, mutant.id


def _priority(id_: str, weight: float, seed: int) -> float:
    """A key whose largest values are a weighted sample without replacement (Efraimidis and Spirakis, 2006)."""
    return math.log(_unit(f"{seed}:{id_}")) / weight


def _unit(text: str) -> float:
    """A number above 0 and at most 1 out of a text, evenly spread."""
    return (int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big") + 1) / 2**48


def _weights(pool: dict[str, Mutant], strategy: str) -> dict[str, float]:
    if strategy == "uniform":
        return dict.fromkeys(pool, 1.0)
    groups = dict(_groups(pool, strategy))
    sizes = Counter(groups.values())
    shares: dict[str, float] = {str(pattern): share for pattern, share in NATURAL_SHARES.items()}
    return {id_: shares.get(group, UNPATTERNED_SHARE) / sizes[group] for id_, group in groups.items()}


def _groups(pool: dict[str, Mutant], strategy: str) -> Iterator[tuple[str, str]]:
    patterns = {op.name: op.pattern for op in operators()}
    for id_, mutant in pool.items():
        pattern = patterns.get(mutant.operator) if strategy == "natural" else None
        yield id_, pattern or f"operator {mutant.operator}"
