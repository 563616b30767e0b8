"""What an export does not carry: it is read back by the importer of its format, and held against the tasks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from mendlab.corpora.candidates import Candidate, Refusal
from mendlab.corpora.taskset import TaskSet
from mendlab.corpora.tree import FileTree
from mendlab.errors import FormatError
from mendlab.records import Defect, Provenance, Task


def losses(taskset: TaskSet, tasks: Mapping[str, Task], found: Iterable[Candidate | Refusal]) -> dict[str, int]:
    """Return for each thing that is not the same, how many tasks lose it. ``tasks`` are by their ids in the export.

    Raises:
        FormatError: a task is not read back, or its program or its bug is another: then the export is wrong.
    """
    lost: Counter[str] = Counter()
    missing = dict(tasks)
    for item in found:
        if isinstance(item, Refusal):
            raise FormatError(f"the export cannot be read back: {item.reason}")
        task = missing.pop(item.id)
        if not _same(item.loaded.tree, taskset.good_tree(task)) or not _same(item.buggy, taskset.buggy_tree(task)):
            raise FormatError(f"the export of {task.id} has another program in it")
        lost.update(_differences(task, item))
    if missing:
        raise FormatError(f"the export has no {next(iter(missing))!r} in it")
    return dict(sorted(lost.items()))


def _same(tree: FileTree, other: FileTree) -> bool:
    """Whether two trees are of the same files, whatever these are called."""
    return sorted(tree.values()) == sorted(other.values())


def _differences(task: Task, candidate: Candidate) -> list[str]:
    """The names of what differs between a task and what was read back for it. An import works out the rest anew."""
    subject, made, was = candidate.loaded.subject, candidate.defect, task.defect
    same = {
        "the task's id": candidate.id == task.id,
        "the program's name": subject.id == task.subject,
        "the kind of task": candidate.kind == task.kind,
        "the names and the layout of the program's files": subject.snapshot == task.snapshot,
        "how the tests are run": subject.harness == task.harness,
        "the statement": candidate.statement == task.statement,
        "which files may be changed": candidate.editable == task.editable,
        "what made the defect": _maker(made) == _maker(was),
        "the family": made.family == was.family,
        "tags": candidate.tags == task.tags,
        "the weight": candidate.weight == task.weight,
        "which tests are held out": not task.held_out,
        "the grade of difficulty": task.difficulty is None,
        "licence, date and source": _origin(subject.provenance) == _origin(task.provenance),
        "what was mined of the commit": task.mined is None,
        "signs of contamination": not task.contamination,
    }
    return [name for name, holds in same.items() if not holds]


def _maker(defect: Defect) -> tuple[object, ...]:
    return defect.origin, defect.operator, defect.parts, defect.by_model


def _origin(provenance: Provenance) -> tuple[object, ...]:
    return provenance.source, provenance.licence, provenance.commit, provenance.date
