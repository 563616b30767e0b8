"""The text of a task that a model may have seen: what it is told, and the functions of the good program to mend."""

from __future__ import annotations

from dataclasses import dataclass

from mendlab.corpora.functions import functions_in
from mendlab.corpora.importers.places import changed_span
from mendlab.corpora.taskset import TaskSet
from mendlab.corpora.text import decode
from mendlab.records import Task

MOST_CHARACTERS = 200_000
"""What is looked at of one file of which no function is known."""


@dataclass(frozen=True, slots=True)
class Source:
    """A function of a good program, or a file where the defect is in no function."""

    file: str
    function: str | None
    text: str


def task_texts(taskset: TaskSet, task: Task) -> tuple[str, ...]:
    """Return the texts of a task. Words of one text are never joined with those of another."""
    return (task.statement, *(source.text for source in sources(taskset, task)))


def sources(taskset: TaskSet, task: Task) -> list[Source]:
    """Return what the defect is in of the good program: the outermost functions around it, or the file."""
    good, buggy = taskset.good_tree(task), taskset.buggy_tree(task)
    found = []
    for path in task.defect.files:
        if path not in good:
            continue
        text = decode(path, good[path]).text
        changed = _changed(text, decode(path, buggy[path]).text if path in buggy else "")
        around = [
            each for each in functions_in(good, [path])
            if "<locals>" not in each.qualified_name
            and any(each.span.start_line <= line <= each.span.end_line for line in changed)
        ]  # fmt: skip
        lines = text.splitlines(keepends=True)
        for each in around:
            inside = "".join(lines[each.span.start_line - 1 : each.span.end_line])
            found.append(Source(path, each.qualified_name, inside))
        if not around:
            found.append(Source(path, None, text[:MOST_CHARACTERS]))
    return found


def _changed(good: str, buggy: str) -> list[int]:
    """The lines of the good text that the defect changes; where lines are only added, the one before them."""
    span = changed_span(good, buggy)
    return list(range(max(1, span.start_line), max(span.start_line, span.end_line) + 1))
