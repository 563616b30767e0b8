"""How many mutants there are of some files, in every way that operators are classified."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from mendlab.mutators.choosing.shares import weights
from mendlab.mutators.mutant import Mutant
from mendlab.mutators.registry import Operator, select
from mendlab.mutators.registry.taxonomy import BUG_TYPES, ODC, PATTERNS
from mendlab.mutators.surveying.sources import SourceFile, mutants_of
from mendlab.workers import Progress

NO_PATTERN: Final = "none"
"""What operators are counted under that undo no TSSB pattern."""


@dataclass(frozen=True, slots=True)
class Spread:
    """The least, the middle and the most of some counts."""

    least: int
    median: float
    most: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts of mutants.

    Attributes:
        files: how many files were mutated.
        mutants: how many mutants they have in all.
        left_out: how many other changes the operators made, outside protected places, by why they are no mutants:
            the words of :mod:`mendlab.mutators.validity`, with the rule for known equivalents.
        per_function: mutants of a function, inner functions apart, over those of all files; ``None`` if there are none.
        by_family, by_operator: of families and operators that have mutants.
        by_bug_type, by_pattern, by_odc: of every class, in the order of :mod:`mendlab.mutators.registry.taxonomy`.
        natural: for each pattern the percent of draws that sampling by natural weights gives its mutants.
        idle: the operators, of those chosen, that found no place.
    """

    files: int
    mutants: int
    left_out: dict[str, int]
    per_function: Spread | None
    by_family: dict[str, int]
    by_operator: dict[str, int]
    by_bug_type: dict[str, int]
    by_pattern: dict[str, int]
    by_odc: dict[str, int]
    natural: dict[str, float]
    idle: tuple[str, ...]


def count_mutants(sources: Sequence[SourceFile], names: Sequence[str] | None, progress: Progress) -> Statistics:
    """Enumerate and count the mutants of some files; the names are those of :func:`select`.

    Raises:
        InputError: a name is unknown, or a file cannot be mutated.
    """
    chosen = select(names)
    counts: Counter[str] = Counter()
    left_out: Counter[str] = Counter()
    first: dict[str, Mutant] = {}
    functions: list[int] = []
    for done, source in enumerate(sources, start=1):
        inside: Counter[str | None] = Counter()
        for mutant in mutants_of(source, names, left_out):
            counts[mutant.operator] += 1
            inside[mutant.function] += 1
            first.setdefault(mutant.operator, mutant)
        functions += [inside[name] for name in source.functions]
        progress("files mutated", done, len(sources))
    return Statistics(
        files=len(sources),
        mutants=counts.total(),
        left_out=dict(sorted(left_out.items())),
        per_function=Spread(min(functions), statistics.median(functions), max(functions)) if functions else None,
        by_family=_summed(chosen, counts, lambda op: op.family, ()),
        by_operator={op.name: counts[op.name] for op in chosen if counts[op.name]},
        by_bug_type=_summed(chosen, counts, lambda op: op.bug_type, BUG_TYPES),
        by_pattern=_summed(chosen, counts, lambda op: op.pattern or NO_PATTERN, (*PATTERNS, NO_PATTERN)),
        by_odc=_summed(chosen, counts, lambda op: op.odc, ODC),
        natural=_natural(chosen, first.values()),
        idle=tuple(op.name for op in chosen if not counts[op.name]),
    )


def _summed(
    chosen: Iterable[Operator], counts: Counter[str], class_of: Callable[[Operator], str], classes: Iterable[str]
) -> dict[str, int]:
    """The counts of operators by class: those that have mutants, and all of ``classes`` in their order."""
    summed = dict.fromkeys(classes, 0)
    for op in chosen:
        if counts[op.name]:
            summed[class_of(op)] = summed.get(class_of(op), 0) + counts[op.name]
    return summed


def _natural(chosen: Iterable[Operator], first: Collection[Mutant]) -> dict[str, float]:
    """Percent by pattern. One mutant of each operator is enough: weights are divided among operators before mutants."""
    one_each = {mutant.id: mutant.operator for mutant in first}
    likely = weights(list(first), "natural") if one_each else {}
    patterns = {op.name: op.pattern or NO_PATTERN for op in chosen}
    found = dict.fromkeys((*PATTERNS, NO_PATTERN), 0.0)
    for id_, name in one_each.items():
        found[patterns[name]] += 100 * likely[id_]
    return found
