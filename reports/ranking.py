"""The repairers in order, and which of them the tasks cannot tell apart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from mendlab.reports.data import Judged
from mendlab.reports.statistics.estimating import cluster_names
from mendlab.reports.statistics.paired import SIGNIFICANCE, difference, holm
from mendlab.reports.subset import solve_rates


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

    As `mendlab compare` tells them apart (:func:`difference`), with Holm's correction over all pairs.
    """
    pairs = {pair: _difference(judged[pair[0]], judged[pair[1]]) for pair in combinations(judged, 2)}
    corrected = holm([p_value for _, p_value in pairs.values()])
    apart = [pair for pair, p_value in zip(pairs, corrected, strict=True) if p_value < SIGNIFICANCE]
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
    """Return the mean difference over the tasks that both have verdicts on, and its p-value; 1 where there is none."""
    subjects = {one.task.id: one.task.subject for one in first}
    mine, theirs = solve_rates(first), solve_rates(second)
    common = [task for task in mine if task in theirs]
    if not common:
        return 0.0, 1.0
    clusters = cluster_names([(task, subjects[task]) for task in common])
    found = difference([mine[task] for task in common], [theirs[task] for task in common], clusters)
    return found.value, found.p_value
