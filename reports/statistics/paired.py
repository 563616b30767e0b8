"""Two repairers on the same tasks: the difference, its interval, whether it may be chance, and what could be seen."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from mendlab.reports.statistics.clusters import Clusters
from mendlab.reports.statistics.intervals import correlation, t_quantile

SIGNIFICANCE: Final = 0.05
POWER: Final = 0.8
RESAMPLES: Final = 9999


@dataclass(frozen=True, slots=True)
class Difference:
    """The first rate less the second, on the same tasks, with its 95% interval; ``None`` with less than two clusters.

    Attributes:
        p_value: two-sided, of the ``test``: exact McNemar where each task has one sample and a subject of its own (or
            all have one subject), else flips of the signs of whole subjects.
        only_first: tasks that the first does better.
        only_second: tasks that the second does better.
        smallest: the difference that tasks like these would show in four of five cases, at a level of 5%.
    """

    value: float
    low: float | None
    high: float | None
    p_value: float
    test: Literal["mcnemar", "sign_flip"]
    tasks: int
    clusters: int
    only_first: int
    only_second: int
    smallest: float | None


def difference(first: Sequence[float], second: Sequence[float], clusters: Sequence[Hashable]) -> Difference:
    """Return what there is between two sets of rates, task by task; there is at least one task."""
    apart = [one - other for one, other in zip(first, second, strict=True)]
    summed = Clusters.of(apart, [1.0] * len(apart), clusters)
    single = {*first, *second} <= {0.0, 1.0} and len(summed) == len(apart)
    low, high, smallest = _interval(summed, apart) if len(summed) > 1 else (None, None, None)
    ahead, behind = sum(each > 0 for each in apart), sum(each < 0 for each in apart)
    return Difference(
        value=math.fsum(apart) / len(apart),
        low=low,
        high=high,
        p_value=mcnemar(ahead, behind) if single else sign_flip(apart, clusters),
        test="mcnemar" if single else "sign_flip",
        tasks=len(apart),
        clusters=len(summed),
        only_first=ahead,
        only_second=behind,
        smallest=smallest,
    )


def _interval(summed: Clusters, apart: Sequence[float]) -> tuple[float, float, float]:
    """Student's t, after one draw more for either side has been added (Agresti and Min 2005)."""
    unlike = summed.if_unlike / summed.if_alike
    draws = 1 / summed.if_unlike
    error = math.sqrt(summed.variance * draws**2 + 1) / (draws + 2)
    spread = math.fsum(each**2 for each in apart) / len(apart) - summed.mean**2
    ratio = summed.variance / (spread * summed.if_alike) if spread > 0 else unlike
    degrees = summed.degrees_of_freedom(correlation(ratio, unlike))
    centre, reach = summed.mean * draws / (draws + 2), t_quantile(degrees) * error
    low, high = max(-1.0, centre - reach), min(1.0, centre + reach)
    smallest = reach + t_quantile(degrees, POWER) * error
    return float(min(low, summed.mean)), float(max(high, summed.mean)), float(smallest)


def mcnemar(only_first: int, only_second: int) -> float:
    """Return the exact two-sided p-value of McNemar's test, from the numbers of tasks that only one of two mends."""
    from scipy.stats import binomtest

    return float(binomtest(only_first, only_first + only_second).pvalue) if only_first + only_second else 1.0


def sign_flip(apart: Sequence[float], clusters: Sequence[Hashable], *, seed: int = 0) -> float:
    """Return the two-sided p-value of the permutation test that flips the signs of the differences of whole clusters.

    Exact where there are few clusters; else of :data:`RESAMPLES` flips drawn by the seed.
    """
    import numpy as np
    from scipy.stats import permutation_test

    sums: dict[Hashable, float] = {}
    for each, cluster in zip(apart, clusters, strict=True):
        sums[cluster] = sums.get(cluster, 0.0) + each
    moved = np.array([each for each in sums.values() if abs(each) > 1e-12])
    if len(moved) < 2:
        return 1.0
    test = permutation_test(
        (moved,), lambda flipped, axis: flipped.sum(axis=axis), permutation_type="samples", vectorized=True,
        n_resamples=RESAMPLES, batch=1000, rng=np.random.default_rng(seed),
    )  # fmt: skip
    return float(min(1.0, test.pvalue))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p-values corrected for their number, in the order given (Holm 1979)."""
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=lambda place: p_values[place])):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        corrected[place] = largest
    return corrected
