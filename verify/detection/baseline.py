"""What the tests of a good tree say, before anything is judged by them: which pass every time, and which do not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from mendlab.corpora.candidates import LoadedSubject, Refusal
from mendlab.records import Baseline, Limits, TestOutcome
from mendlab.verify.bench import Bench
from mendlab.verify.engines.engine import ENDS_THE_PROCESS, OTHER_HASH_SEED, RunOptions, TestRun

CLEAN_LIMITS = Limits(cpu_seconds=60.0, wall_seconds=180.0)
COLLECTION: Final = "collection"
"""What stands in for the tests of a program of which none can be run; its message says why."""


def problem(baseline: Baseline) -> str | None:
    """Say why a program cannot be a subject, or return None if it can."""
    if baseline.passing:
        return None
    if baseline.failing:
        first = baseline.failing[0]
        if first.test_id == COLLECTION:
            return first.message
        lines = first.message.strip().splitlines() or [first.outcome.value]
        why = lines[0] if first.outcome in ENDS_THE_PROCESS else lines[-1]
        return f"its own tests do not pass: {first.test_id}: {why}"
    return "no test of it passes in every run" if baseline.flaky else "it has no tests"


def unusable(baselines: Iterable[Baseline]) -> list[Refusal]:
    """Return the subjects among these that have no test to rely on, each with the reason."""
    reasons = ((baseline.subject, problem(baseline)) for baseline in baselines)
    return [Refusal(subject, reason) for subject, reason in reasons if reason is not None]


def take_baseline(
    loaded: LoadedSubject, bench: Bench, runs: int = 3, heard: Callable[[int, int], None] | None = None
) -> Baseline:
    """Run the good tree's tests ``runs`` times: as they stand, then shuffled in new processes with another hash seed.

    A test that hangs or dies the first time cannot be relied on, and is not run again. ``heard`` is told how many runs
    of tests of a pytest suite have ended, and how many there will be.

    Raises:
        SubjectError: the program cannot be tested as it is.
        EngineError: the engine fails.
    """
    engine = bench.open(loaded.tree, loaded.subject.harness, CLEAN_LIMITS)
    try:
        first = engine.run({}, RunOptions(heard=_further(heard, 0, runs * len(engine.test_ids))))
    finally:
        engine.close()
    if not any(result.outcome is TestOutcome.PASSED for result in first.results):
        return compare(loaded.subject.id, [first])
    again = [result.test_id for result in first.results if result.outcome not in ENDS_THE_PROCESS]
    other = bench.open(loaded.tree, loaded.subject.harness, CLEAN_LIMITS, hash_seed=OTHER_HASH_SEED)
    try:
        further = [
            RunOptions(tests=again, shuffle_seed=seed, heard=_further(heard, seed * len(again), runs * len(again)))
            for seed in range(1, runs)
        ]
        return compare(loaded.subject.id, [first, *(other.run({}, options) for options in further)])
    finally:
        other.close()


def _further(heard: Callable[[int, int], None] | None, before: int, total: int) -> Callable[[int], None] | None:
    return None if heard is None else lambda done: heard(before + done, total)


def compare(subject: str, runs: list[TestRun]) -> Baseline:
    """Sort the tests of several clean runs into passing, failing and flaky."""
    seen: dict[str, set[TestOutcome]] = {}
    for run in runs:
        for result in run.results:
            seen.setdefault(result.test_id, set()).add(result.outcome)
    passing = tuple(test_id for test_id, outcomes in seen.items() if outcomes == {TestOutcome.PASSED})
    failing = tuple(result for result in runs[0].results if TestOutcome.PASSED not in seen[result.test_id])
    known = {*passing, *(result.test_id for result in failing)}
    flaky = tuple(test_id for test_id in seen if test_id not in known)
    return Baseline(subject=subject, passing=passing, failing=failing, flaky=flaky, cpu_seconds=runs[0].cpu_seconds)


def task_limits(baseline: Baseline) -> Limits:
    """Return the limits a task gets: CPU of 2 s, doubled until it is at least four times the clean run.

    In such coarse steps the same program gets the same limits on every machine and in every run.
    """
    cpu = 2.0
    while cpu < 4 * baseline.cpu_seconds:
        cpu *= 2
    return Limits(cpu_seconds=cpu, wall_seconds=max(30.0, 5 * cpu))


def hang_limits(baseline: Baseline) -> Limits:
    """Return the tight limits under which mutants are first tried: a hang costs a few times the clean run."""
    cpu = 0.5 + 5 * baseline.cpu_seconds
    return Limits(cpu_seconds=cpu, wall_seconds=max(15.0, 5 * cpu))
