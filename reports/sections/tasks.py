"""Every task: its defect, what the repairer was told, and each attempt with the evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from mendlab.records import Outcome, Task
from mendlab.reports.attempt_view import AttemptView, attempt_view
from mendlab.reports.data import join
from mendlab.reports.diffs import DiffView, diff_view
from mendlab.reports.outcomes import WORDS
from mendlab.reports.section import Report, section
from mendlab.reports.summary import run_labels
from mendlab.reports.text import Trimmed, trim

TESTS: Final = 30


@dataclass(frozen=True, slots=True)
class RunBadge:
    """One run's outcomes on one task: its label, and each outcome with its count."""

    label: str
    counts: tuple[tuple[Outcome, int], ...]


@dataclass(frozen=True, slots=True)
class TaskView:
    """One task as the page shows it."""

    task: Task
    defect: DiffView
    statement: Trimmed
    told: tuple[str, ...]
    hidden: int
    badges: tuple[RunBadge, ...]
    attempts: tuple[AttemptView, ...]

    @property
    def outcomes(self) -> str:
        """The outcomes of every attempt, for the filter, set apart by spaces."""
        return " ".join(sorted({outcome for badge in self.badges for outcome, _ in badge.counts}))


@section(order=70, title="Tasks", template="tasks.html.j2")
def tasks(report: Report) -> Mapping[str, object] | None:
    """Return a view of each task, with every attempt on it, and the outcomes to filter by."""
    material = report.material
    if not material.tasks:
        return None
    attempts: dict[str, list[AttemptView]] = {}
    runs = dict(zip(run_labels(material.runs), material.runs, strict=True))
    for label in (summary.label for summary in report.summary.runs):
        for one in join(runs[label], material.tasks):
            attempts.setdefault(one.task.id, []).append(attempt_view(one, label, material.taskset_path))
    views = [_task_view(task, attempts.get(task.id, [])) for task in material.tasks]
    occurring = {view.outcome for each in attempts.values() for view in each}
    return {"tasks": views, "occurring": [outcome for outcome in WORDS if outcome in occurring]}


def _task_view(task: Task, attempts: list[AttemptView]) -> TaskView:
    visible_tests = [test for test in task.fail_to_pass if test not in task.held_out]
    return TaskView(
        task=task,
        defect=diff_view(task.defect.diff),
        statement=trim(task.statement, lines=80),
        told=tuple(visible_tests[:TESTS]),
        hidden=len(task.held_out),
        badges=_badges(attempts),
        attempts=tuple(attempts),
    )


def _badges(attempts: list[AttemptView]) -> tuple[RunBadge, ...]:
    runs: dict[str, dict[Outcome, int]] = {}
    for view in attempts:
        counts = runs.setdefault(view.label, {})
        if view.outcome is not None:
            counts[view.outcome] = counts.get(view.outcome, 0) + 1
    return tuple(RunBadge(label, tuple(counts.items())) for label, counts in runs.items())
