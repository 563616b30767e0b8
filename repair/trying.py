"""What becomes of an answer by the visible tests alone: what a repairer may find out before it hands one in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, final

from mendlab.corpora.tree import FileTree
from mendlab.records import Outcome, PytestHarness, TestResult
from mendlab.repair.context import VisibleTests
from mendlab.repair.problem import Problem
from mendlab.verify.patches import PatchFailure
from mendlab.verify.patches.completion import apply_answer
from mendlab.verify.patches.policy import violations

Event = Literal["unreadable", "rejected", "forbidden", "no_change", "tested"]


@final
@dataclass(frozen=True, slots=True)
class Trial:
    """What became of an answer: how far it came, why no further, the diff as applied, and which tests fail with it."""

    event: Event
    reason: str = ""
    diff: str = ""
    tree: FileTree | None = None
    ran: int = 0
    failing: tuple[TestResult, ...] = ()
    cpu_seconds: float = 0.0

    @property
    def passes(self) -> bool:
        """Whether every visible test passes."""
        return self.event == "tested" and not self.failing

    @property
    def rank(self) -> tuple[int, int]:
        """How good it is, less being better: those that can be tested by how many tests fail, before all others."""
        return (0, len(self.failing)) if self.event == "tested" else (1, 0)

    @property
    def told(self) -> str:
        """In a few words."""
        if self.event != "tested":
            return f"{self.event}: {self.reason}" if self.reason else self.event
        return f"{len(self.failing)} of {self.ran} tests fail"


def read_answer(problem: Problem, raw: str) -> Trial:
    """Return what an answer is before its tests are run; ``tree`` is there if they can be."""
    applied = apply_answer(problem.tree, raw, editable=problem.editable, kind=problem.kind, harness=problem.harness)
    if isinstance(applied, PatchFailure):
        unreadable = applied.outcome in (Outcome.NO_PATCH, Outcome.MALFORMED_DIFF)
        return Trial("unreadable" if unreadable else "rejected", applied.reason)
    protected = problem.harness.test_files if isinstance(problem.harness, PytestHarness) else ()
    found = violations(raw, problem.tree, applied.tree, editable=problem.editable, protected=protected)
    if found:
        return Trial("forbidden", "; ".join(found))
    if applied.tree == problem.tree:
        return Trial("no_change")
    return Trial("tested", diff=applied.canonical_patch, tree=applied.tree)


def run_visible(problem: Problem, tests: VisibleTests, read: Trial) -> Trial:
    """Return a trial with its tests run: the fail-to-pass ones, and all visible ones if these pass."""
    if read.tree is None:
        return read
    changes = problem.tree.changed(read.tree)
    first = tests.run(changes, problem.fail_to_pass)
    runs = [first]
    if not first.failing() and problem.pass_to_pass:
        runs.append(tests.run(changes, problem.pass_to_pass))
    return Trial(
        "tested",
        diff=read.diff,
        tree=read.tree,
        ran=sum(len(run.results) for run in runs),
        failing=tuple(result for run in runs for result in run.failing()),
        cpu_seconds=sum(run.cpu_seconds for run in runs),
    )
