"""Which detected mutants are worth trying together."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Final

from mendlab.mutators.injecting.calls import Calls
from mendlab.mutators.injecting.higher_order import Across, fits, overlap, place_of
from mendlab.mutators.mutant import Mutant
from mendlab.records import Detection, TestOutcome

MOST_PARTS: Final = 100
"""How many of the parts that are known, the newest, are joined with."""
_PRIOR: Final = 20
_IN_VAIN: Final = {("assertions", False): 60, ("tests", "few"): 60}
"""Tries in vain before the first, for pairs that seldom held in two runs on HumanEval: 5 of 1,118 where not assertions
alone tell, against 34 of 1,831 where they do; none of 213 where few tests see both."""
_ELSEWHERE: Final = 10_000
"""The distance in lines of what stands in another file."""


@dataclass(frozen=True, slots=True)
class Found:
    """Mutants that are detected when they are made at once, or one that is detected alone."""

    mutants: tuple[Mutant, ...]
    detection: Detection

    @property
    def ids(self) -> frozenset[str]:
        """The ids of the mutants."""
        return frozenset(mutant.id for mutant in self.mutants)

    @property
    def killers(self) -> frozenset[str]:
        """The tests that detect them."""
        return frozenset(self.detection.fail_to_pass)


class Experience:
    """How often combinations of each kind held, among those tried: what was tried before says what to try next.

    A kind is a value of each of the :func:`_features`. The rates of the values, with one success in
    :data:`_PRIOR` tries before the first, are multiplied, as if they did not depend on one another.
    """

    def __init__(self) -> None:
        self._tried: Counter[object] = Counter(_IN_VAIN)
        self._held: Counter[object] = Counter()

    def learn(self, features: Sequence[object], held: bool) -> None:
        """Take note of what became of a combination with these features."""
        self._tried.update(features)
        self._held.update(features if held else ())

    def promise(self, features: Sequence[object]) -> float:
        """Return a number that is the larger, the more often such combinations held."""
        return math.prod((self._held[each] + 1) / (self._tried[each] + _PRIOR) for each in features)


@dataclass(frozen=True, slots=True)
class Proposal:
    """Mutants to be tried together, and what experience goes by."""

    mutants: tuple[Mutant, ...]
    features: tuple[object, ...] = ()


def joined(
    below: Sequence[Found],
    parts: Sequence[Found],
    across: Across,
    calls: Calls,
    tried: Set[frozenset[str]],
    experience: Experience,
) -> list[Proposal]:
    """Return what may be tried: each of ``below`` with one part more, the most promising first.

    A defect hides another only on tests that see both, so those that share no such test are not proposed, nor what only
    one test detects, for nothing is detected by fewer. Of equal promise those come first of whose tests the largest
    part sees both (Jaccard index), and of these the nearest in the text.
    """
    able = [part for part in parts[-MOST_PARTS:] if len(part.killers) > 1]
    ranked: dict[frozenset[str], tuple[tuple[float, float, int, list[str]], Proposal]] = {}
    for base, part in ((base, part) for base in below for part in able):
        ids, mutants = base.ids | part.ids, (*base.mutants, *part.mutants)
        if len(ids) < len(mutants) or ids in tried or ids in ranked or not base.killers & part.killers:
            continue
        if fits([place_of(mutant) for mutant in mutants], across, calls) and not overlap(mutants):
            likeness = len(base.killers & part.killers) / len(base.killers | part.killers)
            proposal = Proposal(mutants, _features(base, part, likeness))
            rank = -experience.promise(proposal.features), -likeness, _distance(mutants), sorted(ids)
            ranked[ids] = rank, proposal
    return [proposal for _, proposal in sorted(ranked.values(), key=lambda item: item[0])]


def _features(base: Found, part: Found, likeness: float) -> tuple[object, ...]:
    """The families; whether all the same tests detect both, most, or few; whether assertions alone tell; how near."""
    outcomes = {*base.detection.before.values(), *part.detection.before.values()}
    return (
        tuple(sorted(mutant.family for mutant in (*base.mutants, *part.mutants))),
        ("tests", "all" if likeness == 1 else "most" if likeness >= 0.5 else "few"),
        ("assertions", outcomes == {TestOutcome.FAILED}),
        ("distance", min(_distance((*base.mutants, *part.mutants)), 2)),
    )


def _distance(mutants: Sequence[Mutant]) -> int:
    """Lines between the last of the mutants and the nearest of the others."""
    *others, last = mutants
    return min(_lines_between(last, other) for other in others)


def _lines_between(one: Mutant, other: Mutant) -> int:
    return abs(one.span.start_line - other.span.start_line) if one.path == other.path else _ELSEWHERE
