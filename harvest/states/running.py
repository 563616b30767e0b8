"""One state run several times: as it stands, in reverse, and shuffled with another hash seed and another clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from mendlab.corpora.tree import FileTree
from mendlab.errors import SubjectError
from mendlab.harvest.states.chance import chancy_tests, has_own_clock
from mendlab.harvest.states.reports import FlakyKind
from mendlab.harvest.states.state import State
from mendlab.records import Limits, PytestHarness, TestOutcome, TestResult
from mendlab.verify.bench import Bench
from mendlab.verify.confined.pytest_run.pytest_run_clock import FOLDER
from mendlab.verify.engines.engine import ENDS_THE_PROCESS, OTHER_HASH_SEED, REVERSED, RunOptions, TestRun
from mendlab.verify.engines.pytest_engine import FURTHER_RUNS, PytestEngine, missing
from mendlab.workers import give_up

LIMITS: Final = Limits(cpu_seconds=240.0, wall_seconds=900.0)
SHUFFLE: Final = 20_231
ANOTHER_TIME: Final = 217 * 86_400 + 45_000.0
"""Some months and half a day and half an hour: another year or half of it, part of the day, and of the hour."""
FURTHER: Final = 5
_FURTHER_SECONDS: Final = 8.0
_ALONE: Final = 8
_NOT_AGAIN: Final = ENDS_THE_PROCESS | {TestOutcome.MISSING}


@dataclass(frozen=True, slots=True)
class Runner:
    """Runs states on one bench, with arguments for pytest. The clock is moved where the environment was made for it."""

    bench: Bench
    arguments: tuple[str, ...] = ()
    limits: Limits = LIMITS

    def collect(self, tree: FileTree, files: Sequence[str]) -> State:
        """Return the state of a tree with the tests of some files, or with all of its tests where none is named.

        Raises:
            SubjectError: pytest's own session fails on it.
        """
        engine = self._open(tree, files, 0)
        try:
            tests, uncollected = engine.survey()
        finally:
            engine.close()
        return State(tree, tests, uncollected)

    def limited_by(self, run: State) -> Runner:
        """Return a runner whose runs may take several times what one of a state took: what hangs, costs no more."""
        cpu = min(self.limits.cpu_seconds, 10.0 + 8 * run.cpu_seconds / max(1, run.runs))
        return replace(self, limits=self.limits.model_copy(update={"cpu_seconds": cpu, "wall_seconds": 60.0 + 5 * cpu}))

    def once(self, state: State) -> None:
        """Run a state as it stands.

        Where a run ends with its process too often, the engine has what it did not come to share that fate: such
        tests are run by themselves, and beyond some they are not heard of.
        """
        run = self._told(state, RunOptions(tests=state.tests), 0)
        ended = [result.test_id for result in run.results if result.outcome in ENDS_THE_PROCESS]
        if len(ended) > FURTHER_RUNS:
            alone = [self._told(state, RunOptions(tests=[test_id]), 0).results[0] for test_id in ended[:_ALONE]]
            known = {result.test_id: result for result in (*map(missing, ended), *alone)}
            run = replace(run, results=tuple(known.get(result.test_id, result) for result in run.results))
        state.take(run, FlakyKind.AGAIN)

    def otherwise(self, state: State, *, further: bool = True) -> None:
        """Run a state in reverse, then shuffled with another hash seed and clock; what is chancy, some times more.

        A test that hung or died the first time, or of which nothing was heard, is not run again.
        """
        chosen = tuple(t for t in state.tests if state.first[t].outcome not in _NOT_AGAIN)
        self._run(state, FlakyKind.ORDER, RunOptions(tests=chosen, shuffle_seed=REVERSED))
        self._with_all_changed(state, chosen)
        chancy = [t for t in chancy_tests(state.tree, chosen) if _is_quick(state.first[t])]
        if chancy and further:
            seconds = state.cpu_seconds / state.runs * len(chancy) / len(state.tests)
            for _ in range(min(FURTHER, int(_FURTHER_SECONDS / (seconds + 0.01)))):
                self._run(state, FlakyKind.AGAIN, RunOptions(tests=chancy))

    def passes(self, tree: FileTree, tests: Sequence[str]) -> bool:
        """Whether every one of the tests passes on a tree; running ends with the first that does not."""
        if not tests:
            return True
        engine = self._open(tree, _files_of(tests, tree), 0)
        try:
            run = engine.run({}, RunOptions(tests=tests, stop_at_first=True, decisive=tests))
        except SubjectError:
            return False
        finally:
            engine.close()
        return not run.failing()

    def _with_all_changed(self, state: State, tests: tuple[str, ...]) -> None:
        """Change order, hash seed and clock in one run; where that tells, order and seed alone as well."""
        movable = (self.bench.interpreter.executable.parent.parent / FOLDER).is_dir()
        clock = ANOTHER_TIME if movable and not has_own_clock(state.tree) else 0.0
        options = RunOptions(tests=tests, clock_offset=clock, shuffle_seed=SHUFFLE)
        run = self._told(state, options, OTHER_HASH_SEED)
        state.take(run, FlakyKind.CLOCK if clock else FlakyKind.HASH_SEED)
        odd = [each.test_id for each in run.results if (each.outcome is TestOutcome.PASSED) != self._first(state, each)]
        if odd:
            self._run(state, FlakyKind.ORDER, RunOptions(tests=tests, shuffle_seed=SHUFFLE))
            self._run(state, FlakyKind.HASH_SEED, RunOptions(tests=odd), OTHER_HASH_SEED)

    @staticmethod
    def _first(state: State, result: TestResult) -> bool:
        first = state.first.get(result.test_id)
        return first is not None and first.outcome is TestOutcome.PASSED

    def _run(self, state: State, kind: FlakyKind, options: RunOptions, seed: int = 0) -> None:
        state.take(self._told(state, options, seed), kind)

    def _told(self, state: State, options: RunOptions, seed: int) -> TestRun:
        """Run tests by the files that they are in: a project's own choice may not come by those that are touched."""
        files = _files_of(state.tests, state.tree)
        if not files:
            return TestRun(tuple(missing(test_id) for test_id in options.tests or ()), 0.0)
        engine = self._open(state.tree, files, seed)
        try:
            return engine.run({}, options)
        finally:
            engine.close()

    def _open(self, tree: FileTree, files: Sequence[str], seed: int) -> PytestEngine:
        give_up()
        harness = PytestHarness(test_files=(), arguments=(*self.arguments, *files))
        return PytestEngine(
            tree,
            harness,
            limits=self.limits,
            level=self.bench.level,
            interpreter=self.bench.interpreter,
            hash_seed=seed,
        )


def _is_quick(result: TestResult) -> bool:
    return result.cpu_seconds is not None and result.cpu_seconds < 1.0


def _files_of(tests: Sequence[str], tree: FileTree) -> list[str]:
    """The files of tests as far as they are there, in the order of the tests."""
    return [path for path in dict.fromkeys(test_id.partition("::")[0] for test_id in tests) if path in tree]
