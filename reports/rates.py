"""How often a run is right: pass@k of what is correct, of what passes every test, and of what diverges.

A patch that only a lenient rung could apply is none of the three; reports/funnel.py has the rates with those.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from mendlab.records import CORRECT, PASSES_ALL_TESTS, Outcome, Task
from mendlab.reports.data import Judged
from mendlab.reports.statistics import Estimate, TaskCount, estimate_pass_at_k

DIVERGENT: Final = frozenset({Outcome.DIVERGENT})
_STEPS: Final = (1, 5, 10, 25, 50, 100)


@dataclass(frozen=True, slots=True)
class PassAtK:
    """One k, with infra errors left out, and with infra errors counted as failures."""

    k: int
    excluding_infra: Estimate
    infra_as_failure: Estimate


@dataclass(frozen=True, slots=True)
class Rates:
    """pass@k of a run for each k, by what counts as success."""

    correct: tuple[PassAtK, ...]
    passes_all_tests: tuple[PassAtK, ...]
    divergent: tuple[PassAtK, ...]


def rates(judged: Sequence[Judged]) -> Rates:
    """Return the rates over every sample that has a verdict."""
    return Rates(
        correct=pass_at_ks(judged, CORRECT),
        passes_all_tests=pass_at_ks(judged, PASSES_ALL_TESTS),
        divergent=pass_at_ks(judged, DIVERGENT),
    )


def pass_at_ks(judged: Sequence[Judged], success: Collection[Outcome]) -> tuple[PassAtK, ...]:
    """Return pass@k for k = 1, the usual steps up to the most samples any task has, and that number."""
    excluding = task_counts(judged, success, infra_as_failure=False)
    including = task_counts(judged, success, infra_as_failure=True)
    most = max((count.samples for count in including), default=1)
    ks = sorted({1, most} | {k for k in _STEPS if k <= most})
    return tuple(PassAtK(k, estimate_pass_at_k(excluding, k), estimate_pass_at_k(including, k)) for k in ks)


def task_counts(judged: Sequence[Judged], success: Collection[Outcome], *, infra_as_failure: bool) -> list[TaskCount]:
    """Return the counts of each task that has a verdict; infra errors are failures, or not samples at all."""
    samples: Counter[str] = Counter()
    successes: Counter[str] = Counter()
    tasks: dict[str, Task] = {}
    for one in judged:
        if one.outcome is None or (one.outcome is Outcome.INFRA_ERROR and not infra_as_failure):
            continue
        tasks[one.task.id] = one.task
        samples[one.task.id] += 1
        successes[one.task.id] += one.outcome in success and one.safely_applied
    return [TaskCount(t.id, t.subject, samples[t.id], successes[t.id], t.weight) for t in tasks.values()]
