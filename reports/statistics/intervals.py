"""95% intervals of a proportion, and of a mean of proportions over clusters."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Final

from mendlab.reports.statistics.clusters import Clusters
from mendlab.reports.statistics.records import CONFIDENCE, UNDEFINED, Estimate

PRIOR_CORRELATION: Final = 0.25
"""How alike values of one cluster are taken to be before anything is seen of them."""
PRIOR_EVENTS: Final = 1.0
"""How many effective successes (or failures, whichever are fewer) that is worth."""
TWO_SIDED: Final = (1 + CONFIDENCE) / 2
ONE_TAIL_FROM: Final = 2.0
"""How many effective successes there must be before one tail alone is asked."""
_NOTHING: Final = 1e-12


def wilson(successes: int, total: int) -> tuple[float, float]:
    """Return the 95% Wilson score interval of a proportion; ``total`` is at least 1."""
    # Imported here and below, not above: scipy.stats takes a second, which `mendlab --help` should not.
    from scipy.stats import binomtest

    interval = binomtest(successes, total).proportion_ci(CONFIDENCE, method="wilson")
    return float(interval.low), float(interval.high)


def mean_estimate(values: Sequence[float], weights: Sequence[float], clusters: Sequence[Hashable]) -> Estimate:
    """Return the mean by weight of values between 0 and 1, with an interval that takes clusters as drawn.

    That is :func:`cluster_interval`. One cluster has none.
    """
    if not len(values):
        return UNDEFINED
    summed = Clusters.of(values, weights, clusters)
    mean = min(1.0, max(0.0, summed.mean))
    if len(summed) == 1:
        return Estimate(mean, None, None, "undefined", len(values), 1)
    low, high = map(float, cluster_interval(summed, mean))
    return Estimate(mean, min(low, mean), max(high, mean), "cluster_t", len(values), len(summed))


def cluster_interval(summed: Clusters, mean: Any) -> tuple[Any, Any]:
    """Return the 95% interval of a mean; of several sets of like clusters, where ``mean`` and residuals are arrays.

    Wilson's interval at the effective number of draws, with Student's t: the mean's cluster variance (CR2) says how
    many independent draws would have that variance (Korn and Graubard 1998; Dean and Pagano 2015), and the degrees of
    freedom are Satterthwaite's at the correlation found. Where there are few successes or few failures the variance
    itself is hardly known; it is then drawn towards what a correlation of :data:`PRIOR_CORRELATION` would give.
    """
    ratio = _variance_ratio(summed, mean)
    draws = 1 / (ratio * summed.if_alike)
    degrees = summed.degrees_of_freedom(correlation(ratio, summed.if_unlike / summed.if_alike))
    return limits(mean, draws, degrees)


def limits(mean: Any, draws: Any, degrees: Any) -> tuple[Any, Any]:
    """Return the 95% interval of a mean of so many effective draws, with Student's t of so many degrees of freedom."""
    return _lower(mean, draws, degrees), 1 - _lower(1 - mean, draws, degrees)


def _lower(mean: Any, draws: Any, degrees: Any) -> Any:
    """The lower limit: of a true rate below half of the mean only one tail is asked.

    A rate so low cannot be missed by as much on the other side, for no mean is below 0. The whole 5% is then for this
    side, as in intervals by the likelihood of outcomes (Blaker 2000); otherwise such rates would be held in 97.5%.
    With hardly any success the score is too skewed for that.
    """
    import numpy as np

    both, one = (score_interval(mean, draws, t_quantile(degrees, level))[0] for level in (TWO_SIDED, CONFIDENCE))
    return np.where(mean * draws >= ONE_TAIL_FROM, np.minimum(one, np.maximum(both, mean / 2)), both)


def correlation(ratio: Any, unlike: float) -> Any:
    """Return how alike values of a cluster are (0 to 1), from the variance of the mean.

    Both are parts of what the variance would be if all values of a cluster were the same: ``ratio`` what it is, and
    ``unlike`` what it would be if these were no more alike than others.
    """
    import numpy as np

    return np.clip((ratio - unlike) / (1 - unlike), 0.0, 1.0) if unlike < 1 - _NOTHING else 0.0 * ratio


def _variance_ratio(summed: Clusters, mean: Any) -> Any:
    """The variance of the mean, as a part of what it would be if all values of a cluster were the same."""
    import numpy as np

    unlike = summed.if_unlike / summed.if_alike
    prior = unlike + PRIOR_CORRELATION * (1 - unlike)
    binomial = mean * (1 - mean) * summed.if_alike
    seen = np.where(binomial > _NOTHING, summed.variance / np.maximum(binomial, _NOTHING), 0.0)
    events = np.minimum(mean, 1 - mean) / (np.maximum(seen, _NOTHING) * summed.if_alike)
    drawn = (events * seen + PRIOR_EVENTS * prior) / (events + PRIOR_EVENTS)
    return np.where(seen > _NOTHING, drawn, prior)


def score_interval(mean: Any, draws: Any, quantile: Any) -> tuple[Any, Any]:
    """Return Wilson's interval for a proportion of ``draws``, which need not be whole, cut to 0..1."""
    import numpy as np

    pull = quantile**2 / draws
    centre = (mean + pull / 2) / (1 + pull)
    reach = np.sqrt(pull * (mean * (1 - mean) + pull / 4)) / (1 + pull)
    return np.maximum(0.0, centre - reach), np.minimum(1.0, centre + reach)


def t_quantile(degrees: Any, level: float = TWO_SIDED) -> Any:
    """Return the quantile of Student's t."""
    from scipy.special import stdtrit

    return stdtrit(degrees, level)
