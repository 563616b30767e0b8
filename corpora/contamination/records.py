"""What is found out about a task set, as it is kept in ``contamination.json`` beside the rest of the set.

It is no part of the set, whose digests do not cover it: it depends on what the user compared the set with.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final, Literal

from pydantic import Field, JsonValue

from mendlab.corpora.durable import replace_file
from mendlab.corpora.journal import parse_record
from mendlab.corpora.text import read_regular
from mendlab.errors import InputError
from mendlab.records import SCHEMA_VERSION, ContaminationMark, Record

WORDS: Final = "13-gram"
CHARACTERS: Final = "50-character"
NEAR_DUPLICATE: Final = "near-duplicate"
DATE: Final = "fix-date"
PROBE: Final = "completion"
CANARY: Final = "canary"


class Check(Record):
    """One thing that was looked for: a method, and what the set was compared with.

    ``unknown`` tasks have nothing that the method could look at, as a date. ``facts`` are figures of the check.
    """

    method: str
    corpus: str
    unknown: int = 0
    facts: dict[str, JsonValue] = Field(default_factory=dict)


class Marked(Record):
    """A mark of a task, and where it was found."""

    task: str
    mark: ContaminationMark
    place: str = ""


class Contamination(Record):
    """All checks of one task set, and every mark."""

    schema_version: Literal[1] = SCHEMA_VERSION
    taskset: str
    taskset_digest: str
    checks: tuple[Check, ...] = ()
    marks: tuple[Marked, ...] = ()

    @property
    def marked(self) -> frozenset[str]:
        """The ids of the tasks that have a mark of any kind."""
        return frozenset(each.task for each in self.marks)

    def by_task(self) -> dict[str, tuple[ContaminationMark, ...]]:
        """Return the marks of each task that has some."""
        found: dict[str, list[ContaminationMark]] = {}
        for each in self.marks:
            found.setdefault(each.task, []).append(each.mark)
        return {task: tuple(marks) for task, marks in found.items()}

    def with_checks(self, checks: Iterable[Check], marks: Iterable[Marked]) -> Contamination:
        """Return this with the outcome of checks; one made before, of the same method and corpus, is replaced."""
        new = tuple(checks)
        made = {(check.method, check.corpus) for check in new}
        old = tuple(check for check in self.checks if (check.method, check.corpus) not in made)
        kept = tuple(each for each in self.marks if (each.mark.method, each.mark.corpus) not in made)
        return self.model_copy(update={"checks": old + new, "marks": kept + tuple(marks)})


def read_contamination(file: Path, taskset_digest: str) -> Contamination | None:
    """Return what a file has of a set; ``None`` if there is no such file, as nothing was looked for.

    Raises:
        FormatError: the file is broken.
        InputError: it is about another set, or about this one as it was before, or cannot be read.
    """
    if not file.exists():
        return None
    found = parse_record(read_regular(file), Contamination, str(file))
    if found.taskset_digest != taskset_digest:
        hint = "remove it, and run `mendlab contamination` again"
        raise InputError("is about another task set, or about this one as it was before", where=file, hint=hint)
    return found


def write_contamination(file: Path, found: Contamination) -> None:
    """Write the file. Raises an OutputError if it cannot be written."""
    replace_file(file, (found.model_dump_json(indent=1) + "\n").encode())
