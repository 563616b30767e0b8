"""What a strategy is given for one attempt: the problem, the visible tests to run, and chance that repeats."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from mendlab.corpora.tree import FileTree
from mendlab.records import Limits
from mendlab.repair.problem import Problem
from mendlab.verify.engine import Engine, RunOptions, TestRun


class VisibleTests:
    """The visible tests of one problem, ready to run on changes to its tree; to be closed, as by ``with``.

    The engine beneath works from the good tree; what is passed in and what comes out speak of the buggy one alone.
    ``cpu_seconds`` adds up what the runs took.
    """

    def __init__(
        self, engine: Engine, good: FileTree, buggy: FileTree, visible: tuple[str, ...], stopping: threading.Event
    ) -> None:
        self.cpu_seconds = 0.0
        self._engine = engine
        self._defect = good.changed(buggy)
        self._visible = visible
        self._stopping = stopping

    def run(
        self,
        changes: Mapping[str, bytes | None],
        tests: tuple[str, ...] | None = None,
        *,
        stop_at_first: bool = False,
    ) -> TestRun:
        """Run visible tests, all if ``None``, on the buggy tree with ``changes`` over it (``None`` removes a file).

        Raises:
            EngineError: the engine itself failed.
            KeyboardInterrupt: the user is stopping the run. To be let through: the attempt is then made again.
        """
        if self._stopping.is_set():
            raise KeyboardInterrupt
        wanted = self._visible if tests is None else tuple(test for test in tests if test in self._visible)
        options = RunOptions(tests=wanted, stop_at_first=stop_at_first)
        run = self._engine.run({**self._defect, **changes}, options)
        self.cpu_seconds += run.cpu_seconds
        return run

    def close(self) -> None:
        """End the engine's processes."""
        self._engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


@dataclass(frozen=True, slots=True)
class RepairContext:
    """One attempt's surroundings.

    ``random`` gives the same numbers for the same seed, task and sample. ``open_tests`` starts an engine under the
    given limits (the problem's own are the widest that make sense). ``reference`` is the right answer as a diff; only a
    strategy registered with ``sees_reference`` is given it.
    """

    problem: Problem
    sample: int
    random: random.Random
    open_tests: Callable[[Limits], VisibleTests]
    reference: str | None = None
