"""The result in words, and what a reader must know before believing it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mendlab.records import Outcome, SandboxLevel
from mendlab.reports.statistics import FEW_TASKS
from mendlab.reports.summary import RunSummary, Summary
from mendlab.reports.words import counted, interval, percent

NEAR_ONE: Final = 0.95

_BESIDE: Final = {
    Outcome.DIVERGENT: (
        "passes every test but differs from the reference",
        "pass every test but differ from the reference",
    ),
    Outcome.PLAUSIBLE: (
        "passes every test with nothing to compare it on",
        "pass every test with nothing to compare them on",
    ),
}


def headline(summary: Summary) -> tuple[str, ...]:
    """Return one sentence for each run that the report is about; there is always at least one."""
    sentences = tuple(run_sentence(run) for run in summary.headline_runs)
    return sentences or (f"No run was given; the task set has {counted(summary.tasks, 'task')}.",)


def run_sentence(run: RunSummary) -> str:
    """Return what one run came to, with its interval, as one sentence."""
    if not run.judged:
        return f"{run.label} has no judged attempts yet."
    if run.infra_errors == run.judged:
        return f"{run.label} cannot be scored: every one of {counted(run.judged, 'attempt')} ended in an infra error."
    first = run.rates.correct[0].excluding_infra
    span = f"95% interval {interval(first)}"
    if run.samples == 1:
        tasks = counted(run.tasks_judged, "task")
        lead = f"{run.label} mended {run.tasks_correct:,} of {tasks} correctly ({percent(first.value)}, {span})"
    else:
        lead = (
            f"{run.label} mended {percent(first.value)} of tasks correctly at the first try ({span}), and "
            f"{run.tasks_correct:,} of {counted(run.tasks_judged, 'task')} in one or more of {run.samples} samples"
        )
    return f"{lead}{_beside(run)}."


def _beside(run: RunSummary) -> str:
    noun = "more task" if run.samples == 1 else "more attempt"
    return "".join(
        f"; {counted(count, noun)} {one if count == 1 else many}"
        for outcome, (one, many) in _BESIDE.items()
        if (count := run.count(outcome))
    )


def cautions(summary: Summary) -> tuple[str, ...]:
    """Return what weakens the result, worst first: broken baselines, missing verdicts, few tasks, no confinement."""
    found = [caution for run in summary.runs for caution in _run_cautions(run)]
    if 0 < summary.tasks < FEW_TASKS:
        found.append(f"{counted(summary.tasks, 'task')} are too few to say much: read the intervals, not the rates.")
    return tuple(found)


def _run_cautions(run: RunSummary) -> Iterator[str]:
    first = run.rates.correct[0]
    correct = first.excluding_infra.value
    if run.strategy == "noop" and run.tasks_passing:
        yield f"Doing nothing passes every test of {counted(run.tasks_passing, 'task')}: those tests show no defect."
    if run.strategy == "reference" and correct is not None and correct < 1:
        yield f"The reference fix itself is judged correct in only {percent(correct)} of tasks: do not trust this set."
    if run.strategy == "search" and correct is not None and correct >= NEAR_ONE:
        yield f"{run.label} alone mends {percent(correct)}: the set is too easy to tell repairers apart."
    if run.infra_errors:
        yield (
            f"{run.label}: {counted(run.infra_errors, 'infra error')}, left out of the rates; counted as failures, "
            f"{percent(first.infra_as_failure.value)} are correct."
        )
    if run.judged < run.attempts:
        yield f"{run.label}: {counted(run.attempts - run.judged, 'attempt')} not judged yet."
    if run.attempts < run.expected:
        yield f"{run.label}: {counted(run.expected - run.attempts, 'sample')} of {run.expected:,} not made yet."
    if SandboxLevel.NONE in run.sandbox_levels:
        yield f"{run.label}: verdicts were reached without confinement."
