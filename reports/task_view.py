"""One task as the page shows it: the row in the list, and what opens below it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mendlab.records import Outcome, Task
from mendlab.reports.attempt_view import AttemptView, attempt_view
from mendlab.reports.data import Judged
from mendlab.reports.detail import FULL, Detail
from mendlab.reports.diffs import DiffView, diff_view
from mendlab.reports.links import task_link
from mendlab.reports.text import Trimmed, trim

TESTS: Final = 30


@dataclass(frozen=True, slots=True)
class RunBadge:
    """One run's outcomes on one task: its label, and each outcome with its count."""

    label: str
    counts: tuple[tuple[Outcome, int], ...]


@dataclass(frozen=True, slots=True)
class TaskView:
    """What opens below a task's row. ``link`` leads there."""

    task: Task
    link: str
    defect: DiffView
    statement: Trimmed
    told: tuple[str, ...]
    hidden: int
    attempts: tuple[AttemptView, ...]


def task_view(task: Task, samples: Sequence[tuple[str, Judged]], taskset_path: str, detail: Detail = FULL) -> TaskView:
    """Return the view of a task; ``samples`` are its attempts, each with its run's label."""
    visible_tests = [test for test in task.fail_to_pass if test not in task.held_out]
    return TaskView(
        task=task,
        link=task_link(task.id),
        defect=diff_view(task.defect.diff, detail.diff_lines, detail.columns),
        statement=trim(task.statement, lines=80, columns=detail.columns),
        told=tuple(visible_tests[:TESTS]),
        hidden=len(task.held_out),
        attempts=tuple(attempt_view(one, label, taskset_path, detail) for label, one in samples),
    )


def badges(samples: Sequence[tuple[str, Judged]]) -> tuple[RunBadge, ...]:
    """Return the outcomes of each run on one task."""
    runs: dict[str, dict[Outcome, int]] = {}
    for label, one in samples:
        counts = runs.setdefault(label, {})
        if one.outcome is not None:
            counts[one.outcome] = counts.get(one.outcome, 0) + 1
    return tuple(RunBadge(label, tuple(counts.items())) for label, counts in runs.items())
