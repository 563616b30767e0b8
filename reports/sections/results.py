"""The runs beside each other, baselines included, with their intervals."""

from __future__ import annotations

from collections.abc import Mapping

from mendlab.reports.section import Report, section


@section(order=10, title="Results", template="results.html.j2")
def results(report: Report) -> Mapping[str, object] | None:
    """Return the runs and every k that one of them has."""
    if not report.summary.runs:
        return None
    ks = sorted({one.k for run in report.summary.runs for one in run.rates.correct})
    return {"runs": report.summary.runs, "ks": ks}
