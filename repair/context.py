"""What a strategy is given for one attempt: the problem, the visible tests to run, and chance that repeats."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Self

from mendlab.corpora.tree import FileTree
from mendlab.errors import EngineError, InputError, SubjectError
from mendlab.records import FunctionHarness, Limits, PytestHarness
from mendlab.repair.problem import Problem
from mendlab.repair.prompts.settings import PromptSettings
from mendlab.repair.searching.spectrum import Spectrum
from mendlab.verify.engines.coverage import COMMON, Coverage
from mendlab.verify.engines.engine import Engine, RunOptions, TestRun
from mendlab.verify.engines.function_engine import FunctionEngine
from mendlab.verify.engines.function_screen import FunctionScreen
from mendlab.verify.engines.pytest_engine import PytestEngine
from mendlab.verify.engines.pytest_screen import PytestScreen
from mendlab.verify.engines.pytest_session import Unsuitable

if TYPE_CHECKING:
    from mendlab.repair.models.asking import Asking


class VisibleTests:
    """The visible tests of one problem, ready to run on changes to its tree; to be closed, as by ``with``.

    The engine beneath works from the good tree; what is passed in and what comes out speak of the buggy one alone.
    """

    def __init__(
        self,
        open_engine: Callable[[FileTree], Engine],
        good: FileTree,
        buggy: FileTree,
        visible: tuple[str, ...],
        stopping: threading.Event,
    ) -> None:
        self._open_engine = open_engine
        self._good = good
        self._engine = open_engine(good)
        self._buggy = buggy
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
            EngineError: the engine itself failed, and so did another in its place.
            KeyboardInterrupt: the user is stopping the run. To be let through: the attempt is then made again.
        """
        self.heed()
        wanted = self._visible if tests is None else tuple(test for test in tests if test in self._visible)
        options = RunOptions(tests=wanted, stop_at_first=stop_at_first)
        whole = {**self._defect, **changes}
        try:
            return self._engine.run(whole, options)
        except EngineError:
            self._engine.close()
            self._engine = self._open_engine(self._good)
            return self._engine.run(whole, options)

    def spectrum(self) -> Spectrum | None:
        """Return which lines of the buggy tree each visible test runs; None where that cannot be told."""
        if not isinstance(self._engine, PytestEngine):
            return None
        engine = self._open_engine(self._buggy)
        assert isinstance(engine, PytestEngine)
        with closing(engine):
            try:
                coverage = engine.coverage(self._visible)
            except (EngineError, SubjectError):
                return None
        return self.spectrum_of(coverage)

    def spectrum_of(self, coverage: Coverage) -> Spectrum:
        """Return which lines of the buggy tree each test runs, without what cannot be told."""
        known = {
            test: {path: lines for path, lines in files.items() if path in self._buggy}
            for test, files in coverage.lines.items()
        }
        imported = known.pop(COMMON, {})
        return Spectrum(known, imported)

    def open_project_screen(
        self, problem: Problem, failing: tuple[str, ...], trace_seconds: float
    ) -> PytestScreen | None:
        """Return what tries many versions of the buggy project quickly, by these failing tests and those that pass.

        None where there is no such thing. It knows the buggy tree and no other. To be closed.
        """
        if not isinstance(self._engine, PytestEngine) or not isinstance(problem.harness, PytestHarness) or not failing:
            return None
        try:
            return PytestScreen(
                self._buggy,
                problem.harness,
                failing,
                problem.pass_to_pass,
                trace_seconds=trace_seconds,
                limits=problem.limits,
                level=self._engine.level,
                interpreter=self._engine.interpreter,
            )
        except (Unsuitable, EngineError):
            return None

    def heed(self) -> None:
        """Raise KeyboardInterrupt if the user is stopping the run."""
        if self._stopping.is_set():
            raise KeyboardInterrupt

    def open_screen(self, harness: FunctionHarness, limits: Limits) -> FunctionScreen | None:
        """Return what tries many versions of the buggy module quickly; None where the engine has no such thing.

        ``harness`` has visible tests alone. It knows the buggy tree and no other. To be closed.
        """
        if not isinstance(self._engine, FunctionEngine) or len(self._buggy) > 1 or harness.module not in self._buggy:
            return None
        return FunctionScreen(
            self._buggy, harness, limits=limits, level=self._engine.level, interpreter=self._engine.interpreter
        )

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
    strategy registered with ``sees_reference`` is given it. ``true_lines`` say where the defect is, by file and number;
    they are there only where the run is set to tell. ``stopping`` is set when the user stops the run: what takes long
    without running tests looks at it, and raises :class:`KeyboardInterrupt`.
    """

    problem: Problem
    sample: int
    random: random.Random
    open_tests: Callable[[Limits], VisibleTests]
    reference: str | None = None
    asking: Asking | None = None
    prompting: PromptSettings = field(default_factory=PromptSettings)
    true_lines: tuple[tuple[str, int], ...] = ()
    stopping: threading.Event = field(default_factory=threading.Event)

    @property
    def model(self) -> Asking:
        """The model to ask.

        Raises:
            InputError: the run has none.
        """
        if self.asking is None:
            raise InputError("there is no model to ask", hint="name one with --model")
        return self.asking
