"""What each run took."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from mendlab.reports.costs import Costs, Total
from mendlab.reports.plots.cost import cost_plot, cost_points
from mendlab.reports.section import Report, section
from mendlab.reports.summary import RunSummary
from mendlab.reports.words import counted, total_dollars, total_seconds, total_tokens

MEASURES: Final[dict[str, Callable[[Costs], Total]]] = {
    "US dollars for an attempt": lambda costs: costs.cost_usd,
    "output tokens for an attempt": lambda costs: costs.output_tokens,
    "seconds for an attempt": lambda costs: costs.repairer_wall_seconds,
}


@section(order=50, title="Time, tokens and money", template="costs.html.j2")
def costs(report: Report) -> Mapping[str, object] | None:
    """Return the rows of the table, each with one text a run."""
    runs = [run for run in report.summary.runs if run.attempts]
    if not runs:
        return None
    each = [run.costs for run in runs]
    rows = {
        "Verifier, CPU": [total_seconds(cost.verifier_cpu_seconds) for cost in each],
        "Verifier, CPU for each attempt": [total_seconds(_mean(cost.verifier_cpu_seconds)) for cost in each],
        "Tests of one attempt, CPU": [_seconds(run.metrics.average_execution_seconds) for run in runs],
        "Repairer, CPU": [total_seconds(cost.repairer_cpu_seconds) for cost in each],
        "Repairer, wall clock": [total_seconds(cost.repairer_wall_seconds) for cost in each],
        "Input tokens, uncached": [total_tokens(cost.uncached_tokens) for cost in each],
        "Input tokens, read from cache": [total_tokens(cost.cache_read_tokens) for cost in each],
        "Input tokens, written to cache": [total_tokens(cost.cache_write_tokens) for cost in each],
        "Output tokens": [total_tokens(cost.output_tokens) for cost in each],
        "Output tokens, reasoning": [total_tokens(cost.reasoning_tokens) for cost in each],
        "Money": [total_dollars(cost.cost_usd) for cost in each],
        "Calls made again": [f"{run.metrics.retries:,}" for run in runs],
    }
    return {"runs": runs, "rows": rows, **_against_success(runs)}


def _against_success(runs: Sequence[RunSummary]) -> Mapping[str, object]:
    """Return the plot of runs that answer by themselves, in the first measure that two or more of them have."""
    solvers = [run for run in runs if run.strategy not in {"noop", "reference"}]
    for unit, measure in MEASURES.items():
        points = cost_points([(run.label, measure(run.costs), run.rates.correct[0].excluding_infra) for run in solvers])
        if len(points) > 1:
            described = (
                f"Correct at the first try against {unit}, of {counted(len(points), 'run')}; the table has the numbers."
            )
            return {"points": points, "unit": unit, "plot": cost_plot(points, unit, described)}
    return {"plot": None}


def _seconds(value: float | None) -> str:
    return total_seconds(Total(value, 1, 1))


def _mean(total: Total) -> Total:
    """The mean of the known parts, which is known as a whole."""
    return Total(None if total.value is None else total.value / total.known, 1, 1)
