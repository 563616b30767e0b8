"""The repairers in order, and which of them the tasks cannot tell apart."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from mendlab.records import Task
from mendlab.reports.data import Judged
from mendlab.reports.subset import solve_rates

LEVEL: Final = 0.05


@dataclass(frozen=True, slots=True)
class Rank:
    """The places (from 1) that a run may have, and the runs that it is tied with."""

    best: int
    worst: int
    tied: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.best}" if self.best == self.worst else f"{self.best}–{self.worst}"


def ranking(judged: Mapping[str, Sequence[Judged]]) -> dict[str, Rank]:
    """Return the rank of each run. Two are tied where their difference, task by task, is not significant.

    Student's t over subjects (tasks, where all are of one subject) on the difference in correct attempts, with Holm's
    correction over all pairs, at 5%.
    """
    pairs = {pair: _difference(judged[pair[0]], judged[pair[1]]) for pair in combinations(judged, 2)}
    apart = _holm({pair: p for pair, (_, p) in pairs.items()})
    beats: defaultdict[str, set[str]] = defaultdict(set)
    for first, second in apart:
        better, worse = (first, second) if pairs[first, second][0] > 0 else (second, first)
        beats[better].add(worse)
    ranks = {}
    for label in judged:
        beaten_by = {other for other in judged if label in beats[other]}
        tied = tuple(other for other in judged if other not in beats[label] | beaten_by | {label})
        ranks[label] = Rank(1 + len(beaten_by), len(judged) - len(beats[label]), tied)
    return ranks


def _difference(first: Sequence[Judged], second: Sequence[Judged]) -> tuple[float, float]:
    """Return the mean difference over the tasks that both have verdicts on, and its p-value; 1 where nothing tells."""
    tasks = {one.task.id: one.task for one in first}
    mine, theirs = solve_rates(first), solve_rates(second)
    values = [(tasks[name], rate - theirs[name]) for name, rate in mine.items() if name in theirs]
    if not values:
        return 0.0, 1.0
    mean = math.fsum(value for _, value in values) / len(values)
    return mean, _p_value(_residuals(values, mean), mean, len(values))


def _residuals(values: Sequence[tuple[Task, float]], mean: float) -> list[float]:
    by_subject = len({task.subject for task, _ in values}) > 1
    sums: defaultdict[str, float] = defaultdict(float)
    for task, value in values:
        sums[task.subject if by_subject else task.id] += value - mean
    return list(sums.values())


def _p_value(residuals: Sequence[float], mean: float, tasks: int) -> float:
    clusters = len(residuals)
    if clusters < 2 or mean == 0:
        return 1.0
    variance = clusters / (clusters - 1) * math.fsum(r * r for r in residuals) / tasks**2
    if math.isclose(variance, 0.0, abs_tol=1e-15):
        return float(2 * 0.5**clusters)  # all differ alike: the sign test
    from scipy.stats import t  # type: ignore[import-untyped]

    return float(2 * t.sf(abs(mean) / math.sqrt(variance), clusters - 1))


def _holm(values: Mapping[tuple[str, str], float]) -> set[tuple[str, str]]:
    """Return the pairs that are told apart, by Holm's step-down procedure."""
    ordered = sorted(values, key=lambda pair: values[pair])
    found = set()
    for index, pair in enumerate(ordered):
        if values[pair] > LEVEL / (len(ordered) - index):
            break
        found.add(pair)
    return found
