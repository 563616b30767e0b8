"""The evidence for one verdict, cut to what a reader wants to see of it."""

from __future__ import annotations

from dataclasses import dataclass

from mendlab.records import Differential, RungReport, Task, TestOutcome, Verdict
from mendlab.reports.detail import FULL, Detail
from mendlab.reports.text import Trimmed, trim
from mendlab.reports.words import counted, percent


@dataclass(frozen=True, slots=True)
class FailingTest:
    """A test that did not pass, with its outcome on the buggy program where that is known."""

    test_id: str
    before: TestOutcome | None
    after: TestOutcome
    held_out: bool
    message: Trimmed


@dataclass(frozen=True, slots=True)
class WitnessView:
    """A call on which the patched program and the reference differ, with what each gave."""

    call: Trimmed
    reference: Trimmed
    candidate: Trimmed


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a verdict is what it is. ``failing_left`` failing tests are not in ``failing``."""

    reason: Trimmed
    rungs: tuple[RungReport, ...]
    tests_run: int
    failing: tuple[FailingTest, ...]
    failing_left: int
    comparison: str
    witness: WitnessView | None
    tamper_flags: tuple[str, ...]


def evidence(verdict: Verdict, task: Task, detail: Detail = FULL) -> Evidence:
    """Return the evidence for a verdict on a task."""
    failing = [test for test, outcome in verdict.after.items() if outcome is not TestOutcome.PASSED]
    return Evidence(
        reason=_cut(verdict.reason, detail),
        rungs=verdict.rungs,
        tests_run=len(verdict.after),
        failing=tuple(_failing(verdict, task, test, detail) for test in failing[: detail.failing_tests]),
        failing_left=max(0, len(failing) - detail.failing_tests),
        comparison=_comparison(verdict.differential) if verdict.differential else "",
        witness=_witness(verdict.differential, detail),
        tamper_flags=verdict.tamper_flags,
    )


def _failing(verdict: Verdict, task: Task, test: str, detail: Detail) -> FailingTest:
    return FailingTest(
        test_id=test,
        before=task.before.get(test),
        after=verdict.after[test],
        held_out=test in task.held_out,
        message=_cut(verdict.messages.get(test, ""), detail),
    )


def _comparison(differential: Differential) -> str:
    coverage = "" if differential.coverage is None else f", which ran {percent(differential.coverage)} of what changed"
    return f"Compared with the reference on {counted(differential.inputs, 'input')}{coverage}."


def _witness(differential: Differential | None, detail: Detail) -> WitnessView | None:
    if differential is None or differential.witness is None:
        return None
    witness = differential.witness
    parts = (_cut(text, detail) for text in (witness.call, witness.reference, witness.candidate))
    return WitnessView(*parts)


def _cut(text: str, detail: Detail) -> Trimmed:
    return trim(text, lines=detail.message_lines, columns=detail.columns)
