"""Other mistakes in the place where a task has its defect: what a repair may get wrong, for tests to tell apart."""

from __future__ import annotations

import random
from collections.abc import Iterator

from mendlab.corpora.text import decode
from mendlab.corpora.tree import FileTree
from mendlab.errors import InputError
from mendlab.mutators.enumeration import enumerate_by_function
from mendlab.records import Task


def rivals(task: Task, good: FileTree, buggy: FileTree, count: int, seed: int) -> list[FileTree]:
    """Return so many mutants of the reference, drawn with a seed, in the functions that a task's defect is in."""
    found = [tree for tree in _mutants(task, good) if tree != buggy]
    return random.Random(f"{seed} {task.id}").sample(found, min(count, len(found)))


def _mutants(task: Task, good: FileTree) -> Iterator[FileTree]:
    places = [(part.file, part.function) for part in task.defect.parts] or [
        (task.defect.files[0], task.defect.function)
    ]
    for path, function in dict.fromkeys(places):
        if path not in good or not path.endswith(".py"):
            continue
        source = decode(path, good[path])
        try:
            by_function = enumerate_by_function(source.text, path=path)
        except InputError:
            continue
        for name, make in by_function.items():
            if name is not None and function is not None and _outer(name) == _outer(function):
                for mutant in make():
                    yield good.replace({path: mutant.source.encode(source.encoding)})


def _outer(name: str) -> str:
    return name.split(".<locals>")[0]
