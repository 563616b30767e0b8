"""The engine for many small changes to one pytest project: the tests that reach a change, in forks of one session.

The same answers as :class:`PytestEngine` gives, sooner: a test that runs no line of what is changed has the outcome
that it has on the good tree; the others run in a fork of a session that has collected already, those that told the
last changes nearby and the cheap ones first. A change that shows only where its file is imported is taken in by a fork
of a session that has not imported it yet. What no session can hold, and every timeout, is for the slower engine.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from mendlab.corpora.tree import FileTree
from mendlab.records import Limits, PytestHarness, SandboxLevel, TestOutcome, TestResult
from mendlab.verify.confinement.interpreter import Interpreter
from mendlab.verify.engines.changed_code import common_ends
from mendlab.verify.engines.coverage import Coverage
from mendlab.verify.engines.engine import ENDS_THE_PROCESS, RunOptions, TestRun
from mendlab.verify.engines.infection import Infections
from mendlab.verify.engines.pytest_engine import FURTHER_RUNS, PytestEngine, common_error, missing
from mendlab.verify.engines.pytest_session import PytestSession, Unsuitable
from mendlab.verify.engines.pytest_steering import admissible
from mendlab.verify.engines.reaching import Reaching

LEAST_SECONDS: Final = 0.5
TIMES_CLEAN: Final = 5.0
MOST_TOLD: Final = 200
UNREACHED: Final = "unreached"
SESSION: Final = "session"
EARLY: Final = "early session"
UNCONFIRMED: Final = "a test hangs in the session alone"
SILENT_SECONDS: Final = 30.0
"""In which a test that sleeps or waits must end in a session."""
CHECKED_FOR_SECONDS: Final = 30.0
"""So long it is believed that a test passes on the good tree in a session, which grows old."""


class PytestMutantEngine:
    """Runs tests against small changes of a project. ``coverage`` is what those run that pass on the good tree.

    A test that changes do not infect, as far as ``infections`` knows them, has the good tree's outcome, too.

    ``paths`` counts the ways that runs took: unreached, session, early session, or why another engine had to run the
    tests.

    Errors are those of :class:`PytestEngine`.
    """

    def __init__(
        self,
        tree: FileTree,
        harness: PytestHarness,
        coverage: Coverage,
        *,
        limits: Limits,
        level: SandboxLevel,
        interpreter: Interpreter,
        hash_seed: int = 0,
        infections: Infections | None = None,
    ) -> None:
        self._tree = tree
        self._harness = harness
        self._coverage = coverage
        self._reaching = Reaching(tree, coverage)
        self._tests = self._reaching.tests
        self._limits = limits
        self._interpreter = interpreter
        self._hash_seed = hash_seed
        self._slow = PytestEngine(
            tree, harness, limits=limits, level=level, interpreter=interpreter, hash_seed=hash_seed
        )
        self.paths: Counter[str] = Counter()
        self._session: PytestSession | None = None
        self._early: PytestSession | None = None
        self._usable = self._early_usable = True
        self._import_seconds = 0.0
        self._infections = infections
        self._clean: dict[str, TestResult] = {}
        self._checked: dict[str, float] = {}  # when each test was last seen to pass on the good tree in the session
        self._alone_seconds: dict[str, float] = {}  # CPU of tests of the good tree, each in a process of its own
        self._groups: Mapping[str, str] = {}  # of tests that share fixtures
        self._told: dict[str, list[tuple[int, str]]] = {}  # path -> line and test of earlier failures

    @property
    def level(self) -> SandboxLevel:
        """The confinement that runs really have."""
        return self._slow.level

    @property
    def test_ids(self) -> tuple[str, ...]:
        """Every test id of the good tree, in pytest's order."""
        return self._slow.test_ids

    def run(self, changes: Mapping[str, bytes | None], options: RunOptions = RunOptions()) -> TestRun:  # noqa: B008
        """Run the tests asked for; those that do not reach a change have their outcome of the good tree."""
        asked = tuple(self.test_ids if options.tests is None else dict.fromkeys(options.tests))
        taken = admissible(changes, self._harness.test_files)
        places = self._places(taken)
        if options.fresh or options.shuffle_seed is not None or places is None or not self._open():
            self.paths["fresh, shuffled, or no session"] += 1
            return self._slow.run(changes, options)
        reaching = self._reaching.of(taken, asked)
        infected = reaching if self._infections is None else reaching & self._infections.of(taken)
        unknown = frozenset(asked).difference(self._clean)
        whole = not infected.isdisjoint(self._coverage.leaning)  # such a test wants all that run before it
        known = {} if whole else {t: self._clean[t] for t in asked if t not in infected and t not in unknown}
        left = [test_id for test_id in asked if test_id not in known]
        ordered = self._ordered(places, left) if options.stop_at_first and not whole else left
        found, cpu_seconds, load_error, output = self._run(taken, places, ordered, options, loads=bool(known))
        results = tuple(known.get(t) or found[t] for t in asked)
        load_error = None if known else load_error
        return TestRun(results, cpu_seconds, load_error, output, reaching | unknown, infected | unknown)

    def close(self) -> None:
        """End every process of the engine."""
        self._slow.close()
        self._end_sessions()

    def _run(
        self,
        changes: Mapping[str, bytes | None],
        places: Mapping[str, tuple[int, int]],
        tests: Sequence[str],
        options: RunOptions,
        *,
        loads: bool,
    ) -> tuple[dict[str, TestResult], float, str | None, str]:
        if not tests:
            self.paths[UNREACHED] += 1
            return {}, 0.0, None, ""
        data = {path: data for path, data in changes.items() if data is not None}
        try:
            run = self._in_session(self._session, data, tests, options)
            self._check_age(run)
            self.paths[SESSION] += 1
        except Unsuitable as why:
            run = self._anew(str(why), data, tests, options, loads=loads)
        self._remember(places, run)
        return {result.test_id: result for result in run.results}, run.cpu_seconds, run.load_error, run.output

    def _anew(
        self, why: str, changes: Mapping[str, bytes], tests: Sequence[str], options: RunOptions, *, loads: bool
    ) -> TestRun:
        """Run tests where the tree is imported with the changes: in forks of the early session, else without one.

        ``loads`` as in :func:`likeliest_first`.
        """
        if self._early is not None and why != UNCONFIRMED:
            early = self._early
            try:
                run = likeliest_first(
                    lambda some: self._in_session(early, changes, some, options),
                    tests,
                    options.stop_at_first,
                    loads=loads,
                )
                self.paths[EARLY] += 1
                return run
            except Unsuitable as also:
                why = str(also)
        self.paths[why] += 1
        return likeliest_first(
            lambda some: self._slow.run(changes, RunOptions(tests=some, stop_at_first=options.stop_at_first)),
            tests,
            options.stop_at_first,
            loads=loads,
        )

    def _in_session(
        self, session: PytestSession | None, changes: Mapping[str, bytes], tests: Sequence[str], options: RunOptions
    ) -> TestRun:
        """Run tests in forks of a session: what did not come to its turn because one died, in further ones."""
        if session is None:
            raise Unsuitable("the session does not start")
        results: dict[str, TestResult] = {}
        cpu_seconds, left = 0.0, list(tests)
        for _ in range(1 + FURTHER_RUNS):
            try:
                limits, idle = self._limits_for(left, session)
                run = session.run(changes, left, stop_at_first=options.stop_at_first, limits=limits, idle=idle)
            except Unsuitable:
                if session.ended:
                    self._end_sessions(session)
                raise
            cpu_seconds += run.cpu_seconds
            heard = {r.test_id: r for r in run.results if r.outcome is not TestOutcome.MISSING}
            hang = [test_id for test_id, result in heard.items() if result.outcome is TestOutcome.TIMEOUT]
            if hang:  # of several the file hangs that they are in
                confirmed = self._confirmed(hang[0], changes)
                heard |= {test_id: confirmed.model_copy(update={"test_id": test_id}) for test_id in hang}
            results |= heard
            left = [test_id for test_id in left if test_id not in heard]
            died = [result for result in heard.values() if result.outcome in ENDS_THE_PROCESS]
            if not left or not died or options.stop_at_first:
                break
        fate = died[-1] if died and not options.stop_at_first else None  # that of what was never come to
        results |= {t: missing(t) if fate is None else fate.model_copy(update={"test_id": t}) for t in left}
        ordered = tuple(results[test_id] for test_id in tests)
        return TestRun(ordered, cpu_seconds, common_error(ordered))

    def _confirmed(self, test_id: str, changes: Mapping[str, bytes]) -> TestResult:
        """Run a test that timed out once more, without a session: one that others share has not the last word.

        Raises Unsuitable if it passes then.
        """
        if test_id not in self._alone_seconds:  # the first test of a process does what later ones find done
            alone = self._slow.run({}, RunOptions(tests=[test_id])).results[0].cpu_seconds or 0.0
            self._alone_seconds[test_id] = max(alone, self._clean_seconds([test_id]))
        seconds = LEAST_SECONDS + TIMES_CLEAN * self._alone_seconds[test_id]
        run = self._slow.run(changes, RunOptions(tests=[test_id]), collected_seconds=seconds)
        if not run.failing():
            raise Unsuitable(UNCONFIRMED)
        return run.results[0]

    def _open(self) -> bool:
        """Have the sessions ready. One in which the good tree has other results than without is not used."""
        if self._session is None and self._usable:
            self._usable = False
            with suppress(Unsuitable):
                self._session = self._start()
                self._groups = self._session.groups
                clean = {result.test_id: result for result in self._check(self._session)}
                again = self._check(self._session)
                if [result.outcome for result in again] != [result.outcome for result in clean.values()]:
                    self._end_sessions()
                    raise Unsuitable("forks of the session see what earlier ones have done")
                self._clean = self._clean or clean
                self._checked = dict.fromkeys(clean, time.monotonic())
                self._usable = True
        if self._session is not None and self._early is None and self._early_usable:
            self._early_usable = False
            with suppress(Unsuitable):
                self._early = self._start(after=self._session)
                if not self._import_seconds:
                    self._check(self._early)
                    no_test = self._early.run({}, (), stop_at_first=False, limits=self._limits)
                    self._import_seconds = no_test.cpu_seconds
                self._early_usable = True
        return self._session is not None

    def _start(self, after: PytestSession | None = None) -> PytestSession:
        """Start a session that has collected, or, knowing one that has, an early one. Raises Unsuitable."""
        return PytestSession(
            self._tree,
            self._harness,
            limits=self._limits,
            level=self.level,
            interpreter=self._interpreter,
            hash_seed=self._hash_seed,
            after=after,
        )

    def _check(self, session: PytestSession) -> tuple[TestResult, ...]:
        """Return the results of the good tree in a session. Raises Unsuitable if it has others without."""
        run = session.run({}, self._tests, stop_at_first=False, limits=self._limits)
        if run.failing() and run.outcomes() != self._slow.run({}, RunOptions(tests=self._tests)).outcomes():
            self._end_sessions(session)
            raise Unsuitable("the good tree has other results in it")
        return run.results

    def _check_age(self, run: TestRun) -> None:
        """See whether the first test that failed passes on the good tree still. Raises Unsuitable if it does not."""
        failed = first_failing(run)
        if failed is None or self._session is None or failed in self._coverage.leaning:
            return
        if time.monotonic() - self._checked.get(failed, 0.0) < CHECKED_FOR_SECONDS:
            return
        self._checked[failed] = time.monotonic()
        good = self._session.run({}, [failed], stop_at_first=False, limits=self._limits)
        if good.failing() and self._clean[failed].outcome is TestOutcome.PASSED:
            self._end_sessions()
            raise Unsuitable("the session has grown too old")

    def _end_sessions(self, which: PytestSession | None = None) -> None:
        """End one session, or both."""
        if self._session is not None and which in (None, self._session):
            self._session.close()
            self._session = None
        if self._early is not None and which in (None, self._early):
            self._early.close()
            self._early = None

    def _limits_for(self, tests: Sequence[str], session: PytestSession) -> tuple[Limits, tuple[float, float]]:
        """A hang costs a few times what the test takes on the good tree, and all tests what they take there.

        Returns limits, and the CPU and wall seconds in which something must be heard of.
        """
        import_seconds = self._import_seconds if session is self._early else 0.0
        cpu = LEAST_SECONDS + TIMES_CLEAN * (import_seconds + self._clean_seconds(tests))
        longest = max((self._clean_seconds([test_id]) for test_id in tests), default=0.0)
        idle_cpu = LEAST_SECONDS + TIMES_CLEAN * (import_seconds + longest)
        idle = min(self._limits.cpu_seconds, idle_cpu), min(self._limits.wall_seconds, SILENT_SECONDS)
        return self._limits.model_copy(update={"cpu_seconds": min(self._limits.cpu_seconds, cpu)}), idle

    def _clean_seconds(self, tests: Sequence[str]) -> float:
        return sum(self._clean[t].cpu_seconds or 0.0 for t in tests if t in self._clean)

    def _places(self, changes: Mapping[str, bytes | None]) -> dict[str, tuple[int, int]] | None:
        """The lines of the good tree that each change replaces, from 1; None where a file comes or goes."""
        places = {}
        for path, data in changes.items():
            if data is None or path not in self._tree or not path.endswith(".py"):
                return None
            places[path] = changed_lines(self._tree[path], data)
        return places

    def _ordered(self, places: Mapping[str, tuple[int, int]], tests: Sequence[str]) -> list[str]:
        """Tests that told earlier changes nearby, the nearest first; then the others, the cheapest first.

        Those that share a fixture stay together, as they are.
        """
        near: dict[str, int] = {}
        for path, (first, _) in places.items():
            for line, test_id in self._told.get(path, ()):
                near[test_id] = min(near.get(test_id, 1 << 30), abs(line - first))
        groups: dict[str, list[str]] = {}
        for test_id in tests:
            groups.setdefault(self._groups.get(test_id, test_id), []).append(test_id)

        def rank(group: list[str]) -> tuple[int, float]:
            return min(near.get(test_id, 1 << 30) for test_id in group), self._clean_seconds(group)

        return [test_id for group in sorted(groups.values(), key=rank) for test_id in group]

    def _remember(self, places: Mapping[str, tuple[int, int]], run: TestRun) -> None:
        failed = first_failing(run)
        if failed is not None:
            for path, (line, _) in places.items():
                told = self._told.setdefault(path, [])
                told[:] = [*(entry for entry in told[-MOST_TOLD:] if entry != (line, failed)), (line, failed)]


