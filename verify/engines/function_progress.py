"""What is known of the tests of one run of the function engine, over one or more pairs of processes."""

from __future__ import annotations

import signal
from dataclasses import replace
from typing import Any, Final

from mendlab.records import TestOutcome, TestResult
from mendlab.verify.confinement.warm import Done
from mendlab.verify.engines.engine import RunOptions, TestRun
from mendlab.verify.engines.script_engine import ending, outcome_of

MOST_LOSSES: Final = 3


class Progress:
    """Takes in what each pair of processes came to, and says what the next one is to run; none if ``rest`` is empty."""

    def __init__(self, order: list[tuple[int, list[str]]], asked: tuple[str, ...], options: RunOptions) -> None:
        self.rest = order
        self._asked = asked
        self._stop = options.stop_at_first
        self._decisive = options.decisive
        self._results: dict[str, TestResult] = {}
        self._lost: list[str] = []
        self._loaded = False
        self._careful = False
        self._load_error: str | None = None
        self._cpu_seconds = 0.0
        self._output = ""

    def request(self) -> dict[str, Any]:
        """What the oracle is to run next."""
        tests = [test for _, group in self.rest for test in group]
        return {
            "groups": [index for index, _ in self.rest],
            "tests": tests,
            "skip": self._lost,
            "stop": self._stop,
            "careful": self._careful,
        }

    def add(self, told: list[Any], oracle: Done, candidate: Done) -> None:
        """Take in what one pair of processes came to."""
        self._cpu_seconds += oracle.cpu_seconds + candidate.cpu_seconds
        self._output += candidate.output
        self._loaded = False
        last: dict[str, Any] = {}
        for last in told:
            if "test" in last:
                self._record(last["test"], TestOutcome(last["outcome"]), last["message"], last["cpu"])
            self._loaded = self._loaded or "loaded" in last
            if "load_error" in last:
                self._load_error = last["load_error"]
                self._all(TestOutcome.ERROR, last["load_error"])
        if not told and not self._careful:
            self._careful = True  # the oracle was brought down: once more, to see in which test
        elif "end" not in last and self.rest:
            self._lose(last, oracle, candidate)
        if self._stop and any(result.outcome is not TestOutcome.PASSED for result in self._results.values()):
            self.rest = []

    @property
    def hangs(self) -> bool:
        """Whether a test has run out of time: then nothing that is left can make the program right."""
        return any(result.outcome is TestOutcome.TIMEOUT for result in self._results.values())

    def done(self) -> TestRun:
        """The whole run's result."""
        missing = TestOutcome.MISSING
        results = tuple(self._results.get(test, TestResult(test_id=test, outcome=missing)) for test in self._asked)
        return TestRun(results, self._cpu_seconds, self._load_error, self._output)

    def _record(self, test: str, outcome: TestOutcome, message: str, cpu_seconds: float | None = None) -> None:
        if test in self._results:
            return
        self._results[test] = TestResult(test_id=test, outcome=outcome, message=message, cpu_seconds=cpu_seconds)
        self.rest = [(index, [t for t in tests if t not in self._results]) for index, tests in self.rest]
        self.rest = [(index, tests) for index, tests in self.rest if tests]

    def _all(self, outcome: TestOutcome, message: str) -> None:
        for test in [test for _, tests in self.rest for test in tests]:
            self._record(test, outcome, message)

    def _lose(self, last: dict[str, Any], oracle: Done, candidate: Done) -> None:
        """The candidate went away, or brought the oracle down: the test that was running takes the blame."""
        blamed = candidate if "lost" in last else oracle
        if blamed.limit == "cancelled":
            blamed = replace(blamed, limit=None)
        outcome = _outcome_of_loss(last.get("lost"), blamed)
        message = ending(blamed)
        if "lost" in last and blamed.limit is None:
            message = f"the candidate is no longer heard: {last['lost']}; {message}"
        if not self._loaded:
            self._load_error = f"the module's import ended the process: {message}"
            self._all(outcome, self._load_error)
            return
        test = self.rest[0][1][0]
        self._lost.append(test)
        self._record(test, outcome, message)
        if test in self._decisive:
            self.rest = []
        if len(self._lost) >= MOST_LOSSES:
            self._all(outcome, f"not run: {MOST_LOSSES} tests before it ended like this")


def _outcome_of_loss(how: str | None, done: Done) -> TestOutcome:
    if how == "memory":
        return TestOutcome.OUT_OF_MEMORY
    if done.signal == signal.SIGXCPU:
        return TestOutcome.TIMEOUT
    return outcome_of(done) or TestOutcome.CRASH
