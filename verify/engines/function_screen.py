"""Tries many versions of one module with function tests in few processes: for a search over its own changes.

Hundreds of versions a second, each in a module of its own. They share a process with one another and with the tests,
so what passes here is no verdict: whoever searches runs it again by :class:`FunctionEngine`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from mendlab.corpora.tree import FileTree
from mendlab.records import FunctionHarness, Limits, SandboxLevel, TestOutcome, TestResult
from mendlab.verify.confinement.interpreter import Interpreter
from mendlab.verify.confinement.warm import WarmProcess
from mendlab.verify.engines.function_engine import oracle_config

Call = list[Any]
Word = Literal["passed", "failed", "slow", "broken"]
BATCH: Final = 128
TIMED_SECONDS: Final = 1.0
TRACED_SECONDS: Final = 0.3
"""CPU time of a test in a profile, without and with a tracer."""
PROFILE_SECONDS: Final = 20.0
BEHAVIOUR_SECONDS: Final = 10.0
CALL_SECONDS: Final = 0.1
PATIENCE: Final = 3


@dataclass(frozen=True, slots=True)
class Screened:
    """How a version fares: which of the first tests pass, by position, and whether all tests do."""

    passed: tuple[int, ...]
    word: Word


@dataclass(frozen=True, slots=True)
class Profile:
    """What tests do on a version: the results, the CPU ``seconds`` and the lines of each (``imported`` in any case),
    the types of names by function (``name:first line``), and the calls that tests make.
    """

    results: tuple[TestResult, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, frozenset[int]] = field(default_factory=dict)
    imported: frozenset[int] = frozenset()
    types: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)
    calls: tuple[Call, ...] = ()


class FunctionScreen:
    """Tries versions of the module of a tree that is that module alone. ``cpu_seconds`` grows with what is done.

    Raises:
        EngineError: from any method, where the confined process fails.
    """

    def __init__(
        self,
        tree: FileTree,
        harness: FunctionHarness,
        *,
        limits: Limits,
        level: SandboxLevel,
        interpreter: Interpreter,
    ) -> None:
        self.cpu_seconds = 0.0
        self._source = tree[harness.module]
        self._harness = harness
        self._limits = limits
        self._process = WarmProcess(
            "screen_run",
            oracle_config(tree, harness, limits, 0),
            interpreter=interpreter,
            level=level,
            limits=limits,
            serves="candidates",
        )

    def profile(self, tests: Sequence[str], endless: Collection[str] = ()) -> Profile:
        """Return what the tests do on the module as it is; those known to be ``endless`` are only traced a while."""
        request = {
            "ask": "profile",
            "source": self._source.decode("latin-1"),
            "program": self._program(tests, stop=False),
            "skip": list(endless),
            "seconds": TIMED_SECONDS,
            "traced_seconds": TRACED_SECONDS,
        }
        limits = self._at_most(PROFILE_SECONDS)
        events, done = self._process.run(request, limits)
        self.cpu_seconds += done.cpu_seconds
        if not events or "tests" not in events[-1]:
            return Profile()
        told = events[-1]
        tests_of = [(test, word or "timeout", *rest) for test, word, *rest in told["tests"]]
        return Profile(
            tuple(TestResult(test_id=t, outcome=TestOutcome(word), message=said) for t, word, said, *_ in tests_of),
            {test: cpu for test, word, _, cpu, _ in tests_of if word != "timeout"},
            {test: frozenset(lines) for test, *_, lines in tests_of},
            frozenset(told["imported"]),
            {place: {n: tuple(kinds) for n, kinds in names.items()} for place, names in told["types"].items()},
            tuple(told["calls"]),
        )

    def screen(
        self,
        sources: Sequence[bytes],
        first: Sequence[str],
        rest: Sequence[str],
        seconds: float,
        probe: str | None = None,
        more_seconds: float = 0.0,
    ) -> Iterator[Screened]:
        """Yield how each version fares, each in so many seconds of CPU time: ``rest`` is run if ``first`` pass.

        And these, if there is one, only if ``probe`` passes, and then in ``more_seconds``.
        """
        request = {
            "ask": "screen",
            "first": self._program(first, stop=False),
            "rest": self._program(rest, stop=True),
            "probe": None if probe is None else self._alone(probe),
            "seconds": seconds,
            "more_seconds": max(seconds, more_seconds),
        }
        done = 0
        while done < len(sources):
            batch = [source.decode("latin-1") for source in sources[done : done + BATCH]]
            events, ended = self._process.run(
                {**request, "sources": batch}, self._at_most(len(batch) * max(seconds, more_seconds) + 1.0)
            )
            self.cpu_seconds += ended.cpu_seconds
            for passed, word in events:
                yield Screened(tuple(passed), word)
            done += len(events)
            if len(events) < len(batch):
                yield Screened((), "slow")
                done += 1

    def behaviour(self, source: bytes, calls: Sequence[Call]) -> list[tuple[str, str] | None]:
        """Return how each call ends on a version: a word, and a digest equal for equal ends; None if unknown."""
        request = {
            "ask": "behave",
            "source": source.decode("latin-1"),
            "calls": list(calls),
            "seconds": CALL_SECONDS,
            "patience": PATIENCE,
        }
        events, done = self._process.run(request, self._at_most(BEHAVIOUR_SECONDS))
        self.cpu_seconds += done.cpu_seconds
        ends = [tuple(event) if event else None for event in events if not isinstance(event, dict)]
        return [*ends, *[None] * (len(calls) - len(ends))][: len(calls)]

    def close(self) -> None:
        """Hand the process back."""
        self._process.close()

    def _at_most(self, cpu_seconds: float) -> Limits:
        return self._limits.model_copy(
            update={"cpu_seconds": cpu_seconds, "wall_seconds": self._limits.wall_seconds + 10 * cpu_seconds}
        )

    def _alone(self, test: str) -> dict[str, Any]:
        """A program of one test, for which no other is run."""
        others = [step.test_id for group in self._harness.groups for step in group.steps if step.test_id != test]
        return {**self._program([test], stop=True), "skip": [other for other in others if other is not None]}

    def _program(self, tests: Sequence[str], *, stop: bool) -> dict[str, Any]:
        wanted = set(tests)
        groups = [
            index
            for index, group in enumerate(self._harness.groups)
            if any(step.test_id in wanted for step in group.steps)
        ]
        ordered = [
            step.test_id for index in groups for step in self._harness.groups[index].steps if step.test_id in wanted
        ]
        return {"groups": groups, "tests": ordered, "skip": [], "stop": stop}
