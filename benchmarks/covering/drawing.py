"""Made-up task sets whose true rate is known: subjects drawn, tasks of them, and samples of these.

A subject's rate is drawn from a beta distribution about the true one, a task's from one about its subject's; so two
tasks of a subject correlate by ``alike``, and samples of a task by more than that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

TASK_SPREAD: Final = 0.5
"""How much of what is left of the variance, once the subject is known, lies between its tasks."""
KINDS: Final = ("none", "many", "few", "unequal")


@dataclass(frozen=True, slots=True)
class Cell:
    """One kind of task set: ``kind`` of subjects, tasks, samples a task, the true rate, and the tasks' correlation."""

    kind: str
    tasks: int
    samples: int
    rate: float
    alike: float


def subjects(kind: str, tasks: int) -> list[int]:
    """Return how many tasks each subject has: one; five; an eighth of all; or by a power law, over a tenth or more."""
    if kind == "none":
        return [1] * tasks
    if kind == "many":
        return [5] * (tasks // 5)
    if kind == "few":
        return [tasks // 8 + (place < tasks % 8) for place in range(8)]
    count = max(12, tasks // 10)
    shares = np.arange(1, count + 1) ** -0.7
    sizes = np.maximum(1, np.round(shares / shares.sum() * tasks)).astype(int)
    sizes[0] += tasks - sizes.sum()
    return [int(size) for size in sizes]


def task_variance(cell: Cell) -> float:
    """Return the variance of one task's rate, as a part of what it would be if it were 0 or 1."""
    alike = 0.0 if cell.kind == "none" else cell.alike
    return alike + (1 - alike) * (TASK_SPREAD + (1 - TASK_SPREAD) / cell.samples)


def draw(cell: Cell, chance: Any, draws: int = 1) -> tuple[Any, Any]:
    """Return the share of samples that succeed of each task, a row a draw, and the subject of each task."""
    sizes = subjects(cell.kind, cell.tasks)
    mean = np.full((draws, len(sizes)), cell.rate)
    of_subject = _beta(mean, 0.0 if cell.kind == "none" else cell.alike, chance)
    subject = np.repeat(np.arange(len(sizes)), sizes)
    of_task = _beta(of_subject[:, subject], TASK_SPREAD, chance)
    return chance.binomial(cell.samples, of_task) / cell.samples, subject


def _beta(mean: Any, correlation: float, chance: Any) -> Any:
    if correlation == 0:
        return mean
    both = 1 / correlation - 1
    return chance.beta(np.maximum(mean * both, 1e-9), np.maximum((1 - mean) * both, 1e-9))
