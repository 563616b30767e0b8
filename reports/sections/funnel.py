"""How far each run's attempts got up the ladder."""

from __future__ import annotations

from collections.abc import Mapping

from mendlab.reports.funnel import LEVEL_WORDS, RUNG_WORDS
from mendlab.reports.section import Report, section


@section(order=20, title="How far attempts get", template="funnel.html.j2")
def funnel(report: Report) -> Mapping[str, object] | None:
    """Return the runs with verdicts to climb with: those the headline is about, and the others, folded away."""
    runs = [run for run in report.summary.runs if run.judged > run.infra_errors]
    shown = [run for run in runs if run in report.summary.headline_runs]
    folded = [run for run in runs if run not in shown]
    return {"shown": shown, "folded": folded, "rungs": RUNG_WORDS, "levels": LEVEL_WORDS} if runs else None
