"""One sum divided by another, as dollars by fixes, with an interval."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from mendlab.reports.statistics.intervals import t_quantile


@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio with its 95% interval; all ``None`` where it is divided by nothing, the interval alone where unknown."""

    value: float | None
    low: float | None
    high: float | None


def ratio(above: Sequence[float], below: Sequence[float], clusters: Sequence[Hashable]) -> Ratio:
    """Return the sum of ``above`` by the sum of ``below``, whose elements belong to clusters drawn independently.

    The interval is Student's t on the logarithm, by the linearised cluster variance (Cochran 1977, section 6.3), so
    that it never reaches 0. It wants two clusters and something above.
    """
    total, divisor = math.fsum(above), math.fsum(below)
    if not divisor:
        return Ratio(None, None, None)
    sums: defaultdict[Hashable, float] = defaultdict(float)
    for part, share, cluster in zip(above, below, clusters, strict=True):
        sums[cluster] += part / total - share / divisor if total else 0.0
    count = len(sums)
    if count < 2 or total <= 0:
        return Ratio(total / divisor, None, None)
    spread = math.sqrt(count / (count - 1) * math.fsum(each**2 for each in sums.values()))
    factor = math.exp(min(float(t_quantile(count - 1)) * spread, 700.0))
    return Ratio(total / divisor, total / divisor / factor, total / divisor * factor)
