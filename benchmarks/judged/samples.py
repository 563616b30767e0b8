"""Samples as a model gives them: right, wrong, crashing and hanging programs, in realistic proportions."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from judged.judging import Proposed, replacing, sources
from judged.seeding.examples import entry_point
from mendlab.corpora.taskset import TaskSet
from mendlab.mutators import enumerate_mutants, sample
from mendlab.mutators.disguising.rewriting.rules import Program
from mendlab.records import Task

SHARES: Final = {"right": 0.6, "wrong": 0.34, "crashing": 0.05, "hanging": 0.01}
"""About what a good model gives on HumanEval: most of what is wrong returns something else, and little hangs."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A program for a task, what it is, and the patch that makes it of the buggy one."""

    task: Task
    kind: str
    source: str
    proposed: Proposed


def draw(taskset: TaskSet, tasks: Sequence[Task], each: int, seed: int) -> list[Sample]:
    """So many samples for each task; over all of them the kinds have their shares."""
    count = len(tasks) * each
    kinds = [kind for kind, share in SHARES.items() for _ in range(round(share * count))][:count]
    kinds += ["right"] * (count - len(kinds))
    random.Random(seed).shuffle(kinds)
    return [
        made
        for number, task in enumerate(tasks)
        for made in _of_task(taskset, task, kinds[number * each : (number + 1) * each], seed)
    ]


def _of_task(taskset: TaskSet, task: Task, kinds: Sequence[str], seed: int) -> Iterator[Sample]:
    ((path, text),) = sources(taskset, task)
    entry = entry_point(task) or ""
    rights = [rewrite.source for rewrite in Program(text).rewrites()]
    wrongs = [mutant.source for mutant in sample(enumerate_mutants(text, path=path), 10 * len(kinds), seed=seed)]
    chance = random.Random(f"{seed} {task.id}")
    for kind in kinds:
        if kind == "right":
            source = chance.choice(rights) if rights else text
        elif kind == "wrong":
            source = chance.choice(wrongs)
        else:
            source = at_head(text, entry, "while True: pass" if kind == "hanging" else "raise ValueError('not today')")
        patch = replacing(taskset, task, path, source)
        yield Sample(task, kind, source, Proposed(task, kind, "", patch))


def at_head(source: str, entry: str, statement: str) -> str:
    """Put a statement before the last one of a function, at the depth of its body."""
    function = next(node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef) and node.name == entry)
    lines = source.splitlines(keepends=True)
    last = function.body[-1]
    return "".join((*lines[: last.lineno - 1], " " * last.col_offset + statement + "\n", *lines[last.lineno - 1 :]))
