"""A state of a commit, and all that was seen of its tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from mendlab.corpora.tree import FileTree
from mendlab.harvest.states.reports import Counts, FlakyKind
from mendlab.records import TestOutcome, TestResult
from mendlab.verify.engines.engine import TestRun
from mendlab.verify.engines.pytest_events import Uncollected

_NOTHING_TOLD: Final = frozenset({TestOutcome.SKIPPED, TestOutcome.XFAILED, TestOutcome.MISSING})


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
