"""A report as JSON: the whole summary, under the names it has in the code."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from mendlab.reports.headline import cautions, headline
from mendlab.reports.summary import Summary


def as_json(summary: Summary) -> dict[str, Any]:
    """Return the summary as a dictionary that ``json.dumps`` takes. Rates are 0 to 1; unknown is ``None``."""
    return {
        "headline": [str(sentence) for sentence in headline(summary)],
        "cautions": list(cautions(summary)),
        **asdict(summary),
    }
