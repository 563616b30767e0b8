"""One attempt as the page shows it: the facts, the answer, the patch, the verdict's evidence, the way to repeat it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mendlab.records import Attempt, Outcome, Review, Verdict
from mendlab.reports.commands import repeat_verdict
from mendlab.reports.data import Judged
from mendlab.reports.detail import FULL, Detail
from mendlab.reports.diffs import DiffView, diff_view
from mendlab.reports.evidence import Evidence, evidence
from mendlab.reports.links import attempt_link
from mendlab.reports.text import Trimmed, trim


@dataclass(frozen=True, slots=True)
class AttemptView:
    """Everything to show of one attempt. ``outcome`` and ``evidence`` are ``None`` where it is not judged yet."""

    label: str
    sample: int
    outcome: Outcome | None
    facts: tuple[tuple[str, str], ...]
    patch: DiffView | None
    patch_title: str
    answer: Trimmed | None
    evidence: Evidence | None
    command: str | None
    link: str
    reviews: tuple[Review, ...]


def attempt_view(judged: Judged, label: str, taskset_path: str, detail: Detail = FULL) -> AttemptView:
    """Return the view of one sample; ``label`` is its run's."""
    attempt, verdict = judged.attempt, judged.verdict
    canonical = verdict.canonical_patch if verdict else None
    patch = canonical or (attempt.raw_patch if attempt else None)
    answer = attempt.raw_answer if attempt else None
    return AttemptView(
        label=label,
        sample=judged.sample,
        outcome=judged.outcome,
        facts=tuple(_facts(attempt, verdict)),
        patch=diff_view(patch, detail.diff_lines, detail.columns) if patch else None,
        patch_title="The patch, as it was judged" if canonical else "The patch, as it was given",
        answer=trim(answer, lines=detail.answer_lines, columns=detail.columns) if answer and answer != patch else None,
        evidence=evidence(verdict, judged.task, detail) if verdict else None,
        command=repeat_verdict(judged.task.id, taskset_path) if patch else None,
        link=attempt_link(judged.task.id, label, judged.sample),
        reviews=judged.reviews,
    )


def _facts(attempt: Attempt | None, verdict: Verdict | None) -> Iterator[tuple[str, str]]:
    if attempt is not None:
        if model := attempt.model_answered or attempt.model_requested:
            yield "Model", model
        yield "Stopped because", attempt.stop_reason
        if attempt.cost_usd is not None:
            yield "Cost", f"${attempt.cost_usd:.4f}"
    if verdict is not None:
        if verdict.apply_rung:
            yield "Applied", verdict.apply_rung
        if verdict.risk:
            yield "Risk", f"{verdict.risk:.2f}"
        if verdict.sandbox:
            yield "Confinement", verdict.sandbox
        if verdict.cpu_seconds is not None:
            yield "Verifier CPU", f"{verdict.cpu_seconds:.2f} s"
