"""Climbing the ladder of environments with one commit, until its tests tell the states apart."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from mendlab.harvest.environment.declared import declared
from mendlab.harvest.environment.ladder import Ladder
from mendlab.harvest.environment.made_up import made_up, root_of
from mendlab.harvest.environment.wanted import wanted
from mendlab.harvest.states.examining import CommitTrees, examine
from mendlab.harvest.states.reports import Dropped, StateReport
from mendlab.harvest.states.running import Runner
from mendlab.verify.bench import Bench

_BEST_FIRST: Final = (
    Dropped.PASSES_BEFORE,
    Dropped.FLAKY,
    Dropped.NOTHING_PASSES,
    Dropped.NO_ENVIRONMENT,
    Dropped.NO_TESTS,
)


@dataclass(frozen=True, slots=True)
class Climbed:
    """What the tests said, the states that they were run on, the files laid into each, and what ran them."""

    report: StateReport
    trees: CommitTrees
    added: dict[str, bytes]
    runner: Runner | None = None


def climb(
    commit: CommitTrees, date: datetime, environments: Ladder, bench: Bench, *, whole_suite: bool = True
) -> Climbed:
    """Return what the tests say in the first environment in which they tell.

    A commit whose touched tests all pass both before and after it is told of by the first environment already. Where
    none tells, the report is that of the environment that came furthest.

    Raises:
        EngineError: the lab, the package index or the disk fails.
    """
    said = declared(commit.fix, bench)
    added = made_up(said, commit.fix)
    laid = commit.with_files(added)
    root = root_of(said, commit.fix).rstrip("/")
    arguments = () if root in ("", "src") else (f"--override-ini=pythonpath={root}",)
    climbed = list[Climbed]()
    for ready in environments.ladder(wanted(said, commit.fix), said.requires_python, date):
        runner = Runner(Bench(bench.level, ready.interpreter), arguments)
        report = examine(laid, runner, ready.environment, whole_suite=whole_suite)
        climbed.append(Climbed(report, laid, added, runner))
        if report.dropped is None or report.dropped is Dropped.NO_TESTS or _is_told(report):
            return climbed[-1]
    return min(climbed, key=lambda each: _BEST_FIRST.index(each.report.dropped or Dropped.NO_TESTS))


def _is_told(report: StateReport) -> bool:
    """Whether every touched test ran and passed after the commit: another environment would tell no more."""
    counts = report.counts.get("fix")
    return counts is not None and counts.passed == counts.tests and not report.uncollected
