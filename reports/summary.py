"""Everything a report says in numbers, for any number of runs on one task set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

from mendlab.records import CORRECT, PASSES_ALL_TESTS, Outcome, SandboxLevel, Task
from mendlab.repair.strategies.replay import NOT_GIVEN
from mendlab.reports.costs import CostPerFix, Costs, cost_per_fix, costs
from mendlab.reports.data import Judged, Material, RunData, join
from mendlab.reports.funnel import ApplyRates, FunnelStep, apply_rates, ladder_funnel
from mendlab.reports.groups import GROUPINGS, GroupRate, group_rates
from mendlab.reports.metrics import Metrics, metrics
from mendlab.reports.outcomes import OutcomeCount, RungOutcomes, count_outcomes, outcomes_by_rung
from mendlab.reports.rates import Rates, rates
from mendlab.reports.sizes import PatchSizes, patch_sizes


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One run in numbers. ``label`` is what readers call it, and no two runs of a report share one.

    ``expected`` is the samples of all tasks; ``attempts`` of them were made and ``judged`` of those have a verdict.
    ``strategy_errors`` are attempts in which the strategy itself raised: their stop reason begins with ``error:``.
    ``not_given`` are those for which there was no patch among the ones made elsewhere.
    ``tasks_correct`` and ``tasks_passing`` count tasks with at least one such sample.
    """

    run_id: str
    label: str
    strategy: str
    models: tuple[str, ...]
    baseline: bool
    samples: int
    expected: int
    attempts: int
    judged: int
    infra_errors: int
    strategy_errors: int
    not_given: int
    tasks_judged: int
    tasks_correct: int
    tasks_passing: int
    rates: Rates
    outcomes: tuple[OutcomeCount, ...]
    outcomes_by_rung: tuple[RungOutcomes, ...]
    funnel: tuple[FunnelStep, ...]
    apply: ApplyRates
    groups: dict[str, tuple[GroupRate, ...]]
    costs: Costs
    per_fix: CostPerFix
    sizes: PatchSizes
    metrics: Metrics
    sandbox_levels: tuple[SandboxLevel, ...]

    def count(self, outcome: Outcome) -> int:
        """Return how many verdicts have this outcome."""
        return sum(one.count for one in self.outcomes if one.outcome is outcome)


@dataclass(frozen=True, slots=True)
class InjectionSummary:
    """From candidates to tasks: how many there were, how many became tasks, and what the others were dropped for."""

    candidates: int
    dropped: tuple[tuple[str, int], ...]
    tasks: int


@dataclass(frozen=True, slots=True)
class Summary:
    """A whole report in numbers. Runs stand in the order given, baselines after the others."""

    taskset: str
    tasks: int
    subjects: int
    runs: tuple[RunSummary, ...]
    injection: InjectionSummary | None

    @property
    def headline_runs(self) -> tuple[RunSummary, ...]:
        """The runs that a headline is about: those that are no baseline; else the searches; else all."""
        repairers = tuple(run for run in self.runs if not run.baseline)
        return repairers or tuple(run for run in self.runs if run.strategy == "search") or self.runs


def summarise(material: Material) -> Summary:
    """Return the summary of some runs on a task set.

    Raises:
        InputError: a run has a task that is not in the set.
    """
    labels = run_labels(material.runs)
    runs = [
        _summarise_run(run, label, join(run, material.tasks), material.tasks)
        for run, label in zip(material.runs, labels, strict=True)
    ]
    manifest = material.manifest
    return Summary(
        taskset=manifest.name if manifest else next((run.config.taskset for run in material.runs), "no task set"),
        tasks=len(material.tasks),
        subjects=len({task.subject for task in material.tasks}),
        runs=tuple(sorted(runs, key=lambda run: run.baseline)),
        injection=_injection(manifest.dropped, len(material.tasks)) if manifest and manifest.dropped else None,
    )


def run_labels(runs: Sequence[RunData]) -> tuple[str, ...]:
    """Return a name for each run: its strategy and model, with the run id where that is not enough to tell."""
    names = [_name(run) for run in runs]
    counts = Counter(names)
    full = [
        name if counts[name] == 1 else f"{name} ({run.config.run_id})" for name, run in zip(names, runs, strict=True)
    ]
    return tuple(name if full.count(name) == 1 else f"{name} #{index}" for index, name in enumerate(full, 1))


def _name(run: RunData) -> str:
    """The strategy and its models; patches made elsewhere go by the name of who made them, else of where they lie."""
    strategy, models = run.config.strategy, models_of(run)
    if strategy == "replay":
        return " ".join(models) or PurePath(str(run.config.parameters.get("patches", strategy))).name
    return " ".join((strategy, *models))


def models_of(run: RunData) -> tuple[str, ...]:
    """Return the models that answered in a run, or that were asked, by name."""
    return tuple(sorted({name for a in run.attempts if (name := a.model_answered or a.model_requested)}))


def _summarise_run(run: RunData, label: str, judged: tuple[Judged, ...], tasks: Sequence[Task]) -> RunSummary:
    verdicts = [one.verdict for one in judged if one.verdict is not None]
    wanted = {task.id: len(run.config.samples_of(task.id)) for task in tasks}
    found = rates(judged, tasks, wanted)
    return RunSummary(
        run_id=run.config.run_id,
        label=label,
        strategy=run.config.strategy,
        models=models_of(run),
        baseline=run.is_baseline,
        samples=run.config.samples,
        expected=sum(wanted.values()),
        attempts=len(judged),
        judged=len(verdicts),
        infra_errors=sum(verdict.outcome is Outcome.INFRA_ERROR for verdict in verdicts),
        strategy_errors=sum(attempt.stop_reason.startswith("error:") for attempt in run.attempts),
        not_given=sum(attempt.stop_reason == NOT_GIVEN for attempt in run.attempts),
        tasks_judged=len({v.task_id for v in verdicts if v.outcome is not Outcome.INFRA_ERROR}),
        tasks_correct=len({one.task.id for one in judged if one.counts_as(CORRECT)}),
        tasks_passing=len({one.task.id for one in judged if one.counts_as(PASSES_ALL_TESTS)}),
        rates=found,
        outcomes=count_outcomes(judged),
        outcomes_by_rung=outcomes_by_rung(judged),
        funnel=ladder_funnel(judged),
        apply=apply_rates(judged),
        groups={grouping: group_rates(judged, grouping) for grouping in GROUPINGS},
        costs=costs(judged),
        per_fix=cost_per_fix(judged),
        sizes=patch_sizes(judged),
        metrics=metrics(judged, found),
        sandbox_levels=tuple(sorted({verdict.sandbox for verdict in verdicts if verdict.sandbox is not None})),
    )


def _injection(dropped: dict[str, int], tasks: int) -> InjectionSummary:
    ranked = tuple(sorted(dropped.items(), key=lambda item: (-item[1], item[0])))
    return InjectionSummary(tasks + sum(dropped.values()), ranked, tasks)
