"""How often a run is right: pass@k of what is correct, of what passes every test, and of what diverges.

A patch that only a lenient rung could apply is none of the three; reports/funnel.py has the rates with those.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mendlab.records import CORRECT, PASSES_ALL_TESTS, Outcome, Task
from mendlab.reports.data import Judged
from mendlab.reports.statistics import Estimate, TaskCount, estimate_pass_at_k, estimate_pass_hat_k

DIVERGENT: Final = frozenset({Outcome.DIVERGENT})
TRAP: Final = "trap"
_STEPS: Final = (1, 5, 10, 25, 50, 100)


@dataclass(frozen=True, slots=True)
class PassAtK:
    """One k, with infra errors left out, and with infra errors counted as failures."""

    k: int
    excluding_infra: Estimate
    infra_as_failure: Estimate


@dataclass(frozen=True, slots=True)
class Rates:
    """The rates of a run by what counts as success: pass@k for each k, every task counting alike.

    ``correct_every_time`` is pass^k: all k samples are correct. ``by_weight`` is pass@1 of what is correct with the
    tasks' weights, where these differ; ``without_traps`` the same without the tasks that are tagged as traps, where
    there are both. ``end_to_end`` is the share of all samples that were to be made which are correct: what was not
    made, not judged, or lost to the lab has failed.
    """

    correct: tuple[PassAtK, ...]
    passes_all_tests: tuple[PassAtK, ...]
    divergent: tuple[PassAtK, ...]
    correct_every_time: tuple[PassAtK, ...]
    by_weight: PassAtK | None
    without_traps: PassAtK | None
    end_to_end: Estimate


def rates(judged: Sequence[Judged], tasks: Sequence[Task], wanted: Mapping[str, int]) -> Rates:
    """Return the rates over every sample that has a verdict; of each task, by its id, so many were ``wanted``."""
    others = [one for one in judged if TRAP not in one.task.tags]
    return Rates(
        correct=pass_at_ks(judged, CORRECT),
        passes_all_tests=pass_at_ks(judged, PASSES_ALL_TESTS),
        divergent=pass_at_ks(judged, DIVERGENT),
        correct_every_time=pass_at_ks(judged, CORRECT, estimate_pass_hat_k),
        by_weight=_at_first(judged, weighted=True) if len({task.weight for task in tasks}) > 1 else None,
        without_traps=_at_first(others) if 0 < len(others) < len(judged) else None,
        end_to_end=_end_to_end(judged, tasks, wanted),
    )


def pass_at_ks(
    judged: Sequence[Judged],
    success: Collection[Outcome],
    estimate: Callable[[Sequence[TaskCount], int], Estimate] = estimate_pass_at_k,
) -> tuple[PassAtK, ...]:
    """Return pass@k for k = 1, the usual steps up to the most samples any task has, and that number."""
    excluding = task_counts(judged, success, infra_as_failure=False)
    including = task_counts(judged, success, infra_as_failure=True)
    most = max((count.samples for count in including), default=1)
    ks = sorted({1, most} | {k for k in _STEPS if k <= most})
    return tuple(PassAtK(k, estimate(excluding, k), estimate(including, k)) for k in ks)


def task_counts(
    judged: Sequence[Judged], success: Collection[Outcome], *, infra_as_failure: bool, weighted: bool = False
) -> list[TaskCount]:
    """Return the counts of each task that has a verdict; infra errors are failures, or not samples at all.

    Tasks weigh alike unless ``weighted``; what has no weight counts for nothing in any case.
    """
    samples: Counter[str] = Counter()
    successes: Counter[str] = Counter()
    tasks: dict[str, Task] = {}
    for one in judged:
        if one.outcome is None or (one.outcome is Outcome.INFRA_ERROR and not infra_as_failure):
            continue
        tasks[one.task.id] = one.task
        samples[one.task.id] += 1
        successes[one.task.id] += one.counts_as(success)
    return [TaskCount(t.id, t.subject, samples[t.id], successes[t.id], _weight(t, weighted)) for t in tasks.values()]


def _weight(task: Task, weighted: bool) -> float:
    return task.weight if weighted else float(task.weight > 0)


def _at_first(judged: Sequence[Judged], *, weighted: bool = False) -> PassAtK:
    counts = (task_counts(judged, CORRECT, infra_as_failure=infra, weighted=weighted) for infra in (False, True))
    return PassAtK(1, *map(estimate_pass_at_k, counts))


def _end_to_end(judged: Sequence[Judged], tasks: Sequence[Task], wanted: Mapping[str, int]) -> Estimate:
    correct = Counter(one.task.id for one in judged if one.counts_as(CORRECT))
    made = Counter(one.task.id for one in judged)
    counts = [
        TaskCount(t.id, t.subject, max(wanted[t.id], made[t.id]), correct[t.id], _weight(t, weighted=False))
        for t in tasks
    ]
    return estimate_pass_at_k(counts)
