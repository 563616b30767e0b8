"""The machine and the people who looked at its verdicts, beside each other; where somebody did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mendlab.records import Outcome, Review
from mendlab.reports.links import attempt_link
from mendlab.reports.review.agreement import DECISIONS, Reviewed, disagree, reviewed
from mendlab.reports.section import Report, section

MOST_SHOWN = 50


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A decision that is not the machine's."""

    task_id: str
    label: str
    sample: int
    link: str
    outcome: Outcome | None
    review: Review


@section(order=35, title="Review by people", template="review.html.j2")
def review(report: Report) -> Mapping[str, object] | None:
    """Return for each run what its reviewers decided, how far they agree, and where they and the machine do not."""
    runs: list[tuple[str, Reviewed]] = []
    disagreements: list[Disagreement] = []
    for label, judged in report.judged.items():
        if (found := reviewed(judged)) is None:
            continue
        runs.append((label, found))
        disagreements += [
            Disagreement(
                one.task.id, label, one.sample, attempt_link(one.task.id, label, one.sample), one.outcome, each
            )
            for one in judged
            for each in one.reviews
            if disagree(one, each)
        ]
    if not runs:
        return None
    return {
        "runs": runs,
        "decisions": DECISIONS,
        "shown": disagreements[:MOST_SHOWN],
        "left": max(0, len(disagreements) - MOST_SHOWN),
    }
