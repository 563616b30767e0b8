"""Whether a program is wrong: an input on which the reference returns and it does not return the same. Confined."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mendlab.corpora.tree import FileTree
from mendlab.records import FunctionHarness, Limits, Step, StepGroup, Task, TestOutcome
from mendlab.verify.bench import Bench
from mendlab.verify.engines.engine import RunOptions

_SECONDS = 1.0
_TEST = "the same as the reference"
_SETUP = """
import copy, signal, time

def _same(one, other):
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        near = 1e-6 * max(1, abs(one), abs(other))
        return one == other or one != one and other != other or abs(one - other) <= near
    if type(one) is not type(other):
        return False
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    return one == other

class _Slow(BaseException):
    pass

def _too_slow(*_):
    raise _Slow

signal.signal(signal.SIGVTALRM, _too_slow)

def _called(function, arguments):
    signal.setitimer(signal.ITIMER_VIRTUAL, 0.02)
    try:
        return function(*copy.deepcopy(arguments))
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)

def _differs(arguments):
    try:
        wanted = _called(_reference, arguments)
        if hasattr(wanted, "__next__"):
            return False
    except (Exception, _Slow):
        return False
    try:
        return not _same(_called(candidate, arguments), wanted)
    except _Slow:
        return False
    except Exception:
        return True

_names = {"__name__": "reference"}
exec(%r, _names)
_reference = _names[%r]
candidate = %s
"""
_STEP = """
_end = time.process_time() + %s
for _arguments in %r:
    if time.process_time() > _end:
        break
    assert not _differs(_arguments), "WITNESS" + repr(_arguments)
"""


class Witnesses:
    """Looks for witnesses against programs that stand in for one reference; close it."""

    def __init__(self, task: Task, good: FileTree, entry: str, inputs: list[tuple[Any, ...]], bench: Bench) -> None:
        assert isinstance(task.harness, FunctionHarness)
        setup = _SETUP % (good[task.harness.module].decode(), entry, entry)
        steps = (Step(code=_STEP % (_SECONDS / 2, inputs), test_id=_TEST),)
        harness = FunctionHarness(
            module=task.harness.module, entry_points=(entry,), groups=(StepGroup(setup=setup, steps=steps),)
        )
        limits = Limits(cpu_seconds=_SECONDS, wall_seconds=30.0)
        self._engine = bench.open_for_mutants(good, harness, limits)

    def against(self, changes: Mapping[str, bytes | None]) -> str | None:
        """Return the arguments of a witness as text; None if there is none, or the program does not end."""
        (result,) = self._engine.run(changes, RunOptions()).results
        if result.outcome is TestOutcome.FAILED and "WITNESS" in result.message:
            return result.message.partition("WITNESS")[2]
        return None

    def close(self) -> None:
        """End the processes."""
        self._engine.close()
