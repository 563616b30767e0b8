"""The rate of correct repairs by family, operator and tag, with intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mendlab.reports.groups import GROUPINGS
from mendlab.reports.section import Report, section
from mendlab.reports.statistics import Estimate
from mendlab.reports.summary import RunSummary


@dataclass(frozen=True, slots=True)
class GroupTable:
    """One table: a row a group with its number of tasks, a column a run."""

    grouping: str
    rows: tuple[tuple[str, int, tuple[Estimate | None, ...]], ...]


@section(order=42, title="By kind of defect", template="groups.html.j2")
def groups(report: Report) -> Mapping[str, object] | None:
    """Return a table for each grouping that some task belongs to."""
    runs = [run for run in report.summary.runs if run.judged]
    kinds = [grouping for grouping in GROUPINGS if grouping != "difficulty"]  # which has a section of its own
    tables = [table for grouping in kinds if (table := _table(report, runs, grouping)).rows]
    return {"runs": runs, "tables": tables} if runs and tables else None


def _table(report: Report, runs: list[RunSummary], grouping: str) -> GroupTable:
    rates = [{rate.group: rate.correct for rate in run.groups[grouping]} for run in runs]
    sizes: dict[str, int] = {}
    for task in report.material.tasks:
        for group in GROUPINGS[grouping](task):
            sizes[group] = sizes.get(group, 0) + 1
    ranked = sorted(sizes, key=lambda group: (-sizes[group], group))
    return GroupTable(grouping, tuple((group, sizes[group], tuple(r.get(group) for r in rates)) for group in ranked))
