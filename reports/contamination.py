"""Scores on tasks that a model may have seen, and on the others, apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from mendlab.records import CORRECT
from mendlab.reports.data import Judged, Material, join
from mendlab.reports.rates import task_counts
from mendlab.reports.statistics import Estimate, estimate_pass_at_k
from mendlab.reports.summary import run_labels


@dataclass(frozen=True, slots=True)
class CleanAndMarked:
    """Correct pass@1 of one run, infra errors left out, on clean tasks, and on those with a mark."""

    label: str
    clean: Estimate
    marked: Estimate

    @property
    def difference(self) -> float | None:
        """How much higher the rate on marked tasks is; ``None`` where one of the two is not known."""
        if self.clean.value is None or self.marked.value is None:
            return None
        return self.marked.value - self.clean.value


@dataclass(frozen=True, slots=True)
class ContaminationScores:
    """For a report: how many tasks have marks, by method, and each run's scores on both kinds."""

    tasks: int
    marked: int
    by_method: dict[str, int]
    runs: tuple[CleanAndMarked, ...]


def contamination_scores(material: Material) -> ContaminationScores | None:
    """Return the scores of each run, in the order of the material; ``None`` where nothing was looked for.

    Raises:
        InputError: a run has a task that is not in the set.
    """
    methods = Counter(name for task in material.tasks for name in {mark.method for mark in task.contamination})
    if material.contamination is None and not methods:
        return None
    runs = tuple(
        _split(label, join(run, material.tasks))
        for run, label in zip(material.runs, run_labels(material.runs), strict=True)
    )
    marked = sum(bool(task.contamination) for task in material.tasks)
    return ContaminationScores(len(material.tasks), marked, dict(sorted(methods.items())), runs)


def _split(label: str, judged: Sequence[Judged]) -> CleanAndMarked:
    clean = [one for one in judged if not one.task.contamination]
    seen = [one for one in judged if one.task.contamination]
    return CleanAndMarked(label, _estimate(clean), _estimate(seen))


def _estimate(judged: Sequence[Judged]) -> Estimate:
    return estimate_pass_at_k(task_counts(judged, CORRECT, infra_as_failure=False))
