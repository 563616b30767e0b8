"""How many candidates became tasks, and why the others did not."""

from __future__ import annotations

from collections.abc import Mapping

from mendlab.reports.section import Report, section


@section(order=60, title="From candidates to tasks", template="injection.html.j2")
def injection(report: Report) -> Mapping[str, object] | None:
    """Return the injection's funnel, where the task set has one."""
    summary = report.summary.injection
    return None if summary is None else {"injection": summary}
