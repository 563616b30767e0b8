"""Tries many versions of a pytest project of which some tests fail, in forks of a session: for a search over them.

Where :class:`PytestMutantEngine` works from a tree that passes and answers for every test, this one works from the
buggy tree and stops at the first test that does not pass. It finds out nothing beforehand that a search may never ask:
a test that decides is looked at when it does, and one that does not pass on the tree itself here has no say. What
passes here is no verdict: whoever searches runs it again by :class:`PytestEngine`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Final

from mendlab.corpora.tree import FileTree
from mendlab.errors import EngineError, SubjectError
from mendlab.records import Limits, PytestHarness, SandboxLevel, TestOutcome, TestResult
from mendlab.verify.confinement.interpreter import Interpreter
from mendlab.verify.engines.coverage import Coverage
from mendlab.verify.engines.engine import RunOptions, TestRun
from mendlab.verify.engines.pytest_engine import PytestEngine, Traced, missing
from mendlab.verify.engines.pytest_mutants import TIMES_CLEAN, first_failing, likeliest_first
from mendlab.verify.engines.pytest_session import PytestSession, Unsuitable
from mendlab.verify.engines.pytest_steering import admissible
from mendlab.verify.engines.reaching import Reaching

MOST_ALONE: Final = 20
"""So many failing tests are traced by themselves, too; of others it is not asked what they run."""
MOST_STARTS: Final = 4
"""So often a session of each kind is started, when versions end it."""
TIMES_WALL: Final = 50.0
"""By the clock a version has so many times the seconds."""
SLOW_SECONDS: Final = 1.0
SLOW_TIMES: Final = 5.0
"""Without a session a run has more time, to begin with and in proportion."""
COLLECTED: Final = "collected"
EARLY: Final = "early"


class PytestScreen:
    """Tries versions of a tree. ``failing`` are tests that fail on it and end, ``passing`` such as pass.

    ``base`` has what each test does on the tree itself, and ``coverage`` what it runs there, as far as it is known
    after ``trace_seconds`` of CPU time. ``cpu_seconds`` grows with what is done.

    Raises:
        Unsuitable: there is no session in which the failing tests fail.
        EngineError: from any method, where the confined process fails.
    """

    def __init__(
        self,
        tree: FileTree,
        harness: PytestHarness,
        failing: Sequence[str],
        passing: Sequence[str],
        *,
        trace_seconds: float,
        limits: Limits,
        level: SandboxLevel,
        interpreter: Interpreter,
    ) -> None:
        self._tree = tree
        self._harness = harness
        self._failing = tuple(failing)
        self._limits = limits
        self._slow = PytestEngine(tree, harness, limits=limits, level=level, interpreter=interpreter)
        self._spent = 0.0
        self._sessions: dict[str, PytestSession] = {}
        self._starts = Counter[str]()
        self._import_seconds = 0.0
        self._trusted: set[str] = set()
        self._mute: set[str] = set()
        self._told: list[str] = []  # passing tests that told earlier versions, the last one last
        self.base: dict[str, TestResult] = {}
        try:
            failing_now = self._failing_now()
            traced = self._trace(passing, trace_seconds)
            self.coverage = traced.coverage
            self._reaching = Reaching(tree, traced.coverage)
            self.base |= {**traced.results, **failing_now}
        except BaseException:
            self.close()
            raise

    @property
    def cpu_seconds(self) -> float:
        """What all processes of the screen have taken so far."""
        return self._spent + sum(session.own_seconds for session in self._sessions.values())

    def run(self, changes: Mapping[str, bytes], tests: Sequence[str], seconds: float) -> TestRun:
        """Run tests on the tree with files changed, up to the first that does not pass; those not come to are missing.

        Each test may take so many CPU seconds more than a few times what it takes on the tree itself. One that does not
        come by what is changed has its result of the tree. Raises EngineError.
        """
        admitted = admissible(changes, self._harness.test_files)
        taken = {path: data for path, data in admitted.items() if data is not None}
        reaching = self._reaching.of(taken, tests)
        found = {test: self.base[test] for test in tests if test in self.base and test not in reaching}
        left = self._ordered([test for test in tests if test not in found])
        before = self.cpu_seconds
        while left := [test for test in left if test not in self._mute]:
            run = self._forked(taken, left, seconds)
            failed = first_failing(run)
            if failed is None or self._may_decide(failed, seconds):
                found |= {result.test_id: result for result in run.results}
                break
        unsaid = {test: TestResult(test_id=test, outcome=TestOutcome.PASSED) for test in self._mute}
        results = tuple(found.get(test) or unsaid.get(test) or missing(test) for test in tests)
        return TestRun(results, self.cpu_seconds - before)

    def close(self) -> None:
        """End every process of the screen."""
        self._slow.close()
        for kind in tuple(self._sessions):
            self._end(kind)

    def _trace(self, passing: Sequence[str], seconds: float) -> Traced:
        limits = self._limits.model_copy(update={"cpu_seconds": seconds})
        try:
            traced = self._slow.trace([*self._failing, *passing], self._failing[:MOST_ALONE], limits)
        except (EngineError, SubjectError):
            return Traced(Coverage({}), {}, 0.0)
        self._spent += traced.cpu_seconds
        return traced

    def _failing_now(self) -> dict[str, TestResult]:
        """Return how the failing tests fail here. Raises Unsuitable if one does not."""
        kind = COLLECTED if self._session(COLLECTED).tests.issuperset(self._failing) else EARLY
        session, whole = self._session(kind), (self._limits.cpu_seconds, self._limits.wall_seconds)
        run = session.run({}, self._failing, stop_at_first=False, limits=self._limits, idle=whole)
        self._spent += run.cpu_seconds
        if any(result.outcome is TestOutcome.PASSED for result in run.results):
            raise Unsuitable("a failing test passes in the session")
        return {result.test_id: result for result in run.results if result.outcome is not TestOutcome.MISSING}

    def _forked(self, changes: Mapping[str, bytes], tests: Sequence[str], seconds: float) -> TestRun:
        """Run tests in a fork of the session that can hold the changes; without a session, where none can."""
        with suppress(Unsuitable):
            return self._in_session(COLLECTED, changes, tests, seconds)
        with suppress(Unsuitable):
            return likeliest_first(lambda some: self._in_session(EARLY, changes, some, seconds), tests, True)
        cpu_seconds = SLOW_SECONDS + SLOW_TIMES * seconds + self._longest(tests, sum)
        limits = self._limited(cpu_seconds, self._limits.wall_seconds)

        def slowly(some: Sequence[str]) -> TestRun:
            run = self._slow.run(changes, RunOptions(tests=some, stop_at_first=True), limits)
            self._spent += run.cpu_seconds
            return run

        return likeliest_first(slowly, tests, True)

    def _in_session(self, kind: str, changes: Mapping[str, bytes], tests: Sequence[str], seconds: float) -> TestRun:
        session = self._session(kind)
        if kind == COLLECTED and not session.tests.issuperset(tests):
            raise Unsuitable("a test is not collected")
        more = seconds + (TIMES_CLEAN * self._import_seconds if kind == EARLY else 0.0)
        limits = self._limited(more + self._longest(tests, sum), self._limits.wall_seconds)
        idle = more + self._longest(tests, max), min(self._limits.wall_seconds, TIMES_WALL * seconds)
        try:
            run = session.run(changes, tests, stop_at_first=True, limits=limits, idle=idle)
        except Unsuitable:
            if session.ended:
                self._end(kind)
            raise
        self._spent += run.cpu_seconds
        return run

    def _session(self, kind: str) -> PytestSession:
        """Return a session, started if need be. Raises Unsuitable."""
        if kind in self._sessions:
            return self._sessions[kind]
        after = self._session(COLLECTED) if kind == EARLY else None
        self._starts[kind] += 1
        if self._starts[kind] > MOST_STARTS:
            raise Unsuitable("versions end the session")
        self._sessions[kind] = session = PytestSession(
            self._tree,
            self._harness,
            limits=self._limits,
            level=self._slow.level,
            interpreter=self._slow.interpreter,
            after=after,
        )
        if kind == EARLY and not self._import_seconds:
            run = session.run({}, (), stop_at_first=True, limits=self._limits)
            self._spent += run.cpu_seconds
            self._import_seconds = run.cpu_seconds
        return session

    def _end(self, kind: str) -> None:
        session = self._sessions.pop(kind)
        self._spent += session.own_seconds
        session.close()

    def _may_decide(self, test: str, seconds: float) -> bool:
        """Whether a test that did not pass has a say: one that fails on the tree, or passes there in a fork."""
        if test in self._failing or test in self._trusted:
            return True
        run = self._forked({}, [test], seconds)
        (self._mute if run.failing() else self._trusted).add(test)
        if test in self._trusted:
            self._told.append(test)
        return test in self._trusted

    def _ordered(self, tests: Sequence[str]) -> list[str]:
        """Those that told earlier versions first."""
        told = [test for test in reversed(self._told) if test in tests]
        return [*told, *(test for test in tests if test not in told)]

    def _limited(self, cpu_seconds: float, wall_seconds: float) -> Limits:
        return self._limits.model_copy(
            update={"cpu_seconds": min(cpu_seconds, self._limits.cpu_seconds), "wall_seconds": wall_seconds}
        )

    def _longest(self, tests: Sequence[str], of: Callable[[Iterable[float]], float]) -> float:
        """A few times what tests take on the tree, together or the longest of them."""
        return TIMES_CLEAN * of([0.0, *(self.base[test].cpu_seconds or 0.0 for test in tests if test in self.base)])
