"""The runs beside each other, baselines included, with their intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from mendlab.reports.plots.pass_at_k import pass_at_k_plot
from mendlab.reports.ranking import ranking
from mendlab.reports.section import Report, section
from mendlab.reports.summary import RunSummary


@section(order=10, title="Results", template="results.html.j2")
def results(report: Report) -> Mapping[str, object] | None:
    """Return the runs, the best first, and the plot of pass@k where there are several samples."""
    if not report.summary.runs:
        return None
    runs = sorted(report.summary.runs, key=_rank)
    ranked = {run.label: report.judged[run.label] for run in runs if run.judged and not run.baseline}
    return {"runs": runs, "ranks": ranking(ranked) if len(ranked) > 1 else {}, "plot": _plot(runs)}


def _rank(run: RunSummary) -> tuple[bool, float]:
    """Repairers before baselines, the best first."""
    value = run.rates.correct[0].excluding_infra.value
    return run.baseline, -1.0 if value is None else -value


def _plot(runs: Sequence[RunSummary]) -> Markup | None:
    """Draw the runs of several samples, each under its number in the table."""
    curves = [
        (number, run.rates.correct)
        for number, run in enumerate(runs, 1)
        if sum(one.excluding_infra.value is not None for one in run.rates.correct) > 1
    ]
    described = "The chance that one of k samples is correct, by k, for each run; the table above has the numbers."
    return pass_at_k_plot(curves, described) if curves else None
