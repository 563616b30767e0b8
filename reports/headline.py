"""The result in words, and what a reader must know before believing it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from mendlab.records import Outcome, SandboxLevel
from mendlab.reports.statistics import FEW_CLUSTERS, FEW_TASKS
from mendlab.reports.summary import RunSummary, Summary
from mendlab.reports.words import counted, interval, percent

NEAR_ONE: Final = 0.95
RUNS_NAMED: Final = 4

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

_LENIENT: Final = (
    "is correct only if its patch is applied leniently",
    "are correct only if their patches are applied leniently",
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """What one run came to: the result, and then what passes every test and is not shown to be correct."""

    result: str
    beside: str = ""

    def __str__(self) -> str:
        return f"{self.result}{self.beside}."


def headline(summary: Summary) -> tuple[Sentence, ...]:
    """Return a sentence on all runs that the report is about, where there are several, and one on each of them."""
    sentences = tuple(_sentence(run) for run in summary.headline_runs)
    if not sentences:
        return (Sentence(f"No run was given; the task set has {counted(summary.tasks, 'task')}"),)
    return (_of_all(summary.headline_runs), *sentences) if len(sentences) > 1 else sentences


def _of_all(runs: Sequence[RunSummary]) -> Sentence:
    """All of them in the order given: the better of two may be chance, and of repeated runs none is chosen."""
    scored = [(run.label, run.rates.correct[0].excluding_infra) for run in runs]
    known = [(label, one) for label, one in scored if one.value is not None]
    if not known:
        return Sentence(f"None of {counted(len(runs), 'run')} can be scored")
    told = [f"{label} {percent(one.value)} (95% interval {interval(one)})" for label, one in known[:RUNS_NAMED]]
    rest = [one.value for _, one in known[RUNS_NAMED:] if one.value is not None]
    if rest:
        span = percent(min(rest)) if min(rest) == max(rest) else f"{percent(min(rest))} to {percent(max(rest))}"
        told.append(f"{counted(len(rest), 'other run')} {span}")
    left = len(runs) - len(known)
    apart = f"; {left} cannot be scored" if left else ""
    return Sentence(f"Tasks mended correctly at the first try: {', '.join(told)}{apart}")


def _sentence(run: RunSummary) -> Sentence:
    if not run.judged:
        return Sentence(f"{run.label} has no judged attempts yet")
    if run.infra_errors == run.judged:
        errors = counted(run.judged, "infra error")
        return Sentence(f"{run.label} cannot be scored: {errors}, and nothing else")
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
    return Sentence(lead + _apart(run), _beside(run))


def _apart(run: RunSummary) -> str:
    apart = {"by weight": run.rates.by_weight, "without trap tasks": run.rates.without_traps}
    told = [f"{percent(one.excluding_infra.value)} {words}" for words, one in apart.items() if one is not None]
    return f"; {', '.join(told)}" if told else ""


def _beside(run: RunSummary) -> str:
    noun = "more task" if run.samples == 1 else "more attempt"
    beside = [(run.count(outcome), words) for outcome, words in _BESIDE.items()]
    beside.append((run.apply.levels[-1].resolved - run.apply.levels[-2].resolved, _LENIENT))
    return "".join(f"; {counted(count, noun)} {one if count == 1 else many}" for count, (one, many) in beside if count)


def cautions(summary: Summary) -> tuple[str, ...]:
    """Return what weakens the result, worst first: broken baselines, missing verdicts, few tasks, no confinement."""
    found = [caution for run in summary.runs for caution in _run_cautions(run)]
    if 0 < summary.tasks < FEW_TASKS:
        verb = "is" if summary.tasks == 1 else "are"
        few = f"{counted(summary.tasks, 'task')} {verb} too few to say much"
        found.append(f"{few}: read the intervals, not the rates.")
    elif 1 < summary.subjects < FEW_CLUSTERS:
        few = f"All tasks are of {summary.subjects} programs, which are too few to say much of others"
        found.append(f"{few}: the intervals hold only roughly.")
    return tuple(found)


def _run_cautions(run: RunSummary) -> Iterator[str]:
    first = run.rates.correct[0]
    correct = first.excluding_infra.value
    if run.strategy == "noop" and run.tasks_passing:
        yield f"Doing nothing passes every test of {counted(run.tasks_passing, 'task')}: those tests show no defect."
    if run.strategy == "reference" and correct is not None and correct < 1:
        yield f"The reference fix itself is judged correct in only {percent(correct)} of tasks: do not trust this set."
    if run.baseline and run.strategy != "reference" and correct is not None and correct >= NEAR_ONE:
        yield f"{run.label} alone mends {percent(correct)}: the set is too easy to tell repairers apart."
    if run.infra_errors:
        yield (
            f"{run.label}: {counted(run.infra_errors, 'infra error')}, left out of the rates; counted as failures, "
            f"{percent(first.infra_as_failure.value)} are correct."
        )
    if run.strategy_errors:
        failed = counted(run.strategy_errors, "attempt")
        yield f"{run.label}: the strategy itself failed in {failed}, which have no patch."
    if run.not_given:
        given = f"for {run.not_given:,} of {counted(run.attempts, 'attempt')} no patch was given"
        yield f"{run.label}: {given}; they count as failures."
    if run.judged < run.attempts:
        yield f"{run.label}: {counted(run.attempts - run.judged, 'attempt')} not judged yet."
    if run.attempts < run.expected:
        missing = f"{run.expected - run.attempts:,} of {counted(run.expected, 'sample')}"
        yield f"{run.label}: {missing} not there; the run has not ended, or was made on a part of the set."
    if SandboxLevel.NONE in run.sandbox_levels:
        yield f"{run.label}: verdicts were reached without confinement."
