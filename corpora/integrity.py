"""Whether a task set holds to its word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

from mendlab.corpora.diffs import apply_diff
from mendlab.corpora.layout import (
    CONTAMINATION,
    GRADES,
    MANIFEST,
    PLACES,
    PROBES,
    SNAPSHOTS,
    TASKS,
    canary,
    file_digest,
)
from mendlab.errors import MendlabError
from mendlab.records import Task

if TYPE_CHECKING:
    from mendlab.corpora.taskset import TaskSet


def findings(taskset: TaskSet) -> list[str]:
    """Return what does not hold, a line each; none if all does."""
    return [*_counts(taskset), *_files(taskset), *_snapshots(taskset), *_tasks(taskset)]


def _counts(taskset: TaskSet) -> Iterator[str]:
    manifest = taskset.manifest
    if len(taskset.tasks) != manifest.tasks:
        yield f"{MANIFEST}: says {manifest.tasks} tasks, and {TASKS} has {len(taskset.tasks)}"
    snapshots = len(taskset.snapshots.digests())
    if snapshots != manifest.snapshots:
        yield f"{MANIFEST}: says {manifest.snapshots} snapshots, and there are {snapshots}"
    if manifest.canary != canary(manifest.name, manifest.digests.get(TASKS, "")):
        yield f"{MANIFEST}: the canary is not that of this set's name and tasks"


def _files(taskset: TaskSet) -> Iterator[str]:
    beside = (MANIFEST, PLACES, GRADES, CONTAMINATION)
    there = {
        path: file for path, file in _walk(taskset.root) if path not in beside and not path.startswith(f"{PROBES}/")
    }
    for path, digest in taskset.manifest.digests.items():
        if path not in there:
            yield f"{path}: missing"
        elif file_digest(there[path]) != digest:
            yield f"{path}: its digest is not the one in {MANIFEST}"
    for path in sorted(there.keys() - taskset.manifest.digests.keys()):
        if not path.startswith(f"{SNAPSHOTS}/blobs/"):
            yield f"{path}: not in {MANIFEST}"


def _walk(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, Traversable]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _walk(entry, f"{prefix}{entry.name}/")
        else:
            yield prefix + entry.name, entry


def _snapshots(taskset: TaskSet) -> Iterator[str]:
    for digest in taskset.snapshots.digests():
        try:
            taskset.snapshots.get(digest)
        except MendlabError as error:
            yield f"snapshot {digest}: {error}"


def _tasks(taskset: TaskSet) -> Iterator[str]:
    for task_id, count in Counter(task.id for task in taskset.tasks).items():
        if count > 1:
            yield f"{task_id}: {count} tasks have this id"
    for task in taskset.tasks:
        try:
            yield from (f"{task.id}: {what}" for what in _task(taskset, task))
        except MendlabError as error:
            yield f"{task.id}: {error}"


def _task(taskset: TaskSet, task: Task) -> Iterator[str]:
    buggy = taskset.buggy_tree(task)
    good = taskset.good_tree(task)
    if apply_diff(buggy, task.reference) != good:
        yield "the reference does not turn the buggy tree into the good one"
    if buggy == good:
        yield "the buggy tree is the good one"
    if not task.fail_to_pass:
        yield "no test tells the buggy tree from the good one"
    if twice := set(task.fail_to_pass) & set(task.pass_to_pass):
        yield f"both fail-to-pass and pass-to-pass: {', '.join(sorted(twice))}"
    if unknown := set(task.held_out) - set(task.fail_to_pass) - set(task.pass_to_pass):
        yield f"held out, and neither fail-to-pass nor pass-to-pass: {', '.join(sorted(unknown))}"
