"""How far two reviewers agree, and people with the machine."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from mendlab.records import CORRECT, Review
from mendlab.reports.data import Judged

DECISIONS: Final = ("accept", "reject", "unsure")


@dataclass(frozen=True, slots=True)
class Kappa:
    """Cohen's kappa (1960) of two reviewers over the ``attempts`` that both decided on, with its 95% interval.

    ``agreed`` is the share of equal decisions. Kappa is ``None`` where chance alone would agree always, or nothing is
    shared; the interval is that of Fleiss, Cohen and Everitt (1969).
    """

    first: str
    second: str
    attempts: int
    agreed: float | None
    kappa: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Beside:
    """One reviewer's decisions on what the machine holds correct, and on what it does not."""

    reviewer: str
    correct: dict[str, int]
    not_correct: dict[str, int]


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What people made of a run: each beside the machine, and pairs of them."""

    attempts: int
    reviewers: tuple[Beside, ...]
    kappas: tuple[Kappa, ...]


def reviewed(judged: Sequence[Judged]) -> Reviewed | None:
    """Return what the reviews of a run's attempts come to; ``None`` where there are none."""
    by_reviewer: dict[str, dict[tuple[str, int], tuple[bool, str]]] = {}
    for one in judged:
        for review in one.reviews:
            mine = by_reviewer.setdefault(review.reviewer, {})
            mine[one.task.id, one.sample] = (one.outcome in CORRECT, str(review.decision))
    if not by_reviewer:
        return None
    kappas = [
        cohen_kappa(first, second, [(mine[key][1], theirs[key][1]) for key in mine if key in theirs])
        for (first, mine), (second, theirs) in combinations(sorted(by_reviewer.items()), 2)
    ]
    return Reviewed(
        attempts=len({key for mine in by_reviewer.values() for key in mine}),
        reviewers=tuple(_beside(name, mine.values()) for name, mine in sorted(by_reviewer.items())),
        kappas=tuple(kappas),
    )


def disagree(one: Judged, review: Review) -> bool:
    """Whether a person accepts what the machine does not hold correct, or rejects what it does."""
    return review.decision == ("reject" if one.outcome in CORRECT else "accept")


def cohen_kappa(first: str, second: str, pairs: Sequence[tuple[str, str]]) -> Kappa:
    """Return the agreement of two reviewers; ``pairs`` has their decisions on each attempt that both looked at."""
    count = len(pairs)
    if not count:
        return Kappa(first, second, 0, None, None, None, None)
    cells = {pair: number / count for pair, number in Counter(pairs).items()}
    rows = {name: sum(p for (a, _), p in cells.items() if a == name) for name in DECISIONS}
    columns = {name: sum(p for (_, b), p in cells.items() if b == name) for name in DECISIONS}
    observed = sum(p for (a, b), p in cells.items() if a == b)
    expected = sum(rows[name] * columns[name] for name in DECISIONS)
    if math.isclose(expected, 1.0):
        return Kappa(first, second, count, observed, None, None, None)
    kappa = (observed - expected) / (1 - expected)
    on = sum(
        p * ((1 - expected) - (rows[a] + columns[a]) * (1 - observed)) ** 2 for (a, b), p in cells.items() if a == b
    )
    off = (1 - observed) ** 2 * sum(p * (columns[a] + rows[b]) ** 2 for (a, b), p in cells.items() if a != b)
    rest = (observed * expected - 2 * expected + observed) ** 2
    reach = 1.959964 * math.sqrt(max(0.0, on + off - rest) / (count * (1 - expected) ** 4))
    return Kappa(first, second, count, observed, kappa, max(-1.0, kappa - reach), min(1.0, kappa + reach))


def _beside(reviewer: str, decided: Iterable[tuple[bool, str]]) -> Beside:
    counts = Counter(decided)
    correct, others = ({name: counts[machine, name] for name in DECISIONS} for machine in (True, False))
    return Beside(reviewer, correct, others)
