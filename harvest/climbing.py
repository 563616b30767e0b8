"""Climbing the ladder of environments with one commit, until its tests tell the states apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from mendlab.corpora.tree import FileTree
from mendlab.errors import SubjectError
from mendlab.harvest.environment.causes import with_cause
from mendlab.harvest.environment.declared import declared
from mendlab.harvest.environment.ladder import Ladder, Ready
from mendlab.harvest.environment.made_up import made_up, root_of
from mendlab.harvest.environment.wanted import wanted
from mendlab.harvest.minimise import MOST_RUNS, Minimal, minimise
from mendlab.harvest.records import DropReason
from mendlab.harvest.states.examining import begin, examine
from mendlab.harvest.states.reports import StateReport
from mendlab.harvest.states.running import Runner
from mendlab.harvest.states.state import State
from mendlab.harvest.states.touched import touched_modules
from mendlab.harvest.trees import CommitTrees
from mendlab.records import Environment
from mendlab.verify.bench import Bench

_NEAREST_FIRST: Final = (
    DropReason.PASSES_BEFORE,
    DropReason.FLAKY,
    DropReason.NOTHING_PASSES,
    DropReason.NO_ENVIRONMENT,
)
_MOST: Final = 0.9
Step = Callable[[str], None]
"""Hears what is done with a commit at the moment."""


@dataclass(frozen=True, slots=True)
class Climbed:
    """What the tests say of a commit, the states as they were run, and what runs them again.

    ``laid`` are the files laid into every state that installing the project would have left behind.
    """

    report: StateReport
    commit: CommitTrees
    laid: Mapping[str, bytes]
    runner: Runner | None

    def minimise(self, most_runs: int = MOST_RUNS) -> tuple[FileTree, Minimal]:
        """Return the least that mends, for a commit that was not dropped: see :func:`mendlab.harvest.minimise`."""
        assert self.runner is not None
        report, commit = self.report, self.commit
        return minimise(
            commit.with_tests,
            commit.fix,
            fail_to_pass=report.fail_to_pass,
            pass_to_pass=report.pass_to_pass,
            runner=self.runner,
            most_runs=most_runs,
        )


def climb(
    commit: CommitTrees,
    date: datetime,
    environments: Ladder,
    bench: Bench,
    *,
    whole_suite: bool = True,
    step: Step = lambda _: None,
) -> Climbed:
    """Return what the tests say in the first environment that suits the commit and in which they tell.

    Where touched tests all pass both before and after the commit, no other environment would tell more. Where none
    tells, the report is that of the environment that came furthest. ``step`` hears what is begun.

    Raises:
        EngineError: the lab, the package index or the disk fails.
    """
    files = touched_modules(commit)
    if not files:
        why = "it touches no test module, and no file beside one"
        return Climbed(StateReport(environment=None, dropped=DropReason.NO_TESTS, why=why), commit, {}, None)
    said = declared(commit.fix, bench)
    added = made_up(said, commit.fix)
    laid = commit.with_files(added)
    root = root_of(said, commit.fix).rstrip("/")
    arguments = () if root in ("", "src") else (f"--override-ini=pythonpath={root}",)
    ready = environments.ladder(wanted(said, commit.fix), said.requires_python, date)
    climbed = list[Climbed]()
    for runner, environment, begun in _suitable_first(laid, files, _told(ready, step), bench, arguments):
        step(f"the suite before and after it{_in(environment)}")
        report = examine(laid, runner, environment, whole_suite=whole_suite, begun=begun)
        climbed.append(Climbed(report, laid, added, runner))
        if report.dropped is None or _is_told(report):
            return climbed[-1]
    nearest = min(climbed, key=lambda each: _NEAREST_FIRST.index(each.report.dropped or DropReason.FLAKY))
    report = with_cause(nearest.report, _modules(commit.fix))
    if said.builds_extensions:
        why = f"it has extension modules, which are not built here: {report.why}"
        report = report.model_copy(update={"why": why})
    return replace(nearest, report=report)


def _modules(tree: FileTree) -> frozenset[str]:
    """The names by which a tree's own modules and packages are imported."""
    return frozenset(part.removesuffix(".py") for path in tree if path.endswith(".py") for part in path.split("/"))


def _suitable_first(
    commit: CommitTrees, files: Sequence[str], ladder: Iterable[Ready], bench: Bench, arguments: tuple[str, ...]
) -> Iterator[tuple[Runner, Environment | None, State | None]]:
    """Yield the rungs in which most of the touched tests pass on the commit as they come, the others best first."""
    others: list[tuple[float, Runner, Environment | None, State | None]] = []
    for ready in ladder:
        runner = Runner(Bench(bench.level, ready.interpreter), arguments)
        try:
            state = begin(commit.fix, files, runner)
        except SubjectError:
            others.append((-1.0, runner, ready.environment, None))
            continue
        share = state.counts().passed / max(1, len(state.tests))
        if share >= _MOST:
            yield runner, ready.environment, state
        else:
            others.append((share, runner, ready.environment, state))
    for _, runner, environment, begun in sorted(others, key=lambda each: -each[0]):
        yield runner, environment, begun


def _told(ladder: Iterable[Ready], step: Step) -> Iterator[Ready]:
    """The rungs of a ladder, each said when it is made and when it is used."""
    step("making an environment")
    for ready in ladder:
        step(f"its tests{_in(ready.environment)}")
        yield ready
        step("making another environment")


def _in(environment: Environment | None) -> str:
    return "" if environment is None else f", {environment.rung} versions, Python {environment.python}"


def _is_told(report: StateReport) -> bool:
    """Whether every touched test ran and passed after the commit: another environment would tell no more."""
    counts = report.counts.get("fix")
    return counts is not None and counts.passed == counts.tests and not report.uncollected
