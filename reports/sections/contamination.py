"""What models may have seen of the tasks, and whether it shows; where tasks have marks."""

from __future__ import annotations

from collections.abc import Mapping

from mendlab.records import Task
from mendlab.reports.section import Report, section
from mendlab.reports.subset import correct_on


@section(order=48, title="Contamination", template="contamination.html.j2")
def contamination(report: Report) -> Mapping[str, object] | None:
    """Return the marks by method and corpus, and each run's rate on marked tasks and on the others."""
    marked = [task for task in report.material.tasks if task.contamination]
    if not marked:
        return None
    runs = [run for run in report.summary.runs if run.judged]
    groups = {"not marked": lambda task: not task.contamination, "marked": lambda task: bool(task.contamination)}
    return {
        "marked": len(marked),
        "tasks": len(report.material.tasks),
        "methods": _methods(marked),
        "runs": runs,
        "rows": [(name, [correct_on(report.judged[run.label], keep) for run in runs]) for name, keep in groups.items()],
    }


def _methods(marked: list[Task]) -> list[tuple[str, str, int, float]]:
    """Each method and corpus with the number of tasks that it marks, and its strongest mark."""
    strengths: dict[tuple[str, str], dict[str, float]] = {}
    for task in marked:
        for mark in task.contamination:
            found = strengths.setdefault((mark.method, mark.corpus), {})
            found[task.id] = max(found.get(task.id, 0.0), mark.strength)
    return [(*key, len(found), max(found.values())) for key, found in sorted(strengths.items())]
