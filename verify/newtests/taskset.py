"""New tests for every task of a set, and the set that has them as its held-out part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from mendlab.corpora.building import Building
from mendlab.corpora.journal import Journal, dump_line
from mendlab.corpora.taskset import TaskSet
from mendlab.corpora.tree import FileTree
from mendlab.errors import EngineError, InputError
from mendlab.records import BuildConfig, PytestHarness, Task, Written
from mendlab.verify.bench import Bench
from mendlab.verify.newtests.task_parts import with_new_tests
from mendlab.verify.newtests.write import write_tests
from mendlab.workers import Progress, map_ordered

FOLDER: Final = "new_tests"
Rivals = Callable[[Task, FileTree, FileTree], Sequence[FileTree]]
ABOUT: Final = f"{FOLDER}/tests.jsonl"


class Writing(Building):
    """What is written so far for a set that is being made; see :class:`Building`."""

    def __init__(self, out: Path, config: BuildConfig) -> None:
        super().__init__(out, config)
        self._written = Journal(self.directory / "written.jsonl", Written)
        self.written = {each.about.task: each for each in self._written.read()}

    def add_written(self, written: Written) -> None:
        """Keep the tests of one task; they are on the disk when this returns."""
        self._written.append(written)
        self.written[written.about.task] = written

    def close(self) -> None:
        """Close the files; what is there can be resumed."""
        self._written.close()
        super().close()


@dataclass(frozen=True, slots=True)
class WithTests:
    """The tasks with their new tests, their trees, and the files that stand beside them in the set."""

    tasks: tuple[Task, ...]
    trees: tuple[FileTree, ...]
    beside: Mapping[str, bytes]
    written: tuple[Written, ...]


def require_without(taskset: TaskSet) -> None:
    """Refuse a set that has new tests.

    Raises:
        InputError: it has.
    """
    if ABOUT in taskset.manifest.digests:
        raise InputError("has new tests already", where=taskset.path, hint="name the set that it was made from")


def write_for_taskset(
    taskset: TaskSet,
    bench: Bench,
    writing: Writing,
    *,
    per_task: int,
    seed: int,
    workers: int,
    progress: Progress,
    rivals: Rivals = lambda task, good, buggy: (),
) -> WithTests:
    """Write tests for each task that has none yet in the journal, and put the whole set together.

    The result does not depend on the workers. ``rivals`` gives other mistakes for a task, its good and its buggy tree.

    Raises:
        EngineError: the lab itself fails, twice on one task.
        OutputError: what is found out cannot be written down.
    """
    numbers = _numbers(taskset.tasks)
    todo = [task for task in taskset.tasks if task.id not in writing.written]
    done = len(taskset.tasks) - len(todo)
    progress("tasks given new tests", done, len(taskset.tasks))

    def write(task: Task) -> Written:
        good, buggy = taskset.good_tree(task), taskset.buggy_tree(task)
        others, number = rivals(task, good, buggy), numbers[task.id]
        again = partial(
            write_tests, task, good, buggy, bench, per_task=per_task, seed=seed, number=number, rivals=others
        )
        try:
            return again()
        except EngineError:
            return again()

    for written in map_ordered(write, todo, workers):
        writing.add_written(written)
        done += 1
        progress("tasks given new tests", done, len(taskset.tasks))
    return put_together(taskset, [writing.written[task.id] for task in taskset.tasks])


def put_together(taskset: TaskSet, written: Sequence[Written]) -> WithTests:
    """Return the set's tasks with what was written for each; tasks of one good tree share one again."""
    made = [
        with_new_tests(task, each, taskset.good_tree(task)) if each.about.tests else (task, taskset.good_tree(task))
        for task, each in zip(taskset.tasks, written, strict=True)
    ]
    together = _shared(taskset.tasks, made)
    names = _file_names(taskset.tasks)
    beside: dict[str, bytes] = {}
    about = []
    for each in written:
        if each.about.tests:
            path = f"{FOLDER}/{names[each.about.task]}"
            beside[path] = each.text.encode()
            about.append(each.about.model_copy(update={"file": path}))
        else:
            about.append(each.about)
    beside[ABOUT] = b"".join(map(dump_line, about))
    tasks = tuple(
        _as_shared(task, new, together, taskset.good_tree(task))
        for task, (new, _) in zip(taskset.tasks, made, strict=True)
    )
    trees = {tree.digest: tree for tree in (*together.values(), *(tree for _, tree in made))}
    return WithTests(tasks, tuple(trees.values()), beside, tuple(written))


def _shared(tasks: Iterable[Task], made: Iterable[tuple[Task, FileTree]]) -> dict[str, FileTree]:
    """Return, by the digest of a project's good tree, that tree with the new files of all of its tasks."""
    found: dict[str, FileTree] = {}
    for task, (new, tree) in zip(tasks, made, strict=True):
        if isinstance(new.harness, PytestHarness):
            files = {path: tree[path] for path in new.harness.hidden_files if path in tree}
            found[task.snapshot] = found.get(task.snapshot, tree).replace(files)
    return found


def _as_shared(task: Task, new: Task, together: Mapping[str, FileTree], good: FileTree) -> Task:
    """Return a task of a project on the tree that it shares: all new files are there, and no repairer sees one."""
    harness = new.harness
    if not isinstance(harness, PytestHarness) or not isinstance(task.harness, PytestHarness):
        return new
    tree = together[task.snapshot]
    added = tuple(path for path in tree if path not in good)
    harness = harness.model_copy(
        update={
            "test_files": (*task.harness.test_files, *added),
            "hidden_files": (*task.harness.hidden_files, *added),
        }
    )
    return new.model_copy(update={"snapshot": tree.digest, "harness": harness})


def _numbers(tasks: Iterable[Task]) -> dict[str, int]:
    """Return a number for each task, from 1 among those of one good tree: their files get names that differ."""
    counts: Counter[str] = Counter()
    numbers = {}
    for task in tasks:
        counts[task.snapshot] += 1
        numbers[task.id] = counts[task.snapshot] if isinstance(task.harness, PytestHarness) else 1
    return numbers


def _file_names(tasks: Iterable[Task]) -> dict[str, str]:
    """Return a name for each task's file within the set, which no other has, whatever is in the ids."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for task in tasks:
        stem = "test_" + "".join(letter if letter.isalnum() else "_" for letter in task.id)
        name, number = f"{stem}.py", 1
        while name.lower() in taken:
            number += 1
            name = f"{stem}_{number}.py"
        taken.add(name.lower())
        names[task.id] = name
    return names
