"""Every outcome that came, by run."""

from __future__ import annotations

from collections.abc import Mapping

from mendlab.reports.outcomes import TONE_WORDS, WORDS
from mendlab.reports.section import Report, section


@section(order=30, title="Outcomes", template="outcomes.html.j2")
def outcomes(report: Report) -> Mapping[str, object] | None:
    """Return the outcomes that occur in any run, best first, and for each run its verdicts by tone."""
    runs = [run for run in report.summary.runs if run.judged]
    if not runs:
        return None
    occurring = [outcome for outcome in WORDS if any(run.count(outcome) for run in runs)]
    tones = {
        run.label: [(tone, sum(c.count for c in run.outcomes if WORDS[c.outcome].tone is tone)) for tone in TONE_WORDS]
        for run in runs
    }
    return {"runs": runs, "occurring": occurring, "tones": tones}
