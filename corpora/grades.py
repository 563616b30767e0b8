"""The file beside a task set that says how hard its tasks are."""

from __future__ import annotations

from pathlib import Path

from mendlab.corpora.durable import replace_file
from mendlab.corpora.journal import parse_record
from mendlab.corpora.layout import GRADES
from mendlab.corpora.snapshots import read_bytes
from mendlab.corpora.taskset import TaskSet
from mendlab.errors import InputError, OutputError
from mendlab.records import Grades


def read_grades(taskset: TaskSet) -> Grades | None:
    """Return the grades of a task set, or None where it has none.

    Raises:
        InputError: they are of another state of the set.
        FormatError: they cannot be read.
    """
    file = taskset.root / GRADES
    if not file.is_file():
        return None
    grades = parse_record(read_bytes(file), Grades, str(taskset.path / GRADES))
    if grades.taskset_digest != taskset.digest:
        hint = f"grade it again with `mendlab grade {taskset.path}`, or remove that file"
        raise InputError("these grades are of another state of the task set", where=taskset.path / GRADES, hint=hint)
    return grades


def write_grades(taskset: TaskSet, grades: Grades) -> Path:
    """Write grades beside the set, over those that were there; return where.

    Raises:
        OutputError: the set is a zip file, or the file cannot be written.
    """
    if not taskset.path.is_dir():
        raise OutputError("grades cannot be written into a zip file", where=taskset.path, hint="unpack the set first")
    replace_file(taskset.path / GRADES, (grades.model_dump_json(indent=1) + "\n").encode())
    return taskset.path / GRADES
