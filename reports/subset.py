"""The headline rate of a run on some of the tasks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mendlab.records import CORRECT, Outcome, Task
from mendlab.reports.data import Judged
from mendlab.reports.rates import task_counts
from mendlab.reports.statistics import Estimate, estimate_pass_at_k


def correct_on(judged: Sequence[Judged], keep: Callable[[Task], bool]) -> Estimate:
    """Return correct pass@1 on the tasks to keep, infra errors left out; undefined where no verdict is left."""
    kept = [one for one in judged if keep(one.task)]
    return estimate_pass_at_k(task_counts(kept, CORRECT, infra_as_failure=False))


def solve_rates(judged: Sequence[Judged]) -> dict[str, float]:
    """Return for each task the share of its verdicts, infra errors left out, that are correct."""
    counts = task_counts(
        [one for one in judged if one.outcome is not Outcome.INFRA_ERROR], CORRECT, infra_as_failure=True
    )
    return {count.task: count.successes / count.samples for count in counts}
