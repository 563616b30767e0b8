"""The file beside a task set that says how hard its tasks are."""

from __future__ import annotations

from pathlib import Path

from mendlab.corpora.durable import replace_file
from mendlab.corpora.journal import parse_record
from mendlab.corpora.layout import GRADES
from mendlab.corpora.snapshots import read_bytes
from mendlab.corpora.taskset import TaskSet
from mendlab.errors import FormatError, InputError, OutputError
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
        OutputError: as :func:`require_place`, or the file cannot be written.
        FormatError: as :func:`require_place`.
    """
    require_place(taskset)
    replace_file(taskset.path / GRADES, (grades.model_dump_json(indent=1) + "\n").encode())
    return taskset.path / GRADES


def require_place(taskset: TaskSet) -> None:
    """See that grades can be written, before they are worked out.

    Raises:
        OutputError: the set is a zip file.
        FormatError: what stands there is no grades, and may be somebody's work.
    """
    if not taskset.path.is_dir():
        raise OutputError("grades cannot be written into a zip file", where=taskset.path, hint="unpack the set first")
    file = taskset.path / GRADES
    if file.exists():
        try:
            parse_record(read_bytes(file), Grades, str(file))
        except FormatError as error:
            hint = "move it away to keep it, or remove it; then grade again"
            raise FormatError("these are no grades, and are not written over", where=file, hint=hint) from error
