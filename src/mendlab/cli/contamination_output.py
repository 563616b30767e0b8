"""How ``mendlab report`` tells of tasks that a model may have seen."""

from __future__ import annotations

from mendlab.cli.output import print_table
from mendlab.reports.contamination import ContaminationScores
from mendlab.reports.words import counted, rate


def print_contamination(scores: ContaminationScores) -> None:
    """Print the scores on clean and on marked tasks, side by side."""
    signs = ", ".join(f"{method} {count}" for method, count in scores.by_method.items()) or "no sign"
    rows = [
        (
            run.label, rate(run.clean), rate(run.marked),
            "unknown" if run.difference is None else f"{100 * run.difference:+.0f} points",
        )
        for run in scores.runs
    ]  # fmt: skip
    title = f"{scores.marked} of {counted(scores.tasks, 'task')} may have been seen ({signs}); correct, 95% interval:"
    print_table(title, ("run", "on clean tasks", "on marked tasks", "difference"), rows, right=(1, 2, 3))
