"""Line and branch coverage of the repaired function, by the tests of a task."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import closing

from mendlab.corpora.text import decode
from mendlab.corpora.tree import FileTree
from mendlab.errors import EngineError, SubjectError
from mendlab.records import FunctionCoverage, FunctionHarness, PytestHarness, Task
from mendlab.verify.bench import Bench
from mendlab.verify.detection.reach import TRACED_LIMITS
from mendlab.verify.engines.pytest_engine import PytestEngine
from mendlab.verify.equivalence.recording import record_function_calls
from mendlab.verify.newtests.branches import Spread, spread


def repaired_functions(task: Task) -> Iterator[tuple[str, str]]:
    """Yield file and name of each function at top level, or method, that the defect is in."""
    places = [(part.file, part.function) for part in task.defect.parts] or [
        (task.defect.files[0], task.defect.function)
    ]
    for path, function in dict.fromkeys(places):
        if function is not None:
            yield path, function.split(".<locals>")[0]


def take_coverage(
    task: Task, good: FileTree, bench: Bench, *, new: Collection[str] = ()
) -> tuple[FunctionCoverage, ...]:
    """Return how far the tests of a task, ``new`` ones aside, cover each function that the defect is in.

    A function of which it cannot be told is left out. Raises EngineError.
    """
    found: list[FunctionCoverage] = []
    wanted: dict[str, list[str]] = {}
    for path, function in repaired_functions(task):
        wanted.setdefault(path, []).append(function)
    for path, functions in wanted.items():
        changed = _spread(path, good)
        if changed is None:
            continue
        ran = _lines(task, good.replace({path: changed.source.encode()}), path, bench, new)
        if ran is not None:
            found += [changed.coverage(path, name, ran) for name in functions if name in changed.statements]
    return tuple(found)


def _spread(path: str, good: FileTree) -> Spread | None:
    try:
        return spread(decode(path, good[path]).text.removeprefix("\ufeff"))
    except (KeyError, SyntaxError, ValueError, RecursionError):
        return None


def _lines(task: Task, tree: FileTree, path: str, bench: Bench, new: Collection[str]) -> set[int] | None:
    tests = [
        test for test in dict.fromkeys((*task.fail_to_pass, *task.pass_to_pass, *task.held_out)) if test not in new
    ]
    match task.harness:
        case FunctionHarness() as harness:
            wanted = set(tests)
            groups = tuple(
                group.model_copy(
                    update={"steps": tuple(s for s in group.steps if s.test_id is None or s.test_id in wanted)}
                )
                for group in harness.groups
            )
            some = harness.model_copy(update={"groups": groups})
            recorded = record_function_calls(tree, some, task.limits, bench)
            return None if recorded.lines is None else {line for lines in recorded.lines for line in lines}
        case PytestHarness() as harness:
            engine = PytestEngine(tree, harness, limits=TRACED_LIMITS, level=bench.level, interpreter=bench.interpreter)
            with closing(engine):
                try:
                    lines = engine.coverage(tests).lines
                except (EngineError, SubjectError):
                    return None
            return {line for by_path in lines.values() for line in by_path.get(path, ())}
        case _:
            return None
