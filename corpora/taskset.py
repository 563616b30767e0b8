"""A task set: a folder, or a zip file of one, that says what it holds and can be held to it.

``manifest.json``, ``tasks.jsonl`` (one task a line, in the natural order of their ids) and ``snapshots/``.
"""

from __future__ import annotations

import hashlib
import shutil
import zipfile
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.resources.abc import Traversable
from itertools import pairwise
from pathlib import Path
from typing import Self

from mendlab.corpora.diffs import apply_diff
from mendlab.corpora.durable import replace_file, sync_directory, writing
from mendlab.corpora.integrity import findings
from mendlab.corpora.journal import dump_line, parse_lines, parse_record
from mendlab.corpora.layout import ENVIRONMENTS, MANIFEST, SNAPSHOTS, TASKS, canary, file_digest
from mendlab.corpora.natural import natural_key
from mendlab.corpora.snapshots import SnapshotStore, read_bytes
from mendlab.corpora.tree import FileTree
from mendlab.errors import FormatError, InputError, OutputError
from mendlab.records import BuildConfig, Environment, Manifest, Provenance, PytestHarness, Task


class TaskSet:
    """A task set as read from ``path``. Trees are loaded when they are asked for, and the latest few are kept."""

    def __init__(self, path: Path, root: Traversable, manifest_bytes: bytes) -> None:
        self.path = path
        self.digest = hashlib.sha256(manifest_bytes).hexdigest()
        self.manifest = parse_record(manifest_bytes, Manifest, str(root / MANIFEST))
        self.tasks = tuple(parse_lines(read_bytes(root / TASKS), Task, path / TASKS))
        self.root = root
        self.snapshots = SnapshotStore(root / SNAPSHOTS)
        self._by_id = {task.id: task for task in self.tasks}
        self._cached_tree = lru_cache(maxsize=8)(self.snapshots.get)
        self._cached_buggy_tree = lru_cache(maxsize=32)(self._build_buggy_tree)

    @classmethod
    def open(cls, path: Path, *, damaged: bool = False) -> Self:
        """Read a task set; one whose tasks are not those that its manifest names only if it may be ``damaged``.

        Raises:
            InputError: there is none at ``path``.
            FormatError: there is one, and a part of it cannot be read, or is not what it was.
        """
        root = _root(path)
        opened = cls(path, root, read_bytes(root / MANIFEST))
        if not damaged and opened.manifest.digests.get(TASKS) != file_digest(root / TASKS):
            hint = f"`mendlab check {path}` says what is wrong with the set"
            raise FormatError(
                f"is not the file that {MANIFEST} names: its digest is another", where=path / TASKS, hint=hint
            )
        return opened

    def task(self, task_id: str) -> Task:
        """Return the task with that id.

        Raises:
            InputError: there is none.
        """
        try:
            return self._by_id[task_id]
        except KeyError:
            raise InputError(
                f"there is no task {task_id!r}", where=self.path, hint=f"see {TASKS} for the ids"
            ) from None

    def environments(self) -> dict[str, Environment]:
        """Return the environments that tests of the set need, by name.

        Raises:
            FormatError: one is not there, or cannot be read.
        """
        harnesses = (task.harness for task in self.tasks if isinstance(task.harness, PytestHarness))
        named = {harness.environment for harness in harnesses if harness.environment is not None}
        paths = {name: f"{ENVIRONMENTS}/{name}.json" for name in sorted(named)}
        return {
            name: parse_record(read_bytes(self.root / path), Environment, str(self.path / path))
            for name, path in paths.items()
        }

    def tree(self, digest: str) -> FileTree:
        """Return the snapshot with that digest; errors as :meth:`SnapshotStore.get`."""
        return self._cached_tree(digest)

    def good_tree(self, task: Task) -> FileTree:
        """Return the tree that the task's defect was put into."""
        return self.tree(task.snapshot)

    def buggy_tree(self, task: Task) -> FileTree:
        """Return the tree that is to be mended.

        Raises:
            FormatError: the snapshot is damaged, or the defect's diff does not apply to it.
        """
        return self._cached_buggy_tree(task.snapshot, task.defect.diff)

    def _build_buggy_tree(self, snapshot: str, diff: str) -> FileTree:
        return apply_diff(self.tree(snapshot), diff)

    def integrity(self) -> list[str]:
        """Return what does not hold, a line each: digests, counts, ids, and that the reference undoes the defect."""
        return findings(self)


