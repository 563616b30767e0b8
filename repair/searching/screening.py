"""How versions of a program are tried: many at once where the tests allow it, else one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final, Protocol, final

from mendlab.records import FunctionHarness, Step, StepGroup, TestOutcome, TestResult
from mendlab.repair.budget import Budget
from mendlab.repair.candidates import Candidate
from mendlab.repair.context import VisibleTests
from mendlab.repair.problem import Problem
from mendlab.repair.searching.spectrum import Spectrum
from mendlab.verify.engines.engine import TestRun
from mendlab.verify.engines.function_screen import FunctionScreen, Profile, Screened
from mendlab.verify.engines.pytest_screen import PytestScreen

SHORT_CPU_FUNCTION: Final = 0.025  # some five times what a small function with its tests takes
SHORT_CPU_PROJECT: Final = 0.1
SHORT_CPU: Final = 0.5
_TIMES_THE_BUGGY: Final = 3
_MOST_CPU: Final = 1.0
"""A version has so many times the time that the tests take on the buggy program, if that is no more than this."""
_DEAR: Final = 0.005
"""Where failing tests take more together, the quickest of them goes first."""
EXAMPLE: Final = "example"


class Screen(Protocol):
    """Tries candidates of one problem, and adds what it costs to the budget."""

    together: int
    """How many are worth being given at a time."""
    patience: int
    """How many more are worth trying once one is found."""
    short: float
    """So many CPU seconds are enough for most."""

    def profile(self) -> Profile:
        """Return what the visible tests do on the buggy program, as far as that is known: those that fail at least."""
        ...

    def spectrum(self, profile: Profile) -> Spectrum | None:
        """Return which lines each visible test runs, or None where that is not known."""
        ...

    def tried(self, versions: Sequence[Candidate], seconds: float) -> Iterator[Screened]:
        """Yield how each fares with the failing tests and, if these pass, the rest."""
        ...


def ending(problem: Problem) -> tuple[str, ...]:
    """Return the fail-to-pass tests that are not known to time out."""
    return tuple(test for test in problem.fail_to_pass if problem.before.get(test) is not TestOutcome.TIMEOUT)


def failing_by(problem: Problem, tests: VisibleTests, budget: Budget) -> tuple[TestResult, ...]:
    """Return how the fail-to-pass tests fail; those that are known to time out are not run to see it again."""
    wanted = ending(problem)
    endless = set(problem.fail_to_pass).difference(wanted)
    ran = tests.run({}, wanted) if wanted else None
    if ran:
        budget.elsewhere += ran.cpu_seconds
    return (ran.failing() if ran else ()) + tuple(
        TestResult(test_id=test, outcome=TestOutcome.TIMEOUT) for test in sorted(endless)
    )


@final
class EngineScreen:
    """Tries one after another in the engine of the problem's tests."""

    together = 1
    patience = 40
    short = SHORT_CPU

    def __init__(self, problem: Problem, tests: VisibleTests, budget: Budget) -> None:
        self._problem = problem
        self._tests = tests
        self._budget = budget

    def profile(self) -> Profile:
        """Return how the fail-to-pass tests fail."""
        return Profile(failing_by(self._problem, self._tests, self._budget))

    def spectrum(self, profile: Profile) -> Spectrum | None:
        """Return which lines each visible test runs, where the engine can trace them."""
        return self._tests.spectrum()

    def tried(self, versions: Sequence[Candidate], seconds: float) -> Iterator[Screened]:
        """Yield how each fares; the limits are those of the engine."""
        for version in versions:
            yield screened(self._problem, self._problem.visible, partial(self._run, version))

    def _run(self, version: Candidate, tests: tuple[str, ...]) -> TestRun:
        run = self._tests.run({version.path: version.data}, tests, stop_at_first=True)
        self._budget.elsewhere += run.cpu_seconds
        return run


@final
class ForkScreen:
    """Tries one after another in forks of a session of the buggy project."""

    together = 8
    patience = 400
    short = SHORT_CPU_PROJECT

    def __init__(self, problem: Problem, tests: VisibleTests, screen: PytestScreen, budget: Budget) -> None:
        self._problem = problem
        self._tests = tests
        self._screen = screen
        self._budget = budget
        self._spent = 0.0
        self._account()

    def profile(self) -> Profile:
        """Return how the fail-to-pass tests fail."""
        base, ends = self._screen.base, ending(self._problem)
        lost = {
            test: TestOutcome.MISSING if test in ends else TestOutcome.TIMEOUT for test in self._problem.fail_to_pass
        }
        return Profile(tuple(base.get(test) or TestResult(test_id=test, outcome=how) for test, how in lost.items()))

    def spectrum(self, profile: Profile) -> Spectrum | None:
        """Return which lines each visible test runs, as far as the time for it went."""
        coverage = self._screen.coverage
        return self._tests.spectrum_of(coverage) if coverage.lines else None

    def tried(self, versions: Sequence[Candidate], seconds: float) -> Iterator[Screened]:
        """Yield how each fares, each test in so many seconds more than it takes on the buggy project."""
        for version in versions:
            self._tests.heed()
            run = partial(self._screen.run, {version.path: version.data or b""}, seconds=seconds)
            yield screened(self._problem, self._problem.pass_to_pass, run)
            self._account()

    def _account(self) -> None:
        self._budget.elsewhere += self._screen.cpu_seconds - self._spent
        self._spent = self._screen.cpu_seconds


