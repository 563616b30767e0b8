"""The engine for a project's own pytest suite (:class:`mendlab.records.PytestHarness`), under its own interpreter.

Every run is one whole pytest session in a confined process that has imported pytest already but nothing of the
project's; so a warm run and a fresh one begin alike. Where a run dies, the test that was running answers for it, and
the others are run again without it, at most :data:`FURTHER_RUNS` times; then what is left shares that fate.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from mendlab.corpora.tree import FileTree
from mendlab.errors import SubjectError
from mendlab.records import Limits, PytestHarness, SandboxLevel, TestOutcome, TestResult
from mendlab.verify.confinement.interpreter import Interpreter
from mendlab.verify.confinement.warm import Done, WarmProcess
from mendlab.verify.engines.coverage import COMMON, Coverage
from mendlab.verify.engines.engine import OTHER_HASH_SEED, RunOptions, TestRun
from mendlab.verify.engines.pytest_events import Lines, RunRecord, Uncollected
from mendlab.verify.engines.pytest_steering import admissible
from mendlab.verify.engines.script_engine import encode_changes, encode_tree, ending, outcome_of

FURTHER_RUNS = 3
COLLECTING_SECONDS = 20.0
_ALTERED = "the program has changed pytest itself"
_PLACE = re.compile(r"(?P<where>[^:\n]+:\d+): (?P<what>.*)", re.DOTALL)


class PytestEngine:
    """Runs a project's tests against changed trees.

    Test ids are those that two collections of the good tree agree on, in two processes with different hash seeds: ids
    with a memory address or the order of a set in them are no names. A program shares its process with its tests, so
    results can be forged by one that sets out to; see :mod:`mendlab.verify.confined.pytest_run.pytest_run_plugin`.

    Raises:
        SubjectError: the interpreter has no pytest.
    """

    def __init__(
        self,
        tree: FileTree,
        harness: PytestHarness,
        *,
        limits: Limits,
        level: SandboxLevel,
        interpreter: Interpreter,
        hash_seed: int = 0,
    ) -> None:
        if not interpreter.has_pytest:
            raise SubjectError(
                "this interpreter has no pytest",
                where=interpreter.executable,
                hint="install pytest there, or name another interpreter with --python",
            )
        self.interpreter = interpreter
        self._test_files = harness.test_files
        self._altered: list[str] = []
        self._limits = limits
        config = {"files": encode_tree(tree), "arguments": list(harness.arguments)}

        def warm(seed: int) -> WarmProcess:
            return WarmProcess(
                "pytest_run", config, interpreter=interpreter, level=level, limits=limits, hash_seed=seed
            )

        self._warm = warm(hash_seed)
        self._other = warm(0 if hash_seed else OTHER_HASH_SEED)

    @property
    def level(self) -> SandboxLevel:
        """The confinement that runs really have."""
        return self._warm.level

    @property
    def test_ids(self) -> tuple[str, ...]:
        """Every test id of the good tree, in pytest's order.

        Raises:
            SubjectError: there are none, or collecting them fails; says where and why.
            EngineError: the engine itself failed.
        """
        return self._test_ids

    @cached_property
    def _test_ids(self) -> tuple[str, ...]:
        collected = self._collect(self._warm)
        try:
            again = set(self._collect(self._other))
        finally:
            self._other.close()
        return tuple(dict.fromkeys(test_id for test_id in collected if test_id in again))

    def survey(self) -> tuple[tuple[str, ...], tuple[Uncollected, ...]]:
        """Return the test ids of a tree of which not all can be collected, and what of it cannot, with why.

        Raises:
            SubjectError: pytest's own session fails: its options, a conftest file.
            EngineError: the engine itself failed.
        """
        collected, uncollected = self._collect_all(self._warm)
        again = set(self._collect_all(self._other)[0])
        return tuple(dict.fromkeys(test_id for test_id in collected if test_id in again)), uncollected

    @property
    def altered(self) -> tuple[str, ...]:
        """The functions of pytest that the good tree itself replaces; known once its tests are collected."""
        return tuple(self._altered)

    def run(
        self,
        changes: Mapping[str, bytes | None],
        options: RunOptions = RunOptions(),  # noqa: B008
        limits: Limits | None = None,
        collected_seconds: float | None = None,
    ) -> TestRun:
        """Run the tests asked for, under the engine's ``limits`` or others. Raises EngineError.

        Once they are collected they have ``collected_seconds`` of CPU, where that is less.

        Raises:
            SubjectError: as :attr:`test_ids` does.
        """
        asked = tuple(self.test_ids if options.tests is None else dict.fromkeys(options.tests))
        run = self._run(asked, changes, options, limits, collected_seconds)
        if "_test_ids" not in self.__dict__ and any(_ALTERED in result.message for result in run.results):
            self._test_ids  # noqa: B018 - it may be the good tree itself that alters pytest: collecting it tells
            run = self._run(asked, changes, options, limits, collected_seconds)
        return run

    def _run(
        self,
        asked: Sequence[str],
        changes: Mapping[str, bytes | None],
        options: RunOptions,
        limits: Limits | None,
        collected_seconds: float | None,
    ) -> TestRun:
        if options.fresh:
            self._warm.start(fresh=True)
        whole = _Whole(tuple(asked))
        request = {
            "changes": encode_changes(admissible(changes, self._test_files)),
            "mode": "run",
            "stop_at_first": options.stop_at_first,
            "shuffle_seed": options.shuffle_seed,
            "clock_offset": options.clock_offset,
        }
        for _ in range(1 + FURTHER_RUNS):
            left = whole.left()
            if not left:
                break
            record, done = self._session(self._warm, request, left, limits, options.heard, collected_seconds)
            whole.take(record, done)
            if whole.settled or (options.stop_at_first and whole.failed()):
                break
        return whole.test_run(stopped=options.stop_at_first)

    def coverage(
        self,
        tests: Sequence[str] | None = None,
        heard: Callable[[int], None] | None = None,
        collecting_seconds: float = COLLECTING_SECONDS,
    ) -> Coverage:
        """Return which lines of the good tree each test runs: in one run of them (all if ``None``), and by itself.

        And which lines each file of tests runs that is collected by itself, as many as ``collecting_seconds`` of CPU
        time allow.

        Of tests that are named it is expected that they pass in that run: one that does not may have run less than it
        should. ``heard`` is told how many of these runs of tests, two each, have ended.

        Raises:
            SubjectError: the run does not come to its end.
        """
        request = {
            "changes": {},
            "mode": "trace",
            "stop_at_first": False,
            "shuffle_seed": None,
            "collecting_seconds": collecting_seconds,
        }
        record, done = self._session(self._warm, request, self.test_ids if tests is None else tests, heard=heard)
        if record.code is None:
            raise SubjectError(f"recording what the tests reach did not end: {ending(done).splitlines()[0]}")
        passed = {test_id for test_id, result in record.results.items() if result.outcome is TestOutcome.PASSED}
        unsure = [test_id for test_id in tests or () if test_id not in passed or test_id not in record.alone]
        leaning = [test_id for test_id in passed if record.alone.get(test_id) is not TestOutcome.PASSED]
        return Coverage.of(record.lines, record.files, exclude=self._test_files, unsure=unsure, leaning=leaning)

    def trace(self, tests: Sequence[str], alone: Collection[str], limits: Limits) -> Traced:
        """Return what tests run of the tree, whether they pass or not: in this order, as far as limits let them come.

        Those ``alone`` are run by themselves first, too. What does not pass, and in the same way by itself, may run
        anything; others that are not run by themselves may run more by themselves. Raises EngineError.
        """
        request = {"changes": {}, "mode": "trace", "stop_at_first": False, "shuffle_seed": None, "alone": list(alone)}
        record, done = self._session(self._warm, request, tests, limits)
        outcomes = {test_id: result.outcome for test_id, result in record.results.items()}
        told = {test: lines for test, lines in record.lines.items() if test in outcomes or test == COMMON}
        unsure = [
            test for test, outcome in outcomes.items() if record.alone.get(test, TestOutcome.PASSED) is not outcome
        ]
        known = Coverage.of(told if COMMON in told else {}, exclude=self._test_files, unsure=unsure)
        return Traced(known, record.results, done.cpu_seconds)

    def infection(
        self,
        tests: Sequence[str],
        mutants: Sequence[Sequence[object]],
        alone: Collection[str],
        heard: Callable[[int], None] | None = None,
    ) -> tuple[dict[str, Lines], dict[str, TestOutcome], float]:
        """Return what instrumented runs of the good tree tell of changes, the outcomes, and the CPU seconds.

        All tests run in turn, and those ``alone`` by themselves; ``heard`` is as for :meth:`coverage`.

        What is told, by test id and under ``""`` of all, is as in
        :mod:`mendlab.verify.confined.infection.infection_run`; nothing is, where the run does not come to its end.
        Raises EngineError, and SubjectError as :attr:`test_ids` does.
        """
        request = {
            "changes": {},
            "mode": "infection",
            "stop_at_first": False,
            "shuffle_seed": None,
            "mutants": mutants,
            "by_themselves": list(alone),
        }
        record, done = self._session(self._warm, request, tests, heard=heard)
        outcomes = {test_id: result.outcome for test_id, result in record.results.items() if test_id in record.alone}
        return {} if record.code is None else record.lines, outcomes, done.cpu_seconds

    def record_calls(self, tests: Sequence[str], sources: Sequence[str]) -> tuple[dict[str, Any], float]:
        """Return the ``calls`` that tests make from outside to the functions of some files, the ``modules`` of these.

        And the CPU seconds it took. Nothing is returned where the session does not come to its end. See
        :mod:`mendlab.verify.confined.calls.calls`. Raises EngineError.
        """
        request = {"changes": {}, "mode": "record", "stop_at_first": False, "shuffle_seed": None, "sources": sources}
        record, done = self._session(self._warm, request, tests)
        return record.recorded, done.cpu_seconds

    def close(self) -> None:
        """End every process of the engine."""
        self._warm.close()
        self._other.close()

    def _collect(self, warm: WarmProcess) -> list[str]:
        collected, uncollected = self._collect_all(warm)
        errors = [entry.message for entry in uncollected if entry.outcome is TestOutcome.ERROR]
        if errors:
            raise _refusal(errors[0], "its tests cannot be collected")
        if not collected:
            raise SubjectError("pytest finds no tests", hint="name the directory that has the tests, or write some")
        return collected

    def _collect_all(self, warm: WarmProcess) -> tuple[list[str], tuple[Uncollected, ...]]:
        request = {"changes": {}, "mode": "collect", "stop_at_first": False, "shuffle_seed": None}
        record, done = self._session(warm, request, None)
        if record.broken:
            raise _refusal(record.broken, "its tests cannot be collected")
        if record.code is None:
            how = ending(done).splitlines()[0]
            raise SubjectError(f"collecting its tests does not end well: {how}", where=record.current)
        if not record.collected and not record.uncollected and (said := _pytest_error(done)):
            raise _refusal(said, "pytest refuses its options")
        self._altered = record.altered
        return record.collected, tuple(record.uncollected)

    def _session(
        self,
        warm: WarmProcess,
        request: Mapping[str, object],
        tests: Sequence[str] | None,
        limits: Limits | None = None,
        heard: Callable[[int], None] | None = None,
        collected_seconds: float | None = None,
    ) -> tuple[RunRecord, Done]:
        """Do one pytest session in a run of its own."""
        limits = limits or self._limits
        nonce = secrets.token_hex(16)
        record = RunRecord(nonce, None if tests is None else frozenset(tests))
        warm.begin({**request, "tests": tests, "nonce": nonce, "altered": self._altered}, limits=limits)
        for event in warm.events():
            if isinstance(event, Done):
                return record, event
            record.hear(event)
            if collected_seconds is not None and record.collecting_seconds is not None:
                cpu = min(limits.cpu_seconds, record.collecting_seconds + collected_seconds)
                warm.allow(limits.model_copy(update={"cpu_seconds": cpu}))
                collected_seconds = None
            if heard is not None:
                heard(len(record.alone) + len(record.results))
        raise AssertionError("a run ends with Done")


@dataclass(frozen=True, slots=True)
class Traced:
    """What one traced run tells: of the tests that it came to what they run and the results; and its CPU seconds."""

    coverage: Coverage
    results: Mapping[str, TestResult]
    cpu_seconds: float


@dataclass(slots=True)
class _Whole:
    """What is known of the tests asked for, over the sessions of a run. ``settled`` when no session can add to it."""

    asked: tuple[str, ...]
    results: dict[str, TestResult] = field(default_factory=dict)
    cpu_seconds: float = 0.0
    load_error: str | None = None
    output: str = ""
    settled: bool = False
    fate: tuple[TestOutcome, str] | None = None

    def left(self) -> tuple[str, ...]:
        return tuple(test_id for test_id in self.asked if test_id not in self.results)

    def failed(self) -> bool:
        return any(result.outcome is not TestOutcome.PASSED for result in self.results.values())

    def take(self, record: RunRecord, done: Done) -> None:
        """Add what one session told, and find who answers for what it did not tell."""
        self.cpu_seconds += done.cpu_seconds
        self.output += done.output
        self.results.update(record.results)
        for entry in record.uncollected:
            self._give([test_id for test_id in self.left() if entry.covers(test_id)], entry.outcome, entry.message)
        self.fate = None
        if record.code is not None and record.current is None and record.broken is None:
            self._end(record, done)
            return
        outcome = outcome_of(done) or TestOutcome.CRASH
        message = ending(done)
        if record.broken is not None:
            outcome, message = (outcome_of(done) or TestOutcome.ERROR), record.broken
        self.fate = (outcome, message)
        blamed = [test_id for test_id in self.left() if _answers(record.current, test_id)]
        if blamed:
            self._give(blamed, outcome, message)
        else:
            if not record.results:
                self.load_error = message.splitlines()[0]
            self.settled = True

    def _end(self, record: RunRecord, done: Done) -> None:
        """The session came to its end: what was not heard of is not there."""
        self.settled = True
        said = _pytest_error(done)
        if record.code == 4 and said and not record.results:
            self.load_error = said
            self.fate = (TestOutcome.ERROR, said)

    def _give(self, tests: Sequence[str], outcome: TestOutcome, message: str) -> None:
        for test_id in tests:
            if outcome is TestOutcome.MISSING and not message:
                self.results[test_id] = missing(test_id)
            else:
                self.results[test_id] = TestResult(test_id=test_id, outcome=outcome, message=message)

    def test_run(self, *, stopped: bool) -> TestRun:
        fate = None if stopped and self.failed() else self.fate  # of those left, where it was ended between two tests
        outcome, message = fate or (TestOutcome.MISSING, "")
        if self.load_error is not None and self.fate is not None:
            outcome, message = self.fate
        self._give(self.left(), outcome, message)
        ordered = tuple(self.results[test_id] for test_id in self.asked)
        return TestRun(ordered, self.cpu_seconds, self.load_error or common_error(ordered), self.output)


@lru_cache(maxsize=20_000)
def missing(test_id: str) -> TestResult:
    """Return the result of a test that nothing is heard of."""
    return TestResult(test_id=test_id, outcome=TestOutcome.MISSING)


def whole_run(tests: Sequence[str], record: RunRecord, done: Done) -> TestRun:
    """Return what one session told of the tests; those that it did not come to are missing."""
    whole = _Whole(tuple(tests))
    whole.take(record, done)
    return whole.test_run(stopped=True)


def _answers(current: str | None, test_id: str) -> bool:
    """Whether a test is what was going on: that test itself, or one of the file that was being collected."""
    return current is not None and (test_id == current or test_id.startswith(f"{current}::"))


def common_error(results: Sequence[TestResult]) -> str | None:
    """Return the message when not one test came to run: all are errors without a time of their own."""
    if results and all(r.outcome is TestOutcome.ERROR and r.cpu_seconds is None for r in results):
        return results[0].message
    return None


def _pytest_error(done: Done) -> str | None:
    """Return what pytest says of options it cannot use, from the last lines of its output."""
    said = [line for line in done.output.splitlines() if "rror: " in line or line.startswith("ERROR")]
    return said[-1].removeprefix("ERROR: ").strip() if said else None


def _refusal(message: str, otherwise: str) -> SubjectError:
    """Return the error for a message of the confined side, ``file:line: what`` in one line."""
    line = " ".join(message.split()) or otherwise
    placed = _PLACE.match(line)
    hint = "mend the project, or install what it needs in its interpreter (--python names another)"
    if placed is None:
        return SubjectError(f"{otherwise}: {line}", hint=hint)
    return SubjectError(f"{otherwise}: {placed['what']}", where=placed["where"], hint=hint)