def first_failing(run: TestRun) -> str | None:
    """Return the first test of a run that came to its turn and did not pass."""
    return next((r.test_id for r in run.failing() if r.outcome is not TestOutcome.MISSING), None)


def likeliest_first(
    run: Callable[[Sequence[str]], TestRun], tests: Sequence[str], stop_at_first: bool, *, loads: bool = False
) -> TestRun:
    """Run tests; if one failure is enough, first those of the first one's file alone: to collect costs, too.

    Where that file is not collected, whether any is has to be found out, unless it is known that one ``loads``.
    """
    file = tests[0].partition("::")[0]
    likely = [test_id for test_id in tests if test_id.startswith(f"{file}::")]
    rest = [test_id for test_id in tests if not test_id.startswith(f"{file}::")]
    first = run(likely if stop_at_first and rest else tests)
    if len(first.results) == len(tests):
        return first
    if first.failing() and (loads or first.load_error is None):
        return replace(first, results=(*first.results, *map(missing, rest)))
    second = run(rest)
    results, cpu_seconds = (*first.results, *second.results), first.cpu_seconds + second.cpu_seconds
    return TestRun(results, cpu_seconds, common_error(results), first.output + second.output)


def changed_lines(old: bytes, new: bytes) -> tuple[int, int]:
    """Return the first and last line of ``old``, from 1, that ``new`` has otherwise; for lines added the one before."""
    before, after = old.splitlines(), new.splitlines()
    head, tail = common_ends(before, after)
    first, last = head + 1, len(before) - tail
    return (first, last) if first <= last else (max(1, head), max(1, head))
