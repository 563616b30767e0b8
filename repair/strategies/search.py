"""The offline repairer: it needs no model, no key and no network."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, final

from mendlab.corpora.diffs import make_diff
from mendlab.records import FunctionHarness, Limits, TestOutcome, TestResult
from mendlab.repair.budget import Budget
from mendlab.repair.candidates import Candidate, candidates
from mendlab.repair.context import RepairContext, VisibleTests
from mendlab.repair.localisation import localise
from mendlab.repair.problem import Problem
from mendlab.repair.strategy import Proposal, strategy
from mendlab.verify.engines.engine import TestRun

_SHORT_CPU: Final = 0.5
_SHORT_CPU_FUNCTION: Final = 0.1  # some twenty times what a small function with its tests takes


@strategy("search")
@dataclass(frozen=True, slots=True)
class Search:
    """Try small edits, likeliest first, until the visible tests pass: offline, no model, the default repairer."""

    seconds: float = 20.0
    candidates: int = 5000

    def propose(self, context: RepairContext) -> Proposal:
        """Return the first candidate that passes every visible test, within so many CPU seconds and candidates.

        Many a wrong edit never ends, so all are tried under a short limit first; those that pass it, later, under a
        longer one, up to the problem's own.
        """
        problem = context.problem
        hunt = _Hunt(problem, Budget(self.seconds, self.candidates))
        first, *longer = _stages(problem)
        with context.open_tests(first) as tests:
            failing = hunt.failing(tests)
            if not failing:
                return hunt.proposal("no visible test fails")
            answer = hunt.try_all(candidates(problem, localise(problem, failing)), tests)
        for limits in longer:
            if answer is None and hunt.slow:
                with context.open_tests(limits) as tests:
                    answer = hunt.try_all(hunt.slow, tests)
        return answer or hunt.proposal("exhausted")


@final
class _Hunt:
    """One search: what it has tried, and the candidates that took too long, in ``slow``."""

    def __init__(self, problem: Problem, budget: Budget) -> None:
        self.slow: list[Candidate] = []
        self._problem = problem
        self._budget = budget
        self._seen: set[str] = set()

    def failing(self, tests: VisibleTests) -> tuple[TestResult, ...]:
        """Return how the fail-to-pass tests fail; those that are known to time out are not run to see it again."""
        before = self._problem.before
        endless = {test for test in self._problem.fail_to_pass if before.get(test) is TestOutcome.TIMEOUT}
        wanted = tuple(test for test in self._problem.fail_to_pass if test not in endless)
        ran = self._run(tests, {}, wanted).failing() if wanted else ()
        return ran + tuple(TestResult(test_id=test, outcome=TestOutcome.TIMEOUT) for test in sorted(endless))

    def try_all(self, ranked: Iterable[Candidate], tests: VisibleTests) -> Proposal | None:
        """Return the answer if there is one among these, or if the budget ends."""
        waiting, self.slow = ranked, []
        for candidate in waiting:
            if limit := self._budget.exhausted:
                return self.proposal(f"budget: {limit}")
            data = candidate.data
            if data is None or not self._is_new(candidate, data):
                continue
            self._budget.tried += 1
            changes = {candidate.mutant.path: data}
            run = self._run(tests, changes, self._problem.fail_to_pass)
            if not run.failing():
                run = self._run(tests, changes, self._problem.visible)
            if not run.failing():
                patch = make_diff(self._problem.tree, self._problem.tree.replace(changes))
                return self.proposal("found", patch, candidate.mutant.operator)
            if any(result.outcome is TestOutcome.TIMEOUT for result in run.results):
                self._seen.discard(_key(candidate, data))
                self.slow.append(candidate)
        return None

    def proposal(self, why: str, patch: str | None = None, operator: str | None = None) -> Proposal:
        """Return the answer, with how much was done for it."""
        facts = {"tried": self._budget.tried, "operator": operator}
        return Proposal(patch, why, parameters=facts, cpu_seconds=self._budget.elsewhere)

    def _run(self, tests: VisibleTests, changes: Mapping[str, bytes | None], wanted: tuple[str, ...]) -> TestRun:
        run = tests.run(changes, wanted, stop_at_first=bool(changes))
        self._budget.elsewhere += run.cpu_seconds
        return run

    def _is_new(self, candidate: Candidate, data: bytes) -> bool:
        """Whether no candidate with the same syntax tree was tried before."""
        key = _key(candidate, data)
        new = key not in self._seen
        self._seen.add(key)
        return new


def _stages(problem: Problem) -> list[Limits]:
    """Return the limits to search under, each longer than the one before."""
    limits = problem.limits
    short = _SHORT_CPU_FUNCTION if isinstance(problem.harness, FunctionHarness) else _SHORT_CPU
    shorter = [cpu for cpu in (short, 10 * short) if cpu < limits.cpu_seconds]
    return [limits.model_copy(update={"cpu_seconds": cpu}) for cpu in shorter] + [limits]


def _key(candidate: Candidate, data: bytes) -> str:
    tree = ast.dump(ast.parse(data))
    return f"{candidate.mutant.path} {hashlib.sha256(tree.encode('utf-8', 'surrogatepass')).hexdigest()}"
