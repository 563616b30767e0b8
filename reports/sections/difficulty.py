"""Graded difficulty, and whether runs bear it out; where the tasks have grades."""

from __future__ import annotations

from collections.abc import Mapping

from mendlab.reports.difficulty_view import GRADES, agreement, graded, observed, score_bins
from mendlab.reports.links import filter_link
from mendlab.reports.plots.calibration import calibration_plot
from mendlab.reports.section import Report, section
from mendlab.reports.subset import correct_on
from mendlab.reports.words import counted


@section(order=46, title="Difficulty", template="difficulty.html.j2")
def difficulty(report: Report) -> Mapping[str, object] | None:
    """Return the rates by grade, and score against what the runs of the headline mended."""
    tasks = report.material.tasks
    sizes = {grade: sum(map(graded(grade), tasks)) for grade in GRADES}
    if not any(sizes.values()):
        return None
    runs = [run for run in report.summary.runs if run.judged]
    rows = [
        (grade, filter_link(grade=grade), size, [correct_on(report.judged[run.label], graded(grade)) for run in runs])
        for grade, size in sizes.items()
        if size
    ]
    solvers = [run for run in report.summary.headline_runs if run.judged]
    judged = [one for run in solvers for one in report.judged[run.label]]
    points = observed(judged)
    bins = score_bins(judged, points) if points else []
    described = f"Score of difficulty against the share of correct attempts, of {counted(len(points), 'task')}."
    return {
        "runs": runs,
        "rows": rows,
        "ungraded": len(tasks) - sum(sizes.values()),
        "solvers": solvers,
        "agreement": agreement(points),
        "bins": bins,
        "plot": calibration_plot([(x, y) for _, x, y in points], bins, described) if points else None,
    }
