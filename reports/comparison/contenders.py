"""Who is compared: runs of one repairer with the same settings are one contender, whatever their seeds."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mendlab.records import CORRECT, Outcome, Task
from mendlab.reports.data import Material, RunData, join
from mendlab.reports.rates import task_counts
from mendlab.reports.statistics import Estimate, TaskCount, estimate_pass_at_k
from mendlab.reports.summary import models_of, run_labels

TOLD_APART = ("noop", "reference")
"""Strategies whose differences from others are no question."""


@dataclass(frozen=True, slots=True)
class Contender:
    """One repairer with its runs.

    ``rate`` is of all samples of its runs together, infra errors left out; ``failing_infra`` the same with these
    counted as failures. ``of_runs`` has the rate of each run.
    """

    label: str
    runs: tuple[str, ...]
    baseline: bool
    is_bound: bool
    rate: Estimate
    failing_infra: Estimate
    of_runs: tuple[float, ...]
    infra_errors: int
    counts: Mapping[str, TaskCount]
    counts_failing_infra: Mapping[str, TaskCount]

    @property
    def span(self) -> tuple[float, float] | None:
        """The lowest and the highest rate of its runs, where there are several."""
        return (min(self.of_runs), max(self.of_runs)) if len(self.of_runs) > 1 else None


def contenders(material: Material) -> tuple[Contender, ...]:
    """Return who is compared, best first.

    Raises:
        InputError: a run has a task that is not in the set.
    """
    groups: dict[str, list[RunData]] = {}
    for run in material.runs:
        groups.setdefault(_settings(run), []).append(run)
    labels = run_labels([runs[0] for runs in groups.values()])
    found = [_contender(label, runs, material.tasks) for label, runs in zip(labels, groups.values(), strict=True)]
    return tuple(sorted(found, key=lambda one: (-(one.rate.value or 0.0), one.label)))


def _settings(run: RunData) -> str:
    config = run.config
    return json.dumps([config.strategy, models_of(run), config.parameters, run.is_baseline], sort_keys=True)


def _contender(label: str, runs: Sequence[RunData], tasks: Sequence[Task]) -> Contender:
    judged = [join(run, tasks) for run in runs]
    together = [one for some in judged for one in some]
    excluding, including = (task_counts(together, CORRECT, infra_as_failure=infra) for infra in (False, True))
    each = (estimate_pass_at_k(task_counts(some, CORRECT, infra_as_failure=False)).value for some in judged)
    return Contender(
        label=label,
        runs=tuple(run.config.run_id for run in runs),
        baseline=runs[0].is_baseline,
        is_bound=runs[0].config.strategy in TOLD_APART,
        rate=estimate_pass_at_k(excluding),
        failing_infra=estimate_pass_at_k(including),
        of_runs=tuple(value for value in each if value is not None),
        infra_errors=sum(one.outcome is Outcome.INFRA_ERROR for one in together),
        counts={count.task: count for count in excluding},
        counts_failing_infra={count.task: count for count in including},
    )
