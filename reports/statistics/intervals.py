"""95% intervals of a proportion, and of a mean of proportions over clusters."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Final

from mendlab.reports.statistics.clusters import Clusters
from mendlab.reports.statistics.records import CONFIDENCE, UNDEFINED, Estimate

PRIOR_CORRELATION: Final = 0.25
"""How alike values of one cluster are taken to be before anything is seen of them."""
PRIOR_EVENTS: Final = 1.0
"""How many effective successes (or failures, whichever are fewer) that is worth."""
_NOTHING: Final = 1e-12


def wilson(successes: int, total: int) -> tuple[float, float]:
    """Return the 95% Wilson score interval of a proportion; ``total`` is at least 1."""
    # Imported here and below, not above: scipy.stats takes a second, which `mendlab --help` should not.
    from scipy.stats import binomtest  # type: ignore[import-untyped]

    interval = binomtest(successes, total).proportion_ci(CONFIDENCE, method="wilson")
    return float(interval.low), float(interval.high)


def mean_estimate(values: Sequence[float], weights: Sequence[float], clusters: Sequence[Hashable]) -> Estimate:
    """Return the mean by weight of values between 0 and 1, with an interval that takes clusters as drawn.

    Wilson's interval at the effective number of draws, with Student's t: the mean's cluster variance (CR2) says how
    many independent draws would have that variance (Korn and Graubard 1998; Dean and Pagano 2015), and the degrees of
    freedom are Satterthwaite's at the correlation found. Where there are few successes or few failures the variance
    itself is hardly known; it is then drawn towards what a correlation of :data:`PRIOR_CORRELATION` would give. One
    cluster has no interval.
    """
    if not len(values):
        return UNDEFINED
    summed = Clusters.of(values, weights, clusters)
    mean = min(1.0, max(0.0, summed.mean))
    if len(summed) == 1:
        return Estimate(mean, None, None, "undefined", len(values), 1)
    low, high = _interval(summed, mean)
    return Estimate(mean, min(low, mean), max(high, mean), "cluster_t", len(values), len(summed))


def _interval(summed: Clusters, mean: float) -> tuple[float, float]:
    ratio = _variance_ratio(summed, mean)
    draws = 1 / (ratio * summed.if_alike)
    rho = correlation(ratio, summed.if_unlike / summed.if_alike)
    return score_interval(mean, draws, t_quantile(summed.degrees_of_freedom(rho)))


def correlation(ratio: float, unlike: float) -> float:
    """Return how alike values of a cluster are (0 to 1), from the variance of the mean.

    Both are parts of what the variance would be if all values of a cluster were the same: ``ratio`` what it is, and
    ``unlike`` what it would be if these were no more alike than others.
    """
    return min(1.0, max(0.0, (ratio - unlike) / (1 - unlike))) if unlike < 1 - _NOTHING else 0.0


def _variance_ratio(summed: Clusters, mean: float) -> float:
    """The variance of the mean, as a part of what it would be if all values of a cluster were the same."""
    unlike = summed.if_unlike / summed.if_alike
    prior = unlike + PRIOR_CORRELATION * (1 - unlike)
    binomial = mean * (1 - mean) * summed.if_alike
    seen = summed.variance / binomial if binomial > _NOTHING else 0.0
    if seen <= _NOTHING:
        return prior
    events = min(mean, 1 - mean) / (seen * summed.if_alike)
    return (events * seen + PRIOR_EVENTS * prior) / (events + PRIOR_EVENTS)


def score_interval(mean: float, draws: float, quantile: float) -> tuple[float, float]:
    """Return Wilson's interval for a proportion of ``draws``, which need not be whole, cut to 0..1."""
    pull = quantile**2 / draws
    centre = (mean + pull / 2) / (1 + pull)
    reach = math.sqrt(pull * (mean * (1 - mean) + pull / 4)) / (1 + pull)
    return max(0.0, centre - reach), min(1.0, centre + reach)


def t_quantile(degrees: float, level: float = (1 + CONFIDENCE) / 2) -> float:
    """Return the quantile of Student's t."""
    from scipy.special import stdtrit  # type: ignore[import-untyped]

    return float(stdtrit(degrees, level))
