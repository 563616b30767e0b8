"""The offline repairer: it needs no model, no key and no network. docs/search.md says how it works."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final

from mendlab.errors import InputError
from mendlab.records import FunctionHarness, Limits, TestOutcome, TestResult
from mendlab.repair.budget import Budget
from mendlab.repair.candidates import candidates, names_of_all
from mendlab.repair.context import RepairContext, VisibleTests
from mendlab.repair.localisation import Localisation, localise
from mendlab.repair.problem import Problem
from mendlab.repair.searching.examples import examples
from mendlab.repair.searching.hunt import Hunt
from mendlab.repair.searching.screening import (
    SHORT_CPU,
    EngineScreen,
    ForkScreen,
    QuickScreen,
    Screen,
    ending,
    failing_by,
    with_examples,
)
from mendlab.repair.searching.spectrum import Formula, suspicion
from mendlab.repair.strategy import Proposal, strategy
from mendlab.verify.engines.function_screen import Profile

LONGER: Final = 10
"""What took too long is tried again with so many times the time."""
TRACED_SHARE: Final = 0.2
"""So much of a project's time may be spent on finding out what its tests run."""


@strategy("search")
@dataclass(frozen=True, slots=True)
class Search:
    """Try small edits, likeliest first, and take the best that passes the visible tests: no model, the default."""

    seconds: float = 20.0
    candidates: int = 20000
    formula: Formula = "ochiai"
    without: str = ""

    def __post_init__(self) -> None:
        unknown = [name for name in self.left_out if name not in names_of_all()]
        if unknown:
            near = difflib.get_close_matches(unknown[0], names_of_all(), 3)
            hint = f"did you mean {' or '.join(near)}?" if near else "see `mendlab mutators list` and docs/search.md"
            raise InputError(f"there is no operator, family or template {unknown[0]!r}", hint=hint)

    @property
    def left_out(self) -> tuple[str, ...]:
        """The operators, families and templates that are not used."""
        return tuple(name.strip() for name in self.without.split(",") if name.strip())

    def propose(self, context: RepairContext) -> Proposal:
        """Return the best candidate that passes every visible test, within so many CPU seconds and candidates.

        Many a wrong edit never ends, so all are tried under a short limit first; if none passes, those that took too
        long under a longer one; and then two edits together.
        """
        problem, budget = context.problem, Budget(self.seconds, self.candidates)
        hunt: Hunt | None = None
        try:
            with ExitStack() as closing:
                tests = closing.enter_context(context.open_tests(_limits(problem, SHORT_CPU)))
                screen = self._open_screen(problem, tests, budget, closing)
                profile = screen.profile()
                failing = [result for result in profile.results if result.outcome is not TestOutcome.PASSED]
                if not failing and isinstance(screen, QuickScreen):
                    failing = list(failing_by(problem, tests, budget))
                hunt = Hunt(problem, budget, failing)
                if not failing:
                    return hunt.answer("no visible test fails")
                places = self._localise(problem, screen, profile, failing)
                hunt.single_edits(candidates(problem, places, profile.types, self.left_out), screen, screen.short)
                if not hunt.plausible and hunt.slow:
                    self._again(context, hunt, budget, closing, screen)
                if not hunt.plausible:
                    hunt.two_edits(screen, screen.short)
                wide = closing.enter_context(context.open_tests(problem.limits))
                return hunt.best(screen, wide, profile.calls)
        except KeyboardInterrupt:
            found = hunt.stopped() if hunt else None
            if found is None:
                raise
            return found

    def _open_screen(self, problem: Problem, tests: VisibleTests, budget: Budget, closing: ExitStack) -> Screen:
        if isinstance(problem.harness, FunctionHarness):
            told = examples(problem)
            quick = tests.open_screen(with_examples(problem.harness, told), problem.limits)
            if quick is not None:
                closing.callback(quick.close)
                return QuickScreen(problem, problem.harness.module, told, quick, budget)
        forks = tests.open_project_screen(problem, ending(problem), TRACED_SHARE * self.seconds)
        if forks is not None:
            closing.callback(forks.close)
            return ForkScreen(problem, tests, forks, budget)
        return EngineScreen(problem, tests, budget)

    def _localise(
        self, problem: Problem, screen: Screen, profile: Profile, failing: Sequence[TestResult]
    ) -> Localisation:
        spectrum = screen.spectrum(profile)
        if spectrum is None:
            return localise(problem, failing)
        return localise(problem, failing, suspicion(spectrum, {each.test_id for each in failing}, self.formula))

    def _again(self, context: RepairContext, hunt: Hunt, budget: Budget, closing: ExitStack, screen: Screen) -> None:
        """Try under longer limits what took too long."""
        for cpu in (LONGER, 4 * LONGER):
            if not hunt.plausible and hunt.slow:
                if isinstance(screen, EngineScreen):
                    limits = _limits(context.problem, cpu * screen.short)
                    tests = closing.enter_context(context.open_tests(limits))
                    hunt.again(EngineScreen(context.problem, tests, budget), 0.0)
                else:
                    hunt.again(screen, min(cpu * screen.short, context.problem.limits.cpu_seconds))


def _limits(problem: Problem, seconds: float) -> Limits:
    return problem.limits.model_copy(update={"cpu_seconds": min(seconds, problem.limits.cpu_seconds)})
