"""Tests that tell other mistakes than the task's own, where the task's tests and the aimed ones do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Final

from mendlab.corpora.tree import FileTree
from mendlab.records import FunctionHarness, Task, TestOutcome
from mendlab.verify.bench import Bench
from mendlab.verify.engines.engine import RunOptions
from mendlab.verify.newtests.doing import Call, Looked, Pair
from mendlab.verify.newtests.witnesses import Function, Size, find

MOST_TRIED: Final = 40
MOST_TRIED_OF_A_PROJECT: Final = 10
MOST_SURVIVORS: Final = 8


def surviving(task: Task, good: FileTree, rivals: Sequence[FileTree], bench: Bench) -> tuple[list[FileTree], float]:
    """Return the rivals that pass all tests of the task, the first of them, and the CPU seconds of finding them."""
    tests = (*task.fail_to_pass, *task.pass_to_pass)
    most = MOST_TRIED if isinstance(task.harness, FunctionHarness) else MOST_TRIED_OF_A_PROJECT
    found: list[FileTree] = []
    cpu_seconds = 0.0
    with closing(bench.open_for_mutants(good, task.harness, task.limits)) as engine:
        for tree in rivals[:most]:
            run = engine.run(good.changed(tree), RunOptions(tests=tests, stop_at_first=True))
            cpu_seconds += run.cpu_seconds
            if all(result.outcome is TestOutcome.PASSED for result in run.results):
                found.append(tree)
            if len(found) == MOST_SURVIVORS:
                break
    return found, cpu_seconds


def find_telling(
    survivors: Sequence[FileTree],
    open_pair: Callable[[FileTree], Pair],
    functions: Sequence[Function],
    size: Size,
    seed: int,
    known: Sequence[Call],
) -> Iterator[tuple[Looked, float]]:
    """Yield an input for each survivor that none of the known ones tells, with the CPU seconds that it took to find."""
    telling = list(known)
    for tree in survivors:
        with open_pair(tree) as pair:
            if any(each.differs for each in pair.look(telling)):
                continue
            for function in functions:
                found = find(function, pair, size, seed, 1)
                if found:
                    telling.append(found[0].call)
                    yield found[0], pair.cpu_seconds
                    break
