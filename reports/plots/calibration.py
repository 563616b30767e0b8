"""Whether graded difficulty is borne out: the grade's score against how often tasks were really mended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup

from mendlab.reports.plots.colours import Colour
from mendlab.reports.plots.figure import draw, percent_axis
from mendlab.reports.statistics import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True)
class ScoreBin:
    """Tasks of neighbouring scores: their mean score, and how often they were mended."""

    score: float
    solved: Estimate


def calibration_plot(tasks: Sequence[tuple[float, float]], bins: Sequence[ScoreBin], description: str) -> Markup:
    """Return the tasks as (score, rate of correct attempts), and over them each bin's rate with its interval."""

    def paint(axes: Axes) -> None:
        axes.scatter(
            [x for x, _ in tasks], [y for _, y in tasks], s=16, color=Colour.UNUSABLE, alpha=0.35, linewidths=0
        )
        for one in bins:
            if one.solved.low is not None and one.solved.high is not None:
                axes.plot(
                    [one.score] * 2, [one.solved.low, one.solved.high], color=Colour.ACCENT, linewidth=3, alpha=0.4
                )
        axes.plot([one.score for one in bins], [one.solved.value or 0.0 for one in bins], "o-", color=Colour.ACCENT)
        axes.set_ylim(-0.04, 1.04)
        percent_axis(axes.yaxis)
        axes.set_xlabel("score of difficulty")
        axes.set_ylabel("attempts that are correct")

    return draw("difficulty", description, paint)
