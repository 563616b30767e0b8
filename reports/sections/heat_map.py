"""Runs by family of defects, as a map of colours that is a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from mendlab.reports.groups import GROUPINGS
from mendlab.reports.links import filter_link
from mendlab.reports.section import Report, section
from mendlab.reports.statistics import Estimate

SHADES: Final = 10


@dataclass(frozen=True, slots=True)
class Cell:
    """One run on one family: its rate, the shade of it (0 to 10, ``None`` where there is no rate), and the tasks."""

    label: str
    estimate: Estimate | None
    shade: int | None
    link: str


@dataclass(frozen=True, slots=True)
class Row:
    """One family, with the number of its tasks and a cell for each run."""

    family: str
    tasks: int
    cells: tuple[Cell, ...]


@section(order=40, title="Runs by family of defects", template="heat_map.html.j2")
def heat_map(report: Report) -> Mapping[str, object] | None:
    """Return a row for each family, the largest first."""
    runs = [run for run in report.summary.runs if run.judged]
    sizes: dict[str, int] = {}
    for task in report.material.tasks:
        (family,) = GROUPINGS["family"](task)
        sizes[family] = sizes.get(family, 0) + 1
    if not runs or len(sizes) < 2:
        return None
    rates = {run.label: {rate.group: rate.correct for rate in run.groups["family"]} for run in runs}
    rows = [
        Row(family, size, tuple(_cell(label, family, each.get(family)) for label, each in rates.items()))
        for family, size in sorted(sizes.items(), key=lambda item: (-item[1], item[0]))
    ]
    return {"runs": runs, "rows": rows}


def _cell(label: str, family: str, estimate: Estimate | None) -> Cell:
    value = None if estimate is None else estimate.value
    return Cell(
        label, estimate, None if value is None else round(SHADES * value), filter_link(family=family, run=label)
    )
