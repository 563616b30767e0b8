"""Graded difficulty beside what runs made of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

from mendlab.records import CORRECT, Task
from mendlab.reports.data import Judged
from mendlab.reports.difficulty.agreeing import Ranking, ranking
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


def observed(judged: Sequence[Judged]) -> list[tuple[Task, float, float]]:
    """Return each graded task that was judged, with its score and the share of correct attempts, easiest first."""
    rates = solve_rates(judged)
    tasks = {one.task.id: one.task for one in judged}
    found = [
        (task, task.difficulty.score, rates[task.id]) for task in tasks.values() if task.difficulty and task.id in rates
    ]
    return sorted(found, key=lambda one: (one[1], one[0].id))


def agreement(points: Sequence[tuple[Task, float, float]]) -> Ranking:
    """Return how far the order by score is the order by what failed."""
    return ranking(
        [score for _, score, _ in points], [1 - rate for _, _, rate in points], [task for task, _, _ in points]
    )


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
