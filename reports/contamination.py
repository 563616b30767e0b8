"""Scores on tasks that a model may have seen, and on the others, apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mendlab.corpora.contamination.records import Contamination, Marked, read_contamination
from mendlab.corpora.taskset import TaskSet
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


def contamination_of(taskset: Path) -> Contamination | None:
    """Return what `mendlab contamination` found out about a set; ``None`` if it was not asked.

    Raises:
        InputError: it is about this set as it was before.
    """
    opened = TaskSet.open(taskset)
    return read_contamination(taskset, opened.digest)


def marks_by_task(found: Contamination) -> dict[str, tuple[Marked, ...]]:
    """Return the marks of each task that has some."""
    marks: dict[str, list[Marked]] = {}
    for each in found.marks:
        marks.setdefault(each.task, []).append(each)
    return {task: tuple(each) for task, each in sorted(marks.items())}


def contamination_scores(material: Material, found: Contamination) -> ContaminationScores:
    """Return the scores of each run, in the order of the material.

    Raises:
        InputError: a run has a task that is not in the set.
    """
    methods = sorted({each.mark.method for each in found.marks})
    by_method = {name: len({each.task for each in found.marks if each.mark.method == name}) for name in methods}
    marked = found.marked & {task.id for task in material.tasks}
    runs = tuple(
        _split(label, join(run, material.tasks), marked)
        for run, label in zip(material.runs, run_labels(material.runs), strict=True)
    )
    return ContaminationScores(len(material.tasks), len(marked), by_method, runs)


def _split(label: str, judged: Sequence[Judged], marked: frozenset[str]) -> CleanAndMarked:
    clean = [one for one in judged if one.task.id not in marked]
    seen = [one for one in judged if one.task.id in marked]
    return CleanAndMarked(label, _estimate(clean), _estimate(seen))


def _estimate(judged: Sequence[Judged]) -> Estimate:
    return estimate_pass_at_k(task_counts(judged, CORRECT, infra_as_failure=False))
