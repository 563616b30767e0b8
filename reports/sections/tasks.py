"""Every task: its defect, what the repairer was told, and each attempt with the evidence.

The page has them packed. Its script lists them, and unpacks a task when that is opened.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mendlab.records import Task
from mendlab.reports.data import Judged
from mendlab.reports.detail import FULL, Detail, choose_detail
from mendlab.reports.difficulty_view import GRADES
from mendlab.reports.groups import UNNAMED
from mendlab.reports.outcomes import WORDS
from mendlab.reports.packing import blocks, pack
from mendlab.reports.section import Report, section
from mendlab.reports.task_view import badges, task_view
from mendlab.reports.templating import macro
from mendlab.reports.text import visible

Samples = list[tuple[str, Judged]]


@dataclass(frozen=True, slots=True)
class Packed:
    """The rows, and the blocks that have the rest, each packed."""

    index: str
    blocks: tuple[str, ...]
    shortened: bool


@section(order=90, title="Tasks", template="tasks.html.j2")
def tasks(report: Report) -> Mapping[str, object] | None:
    """Return the packed tasks, and what they can be filtered by."""
    every = report.material.tasks
    if not every:
        return None
    labels = [run.label for run in report.summary.runs if run.attempts]
    samples: dict[str, Samples] = {task.id: [] for task in every}
    for label in labels:
        for one in report.judged[label]:
            samples[one.task.id].append((label, one))
    occurring = {one.outcome for each in samples.values() for _, one in each}
    return {
        "count": len(every),
        "packed": _pack([(task, samples[task.id]) for task in every], labels, report),
        "outcomes": [(outcome, words.label) for outcome, words in WORDS.items() if outcome in occurring],
        "runs": _options(labels),
        "families": _options(sorted({task.defect.family or UNNAMED for task in every})),
        "grades": _options(grade for grade in GRADES if any(_grade(task) == grade for task in every)),
        "tags": _options(sorted({tag for task in every for tag in task.tags})),
    }


def _pack(items: list[tuple[Task, Samples]], labels: list[str], report: Report) -> Packed:
    write, row = macro("task.html.j2", "task"), macro("row.html.j2", "row")

    def render(item: tuple[Task, Samples], detail: Detail) -> str:
        return str(write(task_view(*item, report.material.taskset_path, detail)))

    detail = choose_detail(items, render)
    packed, places = [], list[tuple[int, int]]()
    for number, block in enumerate(blocks(render(item, detail) for item in items)):
        packed.append(pack(block))
        places += [(number, place) for place in range(len(block))]
        report.progress("tasks written", len(places), len(items))
    rows = [
        {**_facts(task, each, labels), "row": str(row(task, badges(each))), "at": at}
        for (task, each), at in zip(items, places, strict=True)
    ]
    return Packed(pack(rows), tuple(packed), detail is not FULL)


def _facts(task: Task, samples: Samples, labels: list[str]) -> dict[str, Any]:
    """What the page filters and searches by; a field for each filter."""
    by_run = {
        label: sorted({one.outcome for name, one in samples if name == label and one.outcome}) for label in labels
    }
    return {
        "id": visible(task.id),
        "words": visible(" ".join(_words(task))).lower(),
        "outcomes": [by_run[label] for label in labels],
        "family": visible(task.defect.family or UNNAMED),
        "grade": _grade(task),
        "tag": [visible(tag) for tag in task.tags],
    }


def _options(names: Iterable[str]) -> list[tuple[str, str]]:
    return [(name, name) for name in names]


def _words(task: Task) -> Iterator[str]:
    yield from (task.id, task.subject, task.defect.operator or "", task.defect.family or "", task.defect.function or "")
    yield from task.defect.files
    yield from task.tags


def _grade(task: Task) -> str:
    return task.difficulty.grade if task.difficulty else ""
