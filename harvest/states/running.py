"""One state run several times: as it stands, in reverse, and shuffled with another hash seed and another clock."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from mendlab.corpora.tree import FileTree
from mendlab.errors import SubjectError
from mendlab.harvest.states.reports import Counts, FlakyKind
from mendlab.records import Limits, PytestHarness, TestOutcome, TestResult
from mendlab.verify.bench import Bench
from mendlab.verify.confined.pytest_run.pytest_run_clock import FOLDER
from mendlab.verify.engines.engine import ENDS_THE_PROCESS, OTHER_HASH_SEED, REVERSED, RunOptions, TestRun
from mendlab.verify.engines.pytest_engine import FURTHER_RUNS, PytestEngine, missing
from mendlab.verify.engines.pytest_events import Uncollected

LIMITS: Final = Limits(cpu_seconds=240.0, wall_seconds=900.0)
SHUFFLE: Final = 20_231
ANOTHER_TIME: Final = 217 * 86_400 + 45_000.0
"""Some months and half a day and half an hour: another year or half of it, part of the day, and of the hour."""
FURTHER: Final = 5
_FURTHER_SECONDS: Final = 15.0
_ALONE: Final = 8
_NOTHING_TOLD: Final = frozenset({TestOutcome.SKIPPED, TestOutcome.XFAILED, TestOutcome.MISSING})
_NOT_AGAIN: Final = ENDS_THE_PROCESS | {TestOutcome.MISSING}
_CHANCY: Final = re.compile(
    rb"\brandom\b|\burandom\b|\buuid[14]\b|\bsecrets\.|\btime\.(?:time|sleep|monotonic|perf_counter)|\.now\(|\.today\("
    rb"|\.utcnow\(|\bthreading\b|\bThread\(|\basyncio\b|\bmultiprocessing\b|\bconcurrent\b|\bgetpid\b|\bgc\.collect"
)
_IMPORT: Final = re.compile(rb"^[ \t]*(?:from|import)[ \t]+([\w.]+)(?:[ \t]+import[ \t]+\(?([\w, \t]+))?", re.MULTILINE)
_OWN_CLOCK: Final = re.compile(rb"freezegun|time_machine|freeze_time|libfaketime")


@dataclass
class State:
    """A tree, the tests that it is run with, and all that was seen of each."""

    tree: FileTree
    tests: tuple[str, ...]
    uncollected: tuple[Uncollected, ...] = ()
    first: Mapping[str, TestResult] = field(default_factory=dict)
    passes: dict[str, dict[FlakyKind, list[bool]]] = field(default_factory=dict)
    cpu_seconds: float = 0.0
    runs: int = 0

    def take(self, run: TestRun, kind: FlakyKind) -> None:
        """Add what one run told, which differs from the first by ``kind``."""
        if not self.first:
            self.first = {result.test_id: result for result in run.results}
        for result in run.results:
            seen = self.passes.setdefault(result.test_id, {}).setdefault(kind, [])
            seen.append(result.outcome is TestOutcome.PASSED)
        self.cpu_seconds += run.cpu_seconds
        self.runs += 1

    def add(self, other: State) -> None:
        """Add what was seen of the same tree's tests before."""
        for test_id, kinds in other.passes.items():
            for kind, seen in kinds.items():
                self.passes.setdefault(test_id, {}).setdefault(kind, []).extend(seen)

    def always(self, test_id: str) -> bool:
        """Whether a test passed in every run."""
        return test_id in self.passes and all(all(seen) for seen in self.passes[test_id].values())

    def never(self, test_id: str) -> bool:
        """Whether it passed in no run, and came to one."""
        result = self.first.get(test_id)
        told = result is not None and result.outcome not in _NOTHING_TOLD
        return told and not any(any(seen) for seen in self.passes[test_id].values())

    def flaky(self) -> dict[str, FlakyKind]:
        """The tests that passed sometimes, with what made them: the first run's outcome is the measure."""
        return {test_id: kind for test_id, runs in self.passes.items() if (kind := _changed(runs)) is not None}

    def counts(self) -> Counts:
        """Return how many tests passed every time, and never."""
        passed = sum(map(self.always, self.passes))
        failed = sum(not any(any(seen) for seen in runs.values()) for runs in self.passes.values())
        return Counts(tests=len(self.passes), passed=passed, failed=failed)


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

    def otherwise(self, state: State) -> None:
        """Run a state in reverse, then shuffled with another hash seed and clock; what is chancy, some times more.

        A test that hung or died the first time, or of which nothing was heard, is not run again.
        """
        chosen = tuple(t for t in state.tests if state.first[t].outcome not in _NOT_AGAIN)
        self._run(state, FlakyKind.ORDER, RunOptions(tests=chosen, shuffle_seed=REVERSED))
        self._with_all_changed(state, chosen)
        chancy = [t for t in _chancy(state.tree, chosen) if _is_quick(state.first[t])]
        seconds = sum(state.first[t].cpu_seconds or 0.0 for t in chancy)
        for _ in range(min(FURTHER, int(_FURTHER_SECONDS / (seconds + 0.01))) if chancy else 0):
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
        clock = ANOTHER_TIME if movable and not _has_own_clock(state.tree) else 0.0
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
        harness = PytestHarness(test_files=(), arguments=(*self.arguments, *files))
        return PytestEngine(
            tree,
            harness,
            limits=self.limits,
            level=self.bench.level,
            interpreter=self.bench.interpreter,
            hash_seed=seed,
        )


def _changed(runs: Mapping[FlakyKind, Sequence[bool]]) -> FlakyKind | None:
    """Return what made a test's outcome change. What changes with nothing, changes with anything."""
    seen = {outcome for outcomes in runs.values() for outcome in outcomes}
    if len(seen) == 1:
        return None
    usual = set(runs.get(FlakyKind.AGAIN, ()))
    if len(usual) > 1:
        return FlakyKind.AGAIN
    for kind in (FlakyKind.ORDER, FlakyKind.HASH_SEED, FlakyKind.CLOCK):
        if set(runs.get(kind, ())) - usual:
            return kind
    return FlakyKind.AGAIN


def _is_quick(result: TestResult) -> bool:
    return result.cpu_seconds is not None and result.cpu_seconds < 1.0


def _files_of(tests: Sequence[str], tree: FileTree) -> list[str]:
    """The files of tests as far as they are there, in the order of the tests."""
    return [path for path in dict.fromkeys(test_id.partition("::")[0] for test_id in tests) if path in tree]


def _chancy(tree: FileTree, tests: Sequence[str]) -> list[str]:
    """The tests whose file, or a module that it imports by name, mentions what may come out otherwise the next time."""
    modules = {
        path.removesuffix(".py").removesuffix("/__init__").rpartition("/")[2]
        for path, data in tree.items()
        if path.endswith(".py") and _CHANCY.search(data)
    }
    chancy = {path for path in {test_id.partition("::")[0] for test_id in tests} if _is_chancy(tree, path, modules)}
    return [test_id for test_id in tests if test_id.partition("::")[0] in chancy]


def _is_chancy(tree: FileTree, path: str, modules: set[str]) -> bool:
    data = tree.get(path, b"")
    if _CHANCY.search(data):
        return True
    named = {
        name.decode().strip().rpartition(".")[2]
        for found in _IMPORT.findall(data)
        for name in (found[0], *found[1].split(b","))
    }
    return not named.isdisjoint(modules)


def _has_own_clock(tree: FileTree) -> bool:
    return any(path.endswith(".py") and _OWN_CLOCK.search(data) for path, data in tree.items())
