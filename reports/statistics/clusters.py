"""The spread of a mean over clusters, and how many degrees of freedom that spread has.

CR2 of Bell and McCaffrey (2002), for a mean: residual sums of clusters, each corrected for what it has pulled the mean
towards itself; and Satterthwaite's degrees of freedom under a working model in which the values of a cluster
correlate by ``rho``.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Clusters:
    """Values with weights, summed by cluster; arrays have an element a cluster.

    It may stand for several sets of values with the same weights: then ``mean`` has an element a set, ``residuals`` a
    row, and so has what is asked of them.

    Attributes:
        mean: of all values, by weight.
        residuals: the weighted sum of the values' distances from the mean.
        shares: of the whole weight.
        squares: the sum of the squared shares of single values.
    """

    mean: Any
    residuals: Any
    shares: Any
    squares: Any

    @classmethod
    def of(cls, values: Sequence[float], weights: Sequence[float], clusters: Sequence[Hashable]) -> Self:
        """Sum up; there is at least one value, and the weights are above 0."""
        import numpy as np

        places: dict[Hashable, int] = {}
        index = np.array([places.setdefault(cluster, len(places)) for cluster in clusters])
        value = np.asarray(values, dtype=float)
        share = np.asarray(weights, dtype=float)
        mean = math.fsum(share * value) / math.fsum(share)
        share = share / math.fsum(share)
        return cls(
            mean=mean,
            residuals=np.bincount(index, share * (value - mean)),
            shares=np.bincount(index, share),
            squares=np.bincount(index, share**2),
        )

    def __len__(self) -> int:
        return len(self.shares)

    @property
    def variance(self) -> Any:
        """The variance of the mean (CR2); there are two clusters or more."""
        return (self.residuals**2 / (1 - self.shares)).sum(axis=-1)

    @property
    def if_alike(self) -> float:
        """The variance of the mean, by that of a single value, if all values of a cluster were the same."""
        return float((self.shares**2).sum())

    @property
    def if_unlike(self) -> float:
        """The same, if values of a cluster were no more alike than others."""
        return float(self.squares.sum())

    def degrees_of_freedom(self, rho: Any) -> Any:
        """Return Satterthwaite's degrees of freedom of :attr:`variance`; between 1 and the number of clusters less 1.

        The ratio of the squared trace to the trace of the square of the covariance of the corrected residuals.
        """
        import numpy as np

        rho = np.asarray(rho)[..., np.newaxis]
        h, spread = self.shares, (1 - rho) * self.squares + rho * self.shares**2
        e = 1 / (1 - h)
        total, cross = spread.sum(axis=-1), (e * h * spread).sum(axis=-1)
        pull, pulled = (e * h**2).sum(), (e * spread**2).sum(axis=-1)
        own = h**2 * total[..., np.newaxis] - 2 * h * spread
        trace = (e * (spread + own)).sum(axis=-1)
        square = (e**2 * spread * (spread + 2 * own)).sum(axis=-1)
        square += 2 * pull * pulled + pull**2 * total**2 + 2 * cross**2 - 4 * total * cross * pull
        return np.clip(trace**2 / square, 1.0, len(self) - 1)
