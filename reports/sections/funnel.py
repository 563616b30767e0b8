"""How far each run's attempts got up the ladder."""

from __future__ import annotations

from collections.abc import Mapping

from mendlab.reports.funnel import RUNG_WORDS
from mendlab.reports.section import Report, section


@section(order=20, title="How far attempts get", template="funnel.html.j2")
def funnel(report: Report) -> Mapping[str, object] | None:
    """Return the runs that have verdicts to climb with."""
    runs = [run for run in report.summary.runs if run.judged > run.infra_errors]
    return {"runs": runs, "rungs": RUNG_WORDS} if runs else None
