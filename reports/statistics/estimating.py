"""From the counts of tasks to rates over a task set."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mendlab.reports.statistics.intervals import mean_estimate, wilson
from mendlab.reports.statistics.passing import pass_at_k, pass_hat_k
from mendlab.reports.statistics.records import Estimate, TaskCount


def estimate_pass_at_k(counts: Sequence[TaskCount], k: int = 1) -> Estimate:
    """Return pass@k of each task averaged over tasks by weight; tasks with fewer than ``k`` samples are left out.

    One sample of each task, equal weights, every task of a subject of its own: Wilson's interval. Otherwise
    :func:`mean_estimate` with the subjects as clusters.
    """
    return _estimate(counts, k, pass_at_k)


def estimate_pass_hat_k(counts: Sequence[TaskCount], k: int = 1) -> Estimate:
    """Return pass^k, the chance that all k samples succeed, in the same way."""
    return _estimate(counts, k, pass_hat_k)


def _estimate(counts: Sequence[TaskCount], k: int, of_task: Callable[[int, int, int], float | None]) -> Estimate:
    values = [(count, of_task(count.samples, count.successes, k)) for count in counts if count.weight > 0]
    scored = [(count, value) for count, value in values if value is not None]
    clusters = cluster_names([(count.task, count.subject) for count, _ in scored])
    single = all(count.samples == 1 for count, _ in scored) and len({count.weight for count, _ in scored}) == 1
    if single and len(set(clusters)) == len(scored):
        successes = sum(count.successes for count, _ in scored)
        low, high = wilson(successes, len(scored))
        return Estimate(successes / len(scored), low, high, "wilson", len(scored), len(scored))
    return mean_estimate([value for _, value in scored], [count.weight for count, _ in scored], clusters)


def cluster_names(tasks: Sequence[tuple[str, str]]) -> list[str]:
    """Return the cluster of each task, given with its subject: the subject; the task itself, where all have one."""
    one_subject = len({subject for _, subject in tasks}) <= 1
    return [task if one_subject else subject for task, subject in tasks]
