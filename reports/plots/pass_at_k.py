"""How the chance of one right sample grows with the number of samples."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Final

from markupsafe import Markup

from mendlab.reports.plots.colours import SERIES
from mendlab.reports.plots.figure import draw, percent_axis
from mendlab.reports.rates import PassAtK

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_DASHES: Final = ("-", "--", ":", "-.")
LEAST_GAP: Final = 0.055


def pass_at_k_plot(curves: Sequence[tuple[int, Sequence[PassAtK]]], description: str) -> Markup:
    """Return a line for each run, which ends in its number, in the band of its intervals."""

    def paint(axes: Axes) -> None:
        ends = []
        for (index, curve), colour, dash in zip(curves, cycle(SERIES), cycle(_DASHES), strict=False):
            points = [(one.k, one.excluding_infra) for one in curve if one.excluding_infra.value is not None]
            ks, values = [k for k, _ in points], [estimate.value or 0.0 for _, estimate in points]
            axes.plot(ks, values, color=colour, linestyle=dash, marker="o", markersize=4)
            axes.fill_between(
                ks,
                [value if e.low is None else e.low for (_, e), value in zip(points, values, strict=True)],
                [value if e.high is None else e.high for (_, e), value in zip(points, values, strict=True)],
                color=colour, alpha=0.14, linewidth=0,
            )  # fmt: skip
            ends.append((values[-1], ks[-1], str(index), colour))
        for place, (_, k, number, colour) in zip(_apart([value for value, *_ in ends]), sorted(ends), strict=True):
            axes.annotate(
                number, (k, place), (9, 0), textcoords="offset points", color=colour, va="center_baseline",
                fontweight="bold",
            )  # fmt: skip
        _count_axis(axes)
        axes.set_ylim(0, 1.02)
        percent_axis(axes.yaxis)
        axes.set_ylabel("one or more correct")

    return draw("pass-at-k", description, paint)


def _apart(values: Sequence[float]) -> list[float]:
    """Return the values in order, moved down as far as their names need it not to cover each other."""
    places: list[float] = []
    for value in sorted(values, reverse=True):
        places.insert(0, value if not places else min(value, places[0] - LEAST_GAP))
    return places


def _count_axis(axes: Axes) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("samples (k)")
