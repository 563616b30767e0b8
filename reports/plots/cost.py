"""What a run took against how often it was right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup

from mendlab.reports.costs import Total
from mendlab.reports.plots.colours import Colour
from mendlab.reports.plots.figure import draw, percent_axis
from mendlab.reports.statistics import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True)
class CostPoint:
    """One run: its number in the table beside the plot, what an attempt took, and how often it was right."""

    number: int
    label: str
    cost: float
    correct: Estimate
    efficient: bool


def cost_points(runs: Sequence[tuple[str, Total, Estimate]]) -> list[CostPoint]:
    """Return the runs of which both is known, the cheapest first; those are efficient that no cheaper one equals."""
    known = [
        (label, total.value / total.known, correct)
        for label, total, correct in runs
        if total.value is not None and correct.value is not None
    ]
    points: list[CostPoint] = []
    best = -1.0
    for label, cost, correct in sorted(known, key=lambda one: (one[1], -(one[2].value or 0.0))):
        value = correct.value or 0.0
        points.append(CostPoint(len(points) + 1, label, cost, correct, value > best))
        best = max(best, value)
    return points


def cost_plot(points: Sequence[CostPoint], unit: str, description: str) -> Markup:
    """Return the points with their intervals, and the steps of those that no other run is both cheaper and better than.

    The axis of costs is logarithmic where they differ more than tenfold. ``unit`` is what they are in.
    """

    def paint(axes: Axes) -> None:
        for point in points:
            _paint_point(axes, point)
        front = sorted((point for point in points if point.efficient), key=lambda point: point.cost)
        if len(front) > 1:
            x, y = [point.cost for point in front], [point.correct.value or 0.0 for point in front]
            axes.step(x, y, where="post", color=Colour.ACCENT, linewidth=1.2, linestyle="--", zorder=1)
        _scale(axes, [point.cost for point in points])
        axes.set_ylim(0, 1)
        percent_axis(axes.yaxis)
        axes.set_xlabel(unit)
        axes.set_ylabel("correct at the first try")

    return draw("cost", description, paint)


def _paint_point(axes: Axes, point: CostPoint) -> None:
    value = point.correct.value or 0.0
    colour = Colour.ACCENT if point.efficient else Colour.UNUSABLE
    if point.correct.low is not None and point.correct.high is not None:
        axes.plot([point.cost] * 2, [point.correct.low, point.correct.high], color=colour, linewidth=3, alpha=0.4)
    axes.plot([point.cost], [value], "o", color=colour, markersize=15, markeredgecolor=Colour.GROUND)
    axes.annotate(
        str(point.number),
        (point.cost, value),
        color=Colour.GROUND,
        ha="center",
        va="center_baseline",
        fontweight="bold",
    )


def _scale(axes: Axes, costs: Sequence[float]) -> None:
    low, high = min(costs), max(costs)
    if low > 0 and high > 10 * low:
        axes.set_xscale("log")
        axes.set_xlim(low / 2, high * 2)
    else:
        axes.set_xlim(0, high * 1.15 or 1)