def write_taskset(
    directory: Path,
    tasks: Iterable[Task],
    trees: Iterable[FileTree],
    *,
    name: str,
    provenance: Provenance,
    dropped: dict[str, int] | None = None,
    licence: str | None = None,
    version: str = "1",
    build: BuildConfig | None = None,
    beside: Mapping[str, bytes] | None = None,
) -> TaskSet:
    """Write a task set and return it, opened. The same arguments, in any order of tasks, give the same bytes.

    It is built beside ``directory`` and renamed, so that a kill leaves nothing or the whole. ``trees`` has at least the
    snapshots of the tasks; others are left out. ``beside`` are further files of the set, by their paths in it.

    Raises:
        InputError: two tasks have one id, or a task's snapshot is not among the trees.
        OutputError: it cannot be written, or ``directory`` has something else in it.
    """
    ordered = sorted(tasks, key=lambda task: natural_key(task.id))
    _require_distinct(ordered)
    partial = directory.with_name(f".{directory.name}.partial")
    with writing(directory):
        if partial.exists():
            shutil.rmtree(partial)
    try:
        digests = _write_content(partial, ordered, trees)
        snapshots = len(digests) - 1
        for path, data in (beside or {}).items():
            replace_file(partial / path, data)
            digests[path] = hashlib.sha256(data).hexdigest()
        manifest = Manifest(
            name=name,
            version=version,
            licence=licence,
            canary=canary(name, digests[TASKS]),
            tasks=len(ordered),
            snapshots=snapshots,
            dropped=dict(sorted((dropped or {}).items())),
            digests=dict(sorted(digests.items())),
            provenance=provenance,
            build=build,
        )
        text = manifest.model_dump_json(indent=1) + "\n"
        replace_file(partial / MANIFEST, text.encode())
        _move_into_place(partial, directory, text.encode())
    except OutputError as error:
        shutil.rmtree(partial, ignore_errors=True)
        raise OutputError(error.what, where=directory, hint=error.hint) from error
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise
    return TaskSet.open(directory)


def _require_distinct(ordered: list[Task]) -> None:
    for task, following in pairwise(ordered):
        if task.id == following.id:
            raise InputError(f"two tasks have the id {task.id!r}", hint="give each task an id of its own")


def _write_content(partial: Path, tasks: list[Task], trees: Iterable[FileTree]) -> dict[str, str]:
    """Write all but the manifest, and return the digests that it names."""
    store = SnapshotStore(partial / SNAPSHOTS)
    missing = {task.snapshot for task in tasks}
    digests: dict[str, str] = {}
    for tree in trees:
        if tree.digest in missing:
            missing.remove(store.put(tree))
            listing = f"{SNAPSHOTS}/trees/{tree.digest}.json"
            digests[listing] = file_digest(partial / listing)
    if missing:
        task = next(task for task in tasks if task.snapshot in missing)
        raise InputError(f"the tree {task.snapshot} of task {task.id!r} is not given", hint="give every task's tree")
    data = b"".join(map(dump_line, tasks))
    replace_file(partial / TASKS, data)
    digests[TASKS] = hashlib.sha256(data).hexdigest()
    return digests


def _move_into_place(partial: Path, directory: Path, manifest: bytes) -> None:
    """Rename, unless the very same set is there already, as after a kill at the last moment."""
    with writing(directory):
        if (directory / MANIFEST).is_file() and (directory / MANIFEST).read_bytes() == manifest:
            shutil.rmtree(partial)
            return
        if directory.is_dir() and any(directory.iterdir()):
            what = "another task set is there" if (directory / MANIFEST).is_file() else "the folder is not empty"
            raise OutputError(what, where=directory, hint="name another folder, or remove that one first")
        partial.replace(directory)
        sync_directory(directory.parent)


def _root(path: Path) -> Traversable:
    """Return the folder with the manifest: ``path``, or within a zip file its top or its one folder."""
    hint = "name a folder made by `mendlab inject` or `mendlab import`, or a zip file of one"
    if path.is_dir():
        if not (path / MANIFEST).is_file():
            raise InputError(f"not a task set: no {MANIFEST}", where=path, hint=hint)
        return path
    if not path.is_file():
        raise InputError("there is no such task set", where=path, hint=hint)
    try:
        top = zipfile.Path(path)
    except (OSError, zipfile.BadZipFile) as error:
        raise InputError(f"neither a folder nor a zip file: {error}", where=path, hint=hint) from error
    roots = [folder for folder in (top, *top.iterdir()) if (folder / MANIFEST).is_file()]
    if len(roots) != 1:
        raise InputError(f"not a task set: no {MANIFEST} at its top", where=path, hint=hint)
    return roots[0]
