"""Graded difficulty beside what runs made of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from mendlab.records import CORRECT, Task
from mendlab.reports.data import Judged
from mendlab.reports.plots.calibration import ScoreBin
from mendlab.reports.rates import task_counts
from mendlab.reports.statistics import estimate_pass_at_k
from mendlab.reports.subset import solve_rates

GRADES: Final = ("easy", "medium", "hard")
MOST_BINS: Final = 8
TASKS_A_BIN: Final = 8


def graded(grade: str) -> Callable[[Task], bool]:
    """Return what tells the tasks of a grade."""
    return lambda task: task.difficulty is not None and task.difficulty.grade == grade


@dataclass(frozen=True, slots=True)
class Agreement:
    """Spearman's rank correlation of score and rate of correct attempts, with its 95% interval.

    The interval is that of Bonett and Wright (2000); ``None`` where there are too few tasks or all are alike.
    """

    rho: float | None
    low: float | None
    high: float | None
    tasks: int


def observed(judged: Sequence[Judged]) -> list[tuple[Task, float, float]]:
    """Return each graded task that was judged, with its score and the share of correct attempts, easiest first."""
    rates = solve_rates(judged)
    tasks = {one.task.id: one.task for one in judged}
    found = [
        (task, task.difficulty.score, rates[task.id]) for task in tasks.values() if task.difficulty and task.id in rates
    ]
    return sorted(found, key=lambda one: (one[1], one[0].id))


def agreement(points: Sequence[tuple[Task, float, float]]) -> Agreement:
    """Return how far the order by score is the order by what was mended: -1 where the harder are mended less."""
    scores, rates = [score for _, score, _ in points], [rate for _, _, rate in points]
    count = len(points)
    if count < 4 or len(set(scores)) == 1 or len(set(rates)) == 1:
        return Agreement(None, None, None, count)
    from scipy.stats import norm, spearmanr  # type: ignore[import-untyped]

    rho = float(spearmanr(scores, rates).statistic)
    reach = float(norm.ppf(0.975)) * math.sqrt((1 + rho**2 / 2) / (count - 3))
    centre = math.atanh(max(-0.999999, min(0.999999, rho)))
    return Agreement(rho, math.tanh(centre - reach), math.tanh(centre + reach), count)


def score_bins(judged: Sequence[Judged], points: Sequence[tuple[Task, float, float]]) -> list[ScoreBin]:
    """Return bins of about equally many tasks, each with what was mended of it."""
    number = max(1, min(MOST_BINS, len(points) // TASKS_A_BIN))
    edges = [round(len(points) * index / number) for index in range(number + 1)]
    bins = []
    for start, end in pairwise(edges):
        inside = points[start:end]
        names = {task.id for task, _, _ in inside}
        counts = task_counts([one for one in judged if one.task.id in names], CORRECT, infra_as_failure=False)
        bins.append(ScoreBin(math.fsum(score for _, score, _ in inside) / len(inside), estimate_pass_at_k(counts)))
    return bins
