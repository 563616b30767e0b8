"""Fixes that were public before a model's training data ends."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Sequence
from datetime import UTC, date, datetime

from mendlab.corpora.contamination.records import DATE, Check, Marked
from mendlab.errors import InputError
from mendlab.records import ContaminationMark, Task


def fixed_before(tasks: Sequence[Task], cutoff: date) -> tuple[list[Check], list[Marked]]:
    """Return the check, and a mark for each task whose fix was committed on the day of the cutoff or before.

    A task without a date is unknown. Times are compared as days in UTC.
    """
    corpus, unknown, marks = f"cutoff {cutoff.isoformat()}", 0, []
    for task in tasks:
        day = fix_date(task)
        if day is None:
            unknown += 1
        elif day <= cutoff:
            mark = ContaminationMark(method=DATE, corpus=corpus, strength=1.0)
            marks.append(Marked(task=task.id, mark=mark, place=day.isoformat()))
    return [Check(method=DATE, corpus=corpus, unknown=unknown)], marks


def fix_date(task: Task) -> date | None:
    """Return the day since which the fix of a task has been public; ``None`` where it is not known."""
    written = task.mined.committed if task.mined is not None else task.provenance.date
    if not written:
        return None
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        return None
    return (moment.astimezone(UTC) if moment.tzinfo is not None else moment).date()


def read_cutoff(text: str) -> date:
    """Return a date written as ``2024-06-30``; of a month alone its last day counts.

    Raises:
        InputError: it is written in another way.
    """
    try:
        if len(text) == len("2024-06"):
            year, month = (int(part) for part in text.split("-"))
            first = date(year, month, 1)
            return first.replace(day=monthrange(year, month)[1])
        return date.fromisoformat(text)
    except ValueError as error:
        raise InputError(f"--cutoff {text!r} is no date", hint="write it as 2024-06-30, or 2024-06") from error
