"""What the tests say of a commit in one environment: touched test files first, then the whole suite."""

from __future__ import annotations

from collections.abc import Sequence

from mendlab.corpora.tree import FileTree
from mendlab.errors import SubjectError
from mendlab.harvest.records import DropReason
from mendlab.harvest.states.failures import failure_of, names_of
from mendlab.harvest.states.reports import FlakyKind, StateReport
from mendlab.harvest.states.running import Runner
from mendlab.harvest.states.state import State
from mendlab.harvest.states.touched import touched_modules
from mendlab.harvest.trees import CommitTrees
from mendlab.records import Environment, TestOutcome


def examine(
    commit: CommitTrees,
    runner: Runner,
    environment: Environment | None,
    *,
    whole_suite: bool = True,
    begun: State | None = None,
) -> StateReport:
    """Return what the tests say of a commit. Without the ``whole_suite``, pass-to-pass are touched files' alone.

    ``begun`` is the commit's own state, where its touched tests have been collected and run once already.

    Raises:
        EngineError: the lab itself fails.
    """
    return _Examination(commit, runner, environment).report(begun, whole_suite=whole_suite)


def begin(tree: FileTree, files: Sequence[str], runner: Runner) -> State:
    """Return the state of a tree with the tests of some files, run once.

    Raises:
        SubjectError: pytest's own session fails on it.
    """
    state = runner.collect(tree, files)
    if state.tests:
        runner.once(state)
    return state


class _Examination:
    def __init__(self, commit: CommitTrees, runner: Runner, environment: Environment | None) -> None:
        self._commit = commit
        self._runner = self._unlimited = runner
        self._environment = environment
        self._states: list[State] = []

    def report(self, begun: State | None, *, whole_suite: bool) -> StateReport:
        files = touched_modules(self._commit)
        if not files:
            return self._drop(DropReason.NO_TESTS, "the commit touches no test module, and no data beside one")
        try:
            after = begun or begin(self._commit.fix, files, self._runner)
        except SubjectError as error:
            return self._drop(DropReason.NO_ENVIRONMENT, error.what)
        self._states.append(after)
        if not after.tests:
            return self._drop(DropReason.NOTHING_PASSES, _why_none(after))
        self._runner = self._runner.limited_by(after)
        passing = [t for t in after.tests if after.always(t)]
        if not passing:
            return self._drop(DropReason.NOTHING_PASSES, _first_message(after), after)
        before = State(self._commit.with_tests, after.tests)
        self._states.append(before)
        self._runner.once(before)
        if not any(before.never(t) for t in passing):
            failing = [t for t in after.tests if not after.always(t)]
            why = f"{len(failing)} of its tests do not pass: {_first_message(after)}" if failing else ""
            held = tuple(t for t in passing if before.always(t))
            return self._drop(DropReason.PASSES_BEFORE, why, after, pass_to_pass=held)
        if whole_suite:
            after, before = self._whole_suite(after, before)
        if not whole_suite or after.runs == 1:
            for state in (after, before):
                self._runner.otherwise(state)
        found = [t for t in after.tests if after.always(t) and before.never(t)]
        if not found:
            return self._drop(DropReason.FLAKY, "", after, flaky=_flaky(after, before))
        return self._kept(found, after, before, files)

    def _whole_suite(self, after: State, before: State) -> tuple[State, State]:
        """Run everything, in every way; what was seen of the touched files by themselves counts on."""
        try:
            whole = self._unlimited.collect(self._commit.fix, ())
        except SubjectError:
            return after, before
        tests = tuple(dict.fromkeys([*whole.tests, *after.tests]))
        states = State(self._commit.fix, tests, whole.uncollected), State(self._commit.with_tests, tests)
        runner = self._unlimited
        for state, known in zip(states, (after, before), strict=True):
            self._states.append(state)
            runner.once(state)
            runner = runner.limited_by(state)
            runner.otherwise(state)
            state.add(known)
        return states

    def _parent(self, files: Sequence[str]) -> State | None:
        """The parent as it was, with what it has of the touched files."""
        there = [path for path in files if path in self._commit.parent]
        if not there:
            return None
        try:
            parent = begin(self._commit.parent, there, self._runner)
        except SubjectError:
            return None
        self._states.append(parent)
        if parent.tests:
            self._runner.otherwise(parent, further=False)  # no list goes by it
        return parent

    def _kept(self, found: list[str], after: State, before: State, files: Sequence[str]) -> StateReport:
        parent = self._parent(files)
        flaky = _flaky(after, before)
        was, now = names_of(before.tree, after.tree), names_of(after.tree, before.tree)
        new = set(after.tests) - set(parent.tests if parent is not None else ())
        counts = {"fix": after.counts(), "parent_with_tests": before.counts()}
        return StateReport(
            environment=self._environment,
            fail_to_pass=tuple(found),
            pass_to_pass=tuple(t for t in after.tests if after.always(t) and before.always(t)),
            flaky=flaky | ({} if parent is None else {t: k for t, k in parent.flaky().items() if t not in found}),
            failures={t: failure_of(before.first[t], was, now) for t in found},
            new_tests=tuple(t for t in found if t in new and t.partition("::")[0] in files),
            counts=counts if parent is None else {**counts, "parent": parent.counts()},
            uncollected={each.node_id: each.message for each in after.uncollected},
            arguments=self._runner.arguments,
            cpu_seconds=sum(state.cpu_seconds for state in self._states),
            runs=sum(state.runs for state in self._states),
        )

    def _drop(
        self,
        reason: DropReason,
        why: str,
        after: State | None = None,
        *,
        flaky: dict[str, FlakyKind] | None = None,
        pass_to_pass: tuple[str, ...] = (),
    ) -> StateReport:
        return StateReport(
            environment=self._environment,
            dropped=reason,
            why=why,
            pass_to_pass=pass_to_pass,
            flaky=flaky or {},
            counts={} if after is None else {"fix": after.counts()},
            uncollected={} if after is None else {each.node_id: each.message for each in after.uncollected},
            arguments=self._runner.arguments,
            cpu_seconds=sum(state.cpu_seconds for state in self._states),
            runs=sum(state.runs for state in self._states),
        )


def _flaky(*states: State) -> dict[str, FlakyKind]:
    found: dict[str, FlakyKind] = {}
    for state in states:
        for test_id, kind in state.flaky().items():
            found.setdefault(test_id, kind)
    return found


def _why_none(state: State) -> str:
    return next((each.message for each in state.uncollected), "pytest finds no tests in the files that it touches")


def _first_message(state: State) -> str:
    failing = (result for result in state.first.values() if result.outcome is not TestOutcome.PASSED)
    return next((f"{each.test_id}: {each.message}" for each in failing), "")
