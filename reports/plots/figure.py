"""One plot: matplotlib's axes in the page's own colours and size, and what comes of them as inline SVG."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup

from mendlab.reports.plots.colours import Colour
from mendlab.reports.plots.inline import inline_svg
from mendlab.reports.text import visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH: Final = 5.6
FONT_SIZE: Final = 10.5

_STYLE: Final[Any] = {
    "svg.fonttype": "none",
    "font.size": FONT_SIZE,
    "text.parse_math": False,
    "text.color": Colour.INK,
    "axes.labelcolor": Colour.QUIET,
    "axes.edgecolor": Colour.LINE,
    "axes.facecolor": "none",
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": Colour.LINE,
    "grid.linewidth": 0.6,
    "xtick.color": Colour.LINE,
    "ytick.color": Colour.LINE,
    "xtick.labelcolor": Colour.QUIET,
    "ytick.labelcolor": Colour.QUIET,
    "legend.frameon": False,
}


def draw(name: str, description: str, paint: Callable[[Axes], None], *, height: float = 3.5) -> Markup:
    """Return what ``paint`` draws as an ``<svg>`` element; ``name`` tells its ids from those of other plots.

    ``description`` is for those who do not see it, and says what there is to see. Text is drawn as text, and never read
    as mathematics.
    """
    # Imported here: it takes a second, which a report without plots, or on the terminal, should not.
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(_STYLE | {"svg.hashsalt": name}):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        paint(figure.subplots())
        out = io.BytesIO()
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None})
    return inline_svg(out.getvalue(), name, visible(description))


def percent_axis(axis: Any) -> None:
    """Label an axis of rates from 0 to 1."""
    from matplotlib.ticker import PercentFormatter

    axis.set_major_formatter(PercentFormatter(1.0, decimals=0))
