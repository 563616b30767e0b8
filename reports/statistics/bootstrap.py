"""Intervals for what has no formula, as a median or a rank correlation: the clusters are drawn again and again."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Final

from mendlab.reports.statistics.records import CONFIDENCE

RESAMPLES: Final = 2000
Statistic = Callable[[Any], float]
"""Takes an array of places in the data, in which a place may stand several times."""


def cluster_bootstrap(
    statistic: Statistic, clusters: Sequence[Hashable], *, resamples: int = RESAMPLES, seed: int = 0
) -> tuple[float, float] | None:
    """Return the 95% interval of a statistic, of the bootstrap over clusters (BCa, Efron 1987), by a seed.

    ``None`` with fewer than two clusters, or where the statistic is undefined or never varies.
    """
    import numpy as np
    from scipy.stats import bootstrap

    places: dict[Hashable, list[int]] = {}
    for place, cluster in enumerate(clusters):
        places.setdefault(cluster, []).append(place)
    members = [np.array(each) for each in places.values()]
    if len(members) < 2:
        return None

    def of(drawn: Any) -> float:
        return statistic(np.concatenate([members[int(cluster)] for cluster in drawn]))

    with np.errstate(all="ignore"):
        result = bootstrap(
            (np.arange(len(members)),), of, vectorized=False, n_resamples=resamples, confidence_level=CONFIDENCE,
            method="BCa", rng=np.random.default_rng(seed),
        ).confidence_interval  # fmt: skip
    low, high = float(result.low), float(result.high)
    return (low, high) if np.isfinite(low) and np.isfinite(high) else None
