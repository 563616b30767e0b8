"""What runs tests: one interface, an engine for each kind of harness.

An engine is opened once for a good tree and its harness, keeps whatever it can keep warm, and runs any number of
changed trees. ``fresh=True`` is the slow path: a new confined process for every run; it shares nothing, and it is the
oracle for the fast path.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from mendlab.records import SandboxLevel, TestOutcome, TestResult

OTHER_HASH_SEED: Final = 4242
"""Where two runs are to differ in the order of sets, one has hash seed 0 and the other this."""
REVERSED: Final = -1
"""The seed that has pytest items run from the last to the first."""
ENDS_THE_PROCESS: Final = frozenset({TestOutcome.TIMEOUT, TestOutcome.CRASH, TestOutcome.OUT_OF_MEMORY})
"""Outcomes after which no other test of the same process is heard of."""


@dataclass(frozen=True, slots=True)
class TestRun:
    """What came of one run: a result for every test asked for, in the order asked.

    ``load_error`` is the message where the program under test could not even be imported (every test is then an
    ``error``). ``cpu_seconds`` is the CPU time of the run's whole tree of processes. ``reached`` are the tests asked
    for that come by what is changed, ``infected`` those whose state it may change: None where that is not known.
    ``in_the_same_words``: the candidate was asked what the good program was, and answered the same.
    """

    __test__ = False

    results: tuple[TestResult, ...]
    cpu_seconds: float
    load_error: str | None = None
    output: str = ""
    reached: frozenset[str] | None = None
    infected: frozenset[str] | None = None
    alike: bool | None = None
    in_the_same_words: bool = False

    def outcomes(self) -> dict[str, TestOutcome]:
        """Return the outcome by test id."""
        return {result.test_id: result.outcome for result in self.results}

    def failing(self) -> tuple[TestResult, ...]:
        """Return the results that are no pass."""
        return tuple(result for result in self.results if result.outcome is not TestOutcome.PASSED)


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How to run: ``tests`` (all if ``None``), whether to stop at the first that does not pass, in which order.

    ``shuffle_seed`` shuffles where order may not matter: pytest items, groups of steps; never the steps inside a group.
    :data:`REVERSED` has pytest items run from the last to the first.
    Once one of the tests in ``decisive`` hangs or dies, an engine may leave the rest alone (``missing``).
    ``clock_offset`` moves the clock of a pytest run by seconds, where its environment was made for that.
    What is to be run ``often`` is worth finding out what the good tree does by it. A pytest engine tells ``heard`` how
    many tests have ended.
    """

    tests: Collection[str] | None = None
    stop_at_first: bool = False
    shuffle_seed: int | None = None
    decisive: Collection[str] = ()
    fresh: bool = False
    clock_offset: float = 0.0
    often: bool = False
    heard: Callable[[int], None] | None = None


class Engine(Protocol):
    """Runs the tests of one harness against changed trees. Not thread-safe: one engine a worker."""

    @property
    def test_ids(self) -> tuple[str, ...]:
        """Every test id of the harness, in order (for pytest: as collected from the good tree)."""
        ...

    @property
    def level(self) -> SandboxLevel:
        """The confinement that runs really have."""
        ...

    def run(self, changes: Mapping[str, bytes | None], options: RunOptions = ...) -> TestRun:
        """Run tests against the good tree with ``changes`` laid over it (``None`` removes a file).

        Raises:
            EngineError: the engine itself failed; the candidate is not to blame.
        """
        ...

    def close(self) -> None:
        """End every process of the engine."""
        ...