def screened(problem: Problem, rest: tuple[str, ...], run: Callable[[tuple[str, ...]], TestRun]) -> Screened:
    """Return how a version fares; ``run`` runs tests, up to the first failure: the failing ones, then the rest."""
    first = problem.fail_to_pass
    ran = run(first)
    outcomes = ran.outcomes()
    passed = tuple(at for at, test in enumerate(first) if outcomes[test] is TestOutcome.PASSED)
    if len(passed) == len(first) and problem.pass_to_pass:
        ran = run(rest)
    if not ran.failing():
        return Screened(passed, "passed")
    slow = any(result.outcome is TestOutcome.TIMEOUT for result in ran.results)
    return Screened(passed, "slow" if slow else "failed")


@final
class QuickScreen:
    """Tries many in one process, and tells how they behave."""

    together = 64
    patience = 1500
    short = SHORT_CPU_FUNCTION

    def __init__(
        self, problem: Problem, module: str, told: Sequence[str], screen: FunctionScreen, budget: Budget
    ) -> None:
        """``told`` are the examples of the statement, as assertions; the screen has them (:func:`with_examples`)."""
        self._problem = problem
        self._examples = [f"{EXAMPLE}[{at}]" for at in range(len(told))]
        self._module = module
        self.quick = screen
        self._budget = budget
        self._spent = 0.0
        self._least = 0.0
        self._more = 0.0
        self._probe: str | None = None

    def profile(self) -> Profile:
        """Return what each visible test does on the buggy program, and see how much time versions need."""
        before = self._problem.before
        endless = [test for test in self._problem.fail_to_pass if before.get(test) is TestOutcome.TIMEOUT]
        found = self.quick.profile(self._problem.visible, endless)
        self._account()
        failing = {test: found.seconds[test] for test in self._problem.fail_to_pass if test in found.seconds}
        self._least = min(_MOST_CPU, _TIMES_THE_BUGGY * sum(found.seconds.values()))
        if len(failing) > 1 and sum(failing.values()) > _DEAR:
            self._probe = min(failing, key=lambda test: failing[test])
        if len(found.seconds) + len(endless) < len(self._problem.visible):  # some end, but not in the time of a profile
            self._more = self._problem.limits.cpu_seconds
        return found

    def spectrum(self, profile: Profile) -> Spectrum | None:
        """Return which lines of the module each visible test runs."""
        module = self._module
        return Spectrum({test: {module: run} for test, run in profile.lines.items()}, {module: profile.imported})

    def tried(self, versions: Sequence[Candidate], seconds: float) -> Iterator[Screened]:
        """Yield how each fares in so many seconds."""
        sources = [version.data or b"" for version in versions]
        first, rest, enough = self._problem.fail_to_pass, self._problem.pass_to_pass, max(seconds, self._least)
        yield from self.quick.screen(sources, first, rest, enough, self._probe, self._more)
        self._account()

    def behaviours(
        self, versions: Sequence[bytes], calls: Sequence[list[object]]
    ) -> list[list[tuple[str, str] | None]]:
        """Return how calls end on each version."""
        found = [self.quick.behaviour(version, calls) for version in versions]
        self._account()
        return found

    def examples_passed(self, versions: Sequence[bytes]) -> list[int]:
        """Return how many of the statement's examples hold for each version."""
        if not self._examples:
            return [0] * len(versions)
        found = [len(each.passed) for each in self.quick.screen(versions, self._examples, (), SHORT_CPU_FUNCTION)]
        self._account()
        return found

    def _account(self) -> None:
        self._budget.elsewhere += self.quick.cpu_seconds - self._spent
        self._spent = self.quick.cpu_seconds


def with_examples(harness: FunctionHarness, told: Sequence[str]) -> FunctionHarness:
    """Return a harness with assertions as tests more."""
    group = StepGroup(steps=tuple(Step(code=code, test_id=f"{EXAMPLE}[{at}]") for at, code in enumerate(told)))
    return harness.model_copy(update={"groups": (*harness.groups, group)}) if told else harness
