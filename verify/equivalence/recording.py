"""The calls that a task's tests make from outside, and the lines that they run, recorded on the good tree."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Final

from mendlab.corpora.tree import FileTree
from mendlab.records import FunctionHarness, Limits, PytestHarness, Task
from mendlab.verify.bench import Bench
from mendlab.verify.confinement.warm import WarmProcess
from mendlab.verify.engines.pytest_engine import PytestEngine
from mendlab.verify.engines.script_engine import encode_tree

Call = list[Any]
NEW_TESTS: Final = "test_new_"
"""How the names of files begin that have the tests which were written for a task."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """Calls, each ``[module, function, message]``, the modules there were, and CPU seconds.

    ``calls`` come from outside, ``inner`` ones from the program itself. ``lines`` are those of the module that run at
    import, and those that the tests run; None if recording did not end.
    """

    calls: list[Call]
    inner: list[Call]
    modules: list[str]
    cpu_seconds: float
    lines: tuple[list[int], list[int]] | None = None


def without_new_tests(task: Task) -> Task:
    """Return the task as it was before tests were written for it."""
    harness = task.harness
    match harness:
        case FunctionHarness():
            groups = [
                group.model_copy(
                    update={"steps": tuple(step for step in group.steps if not _is_new(step.test_id or ""))}
                )
                for group in harness.groups
            ]
            harness = harness.model_copy(update={"groups": tuple(group for group in groups if group.steps)})
        case PytestHarness():
            new = {path for path in harness.hidden_files if _is_new(path)}
            harness = harness.model_copy(
                update={
                    "test_files": tuple(path for path in harness.test_files if path not in new),
                    "hidden_files": tuple(path for path in harness.hidden_files if path not in new),
                }
            )
    if harness == task.harness:
        return task
    return task.model_copy(
        update={
            "harness": harness,
            "fail_to_pass": tuple(test for test in task.fail_to_pass if not _is_new(test)),
            "pass_to_pass": tuple(test for test in task.pass_to_pass if not _is_new(test)),
        }
    )


def _is_new(test: str) -> bool:
    return PurePosixPath(test.partition("::")[0]).name.startswith(NEW_TESTS)


def record_calls(task: Task, good: FileTree, bench: Bench) -> Recorded:
    """Record the calls that the tests make from outside on the good tree. Raises EngineError."""
    match task.harness:
        case FunctionHarness() as harness:
            return record_function_calls(good, harness, task.limits, bench)
        case PytestHarness() as harness:
            engine = PytestEngine(good, harness, limits=task.limits, level=bench.level, interpreter=bench.interpreter)
            with closing(engine):
                told, cpu_seconds = engine.record_calls((*task.fail_to_pass, *task.pass_to_pass), task.editable)
            return Recorded(told.get("calls", []), told.get("inner", []), told.get("modules", []), cpu_seconds)
        case _:
            return Recorded([], [], [], 0.0)


def record_function_calls(good: FileTree, harness: FunctionHarness, limits: Limits, bench: Bench) -> Recorded:
    """Record on a module and the steps of its harness. Raises EngineError."""
    groups = [[group.setup, [step.code for step in group.steps]] for group in harness.groups]
    warm = WarmProcess(
        "record_run",
        {"module": harness.module, "groups": groups},
        interpreter=bench.interpreter,
        level=bench.level,
        limits=limits,
    )
    source = good[harness.module].decode("latin-1")
    with closing(warm):
        emitted, done = warm.run({"source": source, "files": encode_tree(good) if len(good) > 1 else None})
    if not emitted:
        return Recorded([], [], [], done.cpu_seconds)
    told = emitted[0]
    return Recorded(told["calls"], told["inner"], told["modules"], done.cpu_seconds, (told["imported"], told["tested"]))
