"""What each run took."""

from __future__ import annotations

from collections.abc import Mapping

from mendlab.reports.costs import Total
from mendlab.reports.section import Report, section
from mendlab.reports.words import total_dollars, total_seconds, total_tokens


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
    return {"runs": runs, "rows": rows}


def _seconds(value: float | None) -> str:
    return total_seconds(Total(value, 1, 1))


def _mean(total: Total) -> Total:
    """The mean of the known parts, which is known as a whole."""
    return Total(None if total.value is None else total.value / total.known, 1, 1)
