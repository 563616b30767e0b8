"""How likely people are to make each kind of mistake: the weights by which mutants are drawn."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Final, Literal

from mendlab.mutators.mutant import Mutant
from mendlab.mutators.registry import Operator, Pattern, operators

Nature = Literal["missing", "wrong", "extraneous"]
"""Whether a construct is missing from the buggy program, wrong in it, or too much (Duraes and Madeira, 2006)."""

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

PATTERNED: Final = 1 / 3
"""The part of one-statement fixes that follow such a pattern: 33% in ManySStuBs4J (Karampatsis and Sutton, 2020)."""

NATURES: Final[dict[Nature, float]] = {"missing": 64.0, "wrong": 33.0, "extraneous": 3.0}
"""Percent of 668 faults found in the field, of one statement or several (Duraes and Madeira, IEEE TSE 32:11, 2006)."""

_LEARNED: Final = "learned"

_PATTERN_NATURES: Final[dict[Pattern, Nature]] = {
    "same function more args": "missing",
    "add function around expression": "missing",
    "more specific if": "missing",
    "add method call": "missing",
    "add elements to iterable": "missing",
    "add attribute access": "missing",
    "less specific if": "missing",
    "same function less args": "extraneous",
}
"""What the fix adds was missing, what it takes away was too much; all other patterns mend what is wrong."""


def weights(mutants: Sequence[Mutant], strategy: str) -> dict[str, float]:
    """Return the weight of each mutant by id, in the order given: each strategy divides 1 in its own way.

    ``uniform``: alike among mutants. ``operator``: alike among the operators that have mutants. ``family``: alike
    among families, then among their operators. ``natural``: by :func:`natural_shares`, then alike among the operators
    of a group that have mutants; learned operators together have as much as all others, each by how often its change
    was seen. Within an operator the first change to every node counts alike, and the one after ``rank`` others
    ``1 / (1 + rank)`` of that, for operators yield the likeliest first; ``uniform`` does not ask.
    """
    if strategy == "uniform":
        return {mutant.id: 1 / len(mutants) for mutant in mutants}
    by_operator: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in mutants:
        by_operator[mutant.operator].append(mutant)
    groups: dict[str, list[str]] = defaultdict(list)
    group_of = _grouping(strategy, {mutant.operator: mutant.family for mutant in mutants})
    for name in by_operator:
        groups[group_of(name)].append(name)
    given = natural_shares() | {_LEARNED: 100.0} if strategy == "natural" else {}
    counts = {op.name: op.count for op in operators() if op.count is not None} if given else {}
    total = sum(given.get(group, 1.0) for group in groups)
    found: dict[str, float] = {}
    for group, names in groups.items():
        seen = sum(counts.get(name, 1) for name in names)
        for name in names:
            found |= _divided(by_operator[name], given.get(group, 1.0) / total * counts.get(name, 1) / seen)
    return {mutant.id: found[mutant.id] for mutant in mutants}


def natural_shares() -> dict[str, float]:
    """Return the percent of mistakes of each group of operators: of each pattern, and of each nature without pattern.

    A third of all mistakes (:data:`PATTERNED`) are the inverse of a TSSB pattern, by its share. That leaves, of the
    natures' shares in the field (:data:`NATURES`), what operators without a pattern make: missing, wrong, extraneous.
    """
    shares: dict[str, float] = {pattern: PATTERNED * share for pattern, share in NATURAL_SHARES.items()}
    rest = dict(NATURES)
    for pattern in NATURAL_SHARES:
        rest[_PATTERN_NATURES.get(pattern, "wrong")] -= shares[pattern]
    return shares | dict(rest.items())


def _grouping(strategy: str, families: dict[str, str]) -> Callable[[str], str]:
    if strategy == "operator":
        return lambda name: name
    if strategy == "family":
        return lambda name: families[name]
    known = {op.name: op for op in operators()}
    return lambda name: _natural_group(known[name]) if name in known else "wrong"


def _natural_group(operator: Operator) -> str:
    if operator.count is not None:
        return _LEARNED
    if operator.pattern is not None:
        return operator.pattern
    natures: dict[str, Nature] = {"missing logic": "missing", "excess logic": "extraneous"}
    return natures.get(operator.bug_type, "wrong")


def _divided(mutants: Sequence[Mutant], share: float) -> dict[str, float]:
    parts = {mutant.id: 1 / (1 + mutant.rank) for mutant in mutants}
    total = sum(parts.values())
    return {id_: share * part / total for id_, part in parts.items()}
