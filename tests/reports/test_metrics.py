"""The metrics of a run: what is known of it, in a row."""

from __future__ import annotations

import pytest

from mendlab.records import (
    Attempt,
    Defect,
    FunctionHarness,
    Outcome,
    Provenance,
    Rung,
    RungReport,
    StepGroup,
    Task,
    TestOutcome,
    Usage,
    Verdict,
)
from mendlab.reports.data import Judged
from mendlab.reports.metrics import Metrics, metrics
from mendlab.reports.rates import rates


def judged(name: str, outcome: Outcome, seconds: float, kind: str = "completion", **attempt: object) -> Judged:
    task = Task(
        id=name,
        kind=kind,
        subject=name,
        snapshot="s",
        defect=Defect(origin="import", files=(), diff=""),
        statement="",
        editable=(),
        harness=FunctionHarness(groups=(StepGroup(steps=()),)),
        fail_to_pass=("t",),
        pass_to_pass=(),
        reference="",
        provenance=Provenance(source="these tests"),
    )
    rungs = (
        RungReport(rung=Rung.APPLY, held=True, cpu_seconds=9.0),
        RungReport(rung=Rung.COMPILE, held=True, cpu_seconds=seconds),
        RungReport(rung=Rung.HELD_OUT, held=True, cpu_seconds=seconds),
        RungReport(rung=Rung.EQUIVALENCE, held=True, cpu_seconds=9.0),
    )
    after = {"t": TestOutcome.PASSED} if seconds else {}
    verdict = Verdict(run_id="r", task_id=name, sample=0, outcome=outcome, rung=Rung.HELD_OUT, rungs=rungs, after=after)
    made = Attempt(run_id="r", task_id=name, sample=0, strategy="single", stop_reason="answered", **attempt)
    return Judged(task, 0, made, verdict)


def metrics_of(found: list[Judged]) -> Metrics:
    return metrics(found, rates(found, [one.task for one in found], {one.task.id: 1 for one in found}))


USAGE = Usage(uncached_tokens=10, cache_read_tokens=5, output_tokens=20, reasoning_tokens=15)


def test_what_passes_the_tests_counts_and_what_is_known_is_added_up() -> None:
    found = [
        judged("a", Outcome.DIVERGENT, 0.1, usage=USAGE, cost_usd=0.5, retries=2),
        judged("b", Outcome.HELDOUT_FAILED, 0.3, usage=USAGE),
        judged("c", Outcome.NO_PATCH, 0.0),
        judged("d", Outcome.INFRA_ERROR, 0.0, retries=1),
    ]
    made = metrics_of(found)
    assert made.completion
    assert made.pass_at_1 == pytest.approx(1 / 3), "an infra error is no try"
    assert made.average_execution_seconds == pytest.approx(0.4), "of the two that were run"
    assert (made.tokens.value, made.tokens.known, made.tokens.of) == (70, 2, 4)
    assert (made.cost_usd.value, made.cost_usd.known) == (0.5, 1)
    assert made.retries == 3


def test_nothing_is_known_of_nothing_and_mending_is_no_completion() -> None:
    made = metrics_of([])
    assert (made.completion, made.pass_at_1, made.average_execution_seconds) == (False, None, None)
    mended = [judged("a", Outcome.EXACT, 0.1, kind="repair")]
    assert not metrics_of(mended).completion
