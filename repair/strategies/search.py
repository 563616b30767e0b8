"""The offline repairer: it needs no model, no key and no network."""

from __future__ import annotations

import ast
import hashlib
from dataclasses import dataclass
from typing import Final

from pydantic import JsonValue

from mendlab.corpora.diffs import make_diff
from mendlab.records import Limits, TestOutcome
from mendlab.repair.budget import Budget
from mendlab.repair.candidates import Candidate, candidates
from mendlab.repair.context import RepairContext, VisibleTests
from mendlab.repair.localisation import localise
from mendlab.repair.problem import Problem
from mendlab.repair.strategy import Proposal, strategy
from mendlab.verify.engine import TestRun

_SLOWER: Final = 3.0  # a candidate may take that many times what the buggy program takes
_LEAST_CPU: Final = 1.0
_ENDLESS_CPU: Final = 2.0  # for candidates where the buggy program itself times out


@strategy("search")
@dataclass(frozen=True, slots=True)
class Search:
    """Try small edits, likeliest first, until the visible tests pass: offline, no model, the default repairer."""

    seconds: float = 20.0
    candidates: int = 5000

    def propose(self, context: RepairContext) -> Proposal:
        """Return the first candidate that passes every visible test, within so many CPU seconds and candidates."""
        problem = context.problem
        with context.open_tests(problem.limits) as tests:
            start = tests.run({})
        failing = [result for result in start.failing() if result.test_id in problem.fail_to_pass]
        if not failing:
            return Proposal(None, "no visible test fails", cpu_seconds=start.cpu_seconds)
        with context.open_tests(_tightened(problem.limits, start)) as tests:
            budget = Budget(self.seconds, self.candidates, lambda: start.cpu_seconds + tests.cpu_seconds)
            seen = set[str]()
            for rank, candidate in enumerate(candidates(problem, localise(problem, failing)), start=1):
                if limit := budget.exhausted:
                    return _proposal(f"budget: {limit}", budget)
                data = _new(candidate, seen)
                if data is None:
                    continue
                budget.tried += 1
                if _passes(tests, {candidate.mutant.path: data}, problem):
                    patch = make_diff(problem.tree, problem.tree.replace({candidate.mutant.path: data}))
                    return _proposal("found", budget, patch, rank=rank, operator=candidate.mutant.operator)
            return _proposal("exhausted", budget)


def _proposal(why: str, budget: Budget, patch: str | None = None, **facts: JsonValue) -> Proposal:
    facts["tried"] = budget.tried
    return Proposal(patch, why, parameters=facts, cpu_seconds=budget.elsewhere())


def _tightened(limits: Limits, start: TestRun) -> Limits:
    """Return limits under which a candidate that never ends costs little."""
    endless = any(result.outcome is TestOutcome.TIMEOUT for result in start.results)
    cpu = min(limits.cpu_seconds, _ENDLESS_CPU if endless else max(_LEAST_CPU, _SLOWER * start.cpu_seconds))
    wall = min(limits.wall_seconds, limits.wall_seconds * cpu / limits.cpu_seconds + 1.0)
    return limits.model_copy(update={"cpu_seconds": cpu, "wall_seconds": wall})


def _new(candidate: Candidate, seen: set[str]) -> bytes | None:
    """Return the changed file unless one with the same syntax tree was tried before."""
    data = candidate.data
    if data is None:
        return None
    tree = ast.dump(ast.parse(data))
    key = f"{candidate.mutant.path} {hashlib.sha256(tree.encode('utf-8', 'surrogatepass')).hexdigest()}"
    if key in seen:
        return None
    seen.add(key)
    return data


def _passes(tests: VisibleTests, changes: dict[str, bytes | None], problem: Problem) -> bool:
    """Whether the failing tests pass, and then all."""
    if tests.run(changes, problem.fail_to_pass, stop_at_first=True).failing():
        return False
    return not tests.run(changes, stop_at_first=True).failing()
