"""A report for the terminal: the headline, a table of runs, the outcomes, and what to be careful of."""

from __future__ import annotations

import io
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from mendlab.reports.costs import Total
from mendlab.reports.headline import cautions, headline
from mendlab.reports.outcomes import WORDS
from mendlab.reports.summary import RunSummary, Summary
from mendlab.reports.text import visible
from mendlab.reports.words import per_fix, percent, rate, total_dollars, total_seconds, total_tokens

WIDTH: Final = 80


def summary_renderable(summary: Summary) -> RenderableType:
    """Return the summary for a rich console; it fits in 80 columns. Names are shown literally, never as markup."""
    parts: list[RenderableType] = [Text(visible(str(sentence)), style="bold") for sentence in headline(summary)]
    if summary.runs:
        parts.append(Padding(_runs_table(summary), (1, 0, 0, 0)))
    parts += [Padding(_outcomes_line(run), (1, 0, 0, 0)) for run in summary.headline_runs]
    parts += [_metrics_line(run) for run in summary.runs if run.metrics.completion]
    parts += [_levels_line(run) for run in summary.headline_runs if run.apply.tried]
    parts += [_further_line(run) for run in summary.headline_runs if run.judged]
    if found := cautions(summary):
        parts.append(
            Padding(Group(*(Text(visible(f"! {caution}"), style="yellow") for caution in found)), (1, 0, 0, 0))
        )
    return Group(*parts)


def summary_text(summary: Summary, width: int = WIDTH) -> str:
    """Return the same as plain text, no line over ``width`` columns."""
    buffer = io.StringIO()
    Console(file=buffer, width=width, color_system=None, force_terminal=False).print(summary_renderable(summary))
    return buffer.getvalue()


def _runs_table(summary: Summary) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("run", overflow="fold")
    for title in ("tasks", "correct, 95% interval", "all tests", "differ", "verifier"):
        table.add_column(title, justify="right")
    for run in summary.runs:
        table.add_row(*(Text(visible(cell)) for cell in _run_row(run)))
    return table


def _run_row(run: RunSummary) -> tuple[str, ...]:
    return (
        f"{run.label}, baseline" if run.baseline else run.label,
        f"{run.tasks_correct}/{run.tasks_judged}",
        rate(run.rates.correct[0].excluding_infra),
        percent(run.rates.passes_all_tests[0].excluding_infra.value),
        percent(run.rates.divergent[0].excluding_infra.value),
        total_seconds(run.costs.verifier_cpu_seconds).split(" (")[0],
    )


def _levels_line(run: RunSummary) -> Text:
    applied = ", ".join(f"{level.name} {percent(level.apply_rate)}" for level in run.apply.levels)
    resolved = ", ".join(f"{level.name} {percent(level.resolved_rate)}" for level in run.apply.levels)
    return Text(
        visible(f"{run.label}: of the patches that policy allows, applied: {applied}; of attempts correct: {resolved}")
    )


def _further_line(run: RunSummary) -> Text:
    parts = [f"end to end {rate(run.rates.end_to_end)} correct"]
    every = run.rates.correct_every_time[-1]
    if every.k > 1:
        parts.append(f"all of {every.k} samples correct {rate(every.excluding_infra)}")
    if run.sizes.correct.ratio is not None:
        parts.append(f"correct patches {run.sizes.correct.ratio:.1f} times the reference's lines")
    if told := per_fix(run.per_fix):
        parts.append(f"each correct fix took {', '.join(told)}")
    return Text(visible(f"{run.label}: {'; '.join(parts)}"))


def _metrics_line(run: RunSummary) -> Text:
    """What is told of runs that complete functions."""
    metrics = run.metrics
    told = (
        f"pass@1 {percent(metrics.pass_at_1)}",
        f"execution {total_seconds(Total(metrics.average_execution_seconds, 1, 1))} on average",
        f"tokens {total_tokens(metrics.tokens)}",
        f"cost {total_dollars(metrics.cost_usd)}",
        f"retries {metrics.retries:,}",
    )
    return Text(visible(f"{run.label}: {', '.join(told)}"))


def _outcomes_line(run: RunSummary) -> Text:
    counts = ", ".join(f"{WORDS[one.outcome].label} {one.count:,}" for one in run.outcomes)
    return Text(visible(f"{run.label}: {counts or 'no verdicts'}"))
