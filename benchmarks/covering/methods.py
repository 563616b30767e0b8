"""Ways to an interval: mendlab's, and those that it was chosen over. Each does many draws of a kind at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from covering.drawing import Cell, task_variance
from mendlab.reports.statistics.bootstrap import cluster_bootstrap
from mendlab.reports.statistics.clusters import Clusters
from mendlab.reports.statistics.intervals import cluster_interval, limits, score_interval, t_quantile

Z: Final = 1.959964
MANY: Final = 1e9
Method = Callable[[Any, Any, Cell], tuple[Any, Any]]
"""Takes the tasks' rates, a row a draw, the subject of each column, in order, and what kind it is."""


def summed(values: Any, subjects: Any) -> Clusters:
    """Return the rows' clusters, as :meth:`Clusters.of` does a row's with equal weights."""
    count = values.shape[1]
    first = np.flatnonzero(np.diff(subjects, prepend=-1))
    sizes = np.diff([*first, count])
    mean = values.mean(axis=1)
    residuals = np.add.reduceat(values - mean[:, np.newaxis], first, axis=1) / count
    return Clusters(mean, residuals, sizes / count, sizes / count**2)


def ours(values: Any, subjects: Any, cell: Cell) -> tuple[Any, Any]:
    """What reports show."""
    if cell.samples == 1 and cell.kind == "none":
        return score_interval(values.mean(axis=1), values.shape[1], Z)
    found = summed(values, subjects)
    mean = np.clip(found.mean, 0.0, 1.0)
    low, high = cluster_interval(found, mean)
    return np.minimum(low, mean), np.maximum(high, mean)


def told(values: Any, subjects: Any, cell: Cell) -> tuple[Any, Any]:
    """The same at the number of draws that there really are: for one who knows how alike tasks are."""
    found = summed(values, subjects)
    alike, single = cell.alike if cell.kind != "none" else 0.0, task_variance(cell)
    draws = 1 / (alike * found.if_alike + (single - alike) * found.if_unlike)
    return limits(np.clip(found.mean, 0.0, 1.0), draws, MANY)


def naive(values: Any, subjects: Any, cell: Cell) -> tuple[Any, Any]:
    """Wilson's interval over all samples, as if each had been drawn by itself."""
    return score_interval(values.mean(axis=1), cell.samples * values.shape[1], Z)


def plain_t(values: Any, subjects: Any, cell: Cell) -> tuple[Any, Any]:
    """The mean plus and minus Student's t times its cluster standard error (Miller 2024, arXiv:2411.00640)."""
    found = summed(values, subjects)
    count = len(found)
    error = np.sqrt(count / (count - 1) * (found.residuals**2).sum(axis=1))
    return found.mean - t_quantile(count - 1) * error, found.mean + t_quantile(count - 1) * error


def _mean_of(row: Any) -> Callable[[Any], float]:
    return lambda drawn: float(row[drawn].mean())


def bootstrap(values: Any, subjects: Any, cell: Cell) -> tuple[Any, Any]:
    """The bootstrap over subjects (BCa)."""
    spans = []
    for row in values:
        span = cluster_bootstrap(_mean_of(row), subjects.tolist(), resamples=600)
        spans.append(span or (row.mean(), row.mean()))
    low, high = zip(*spans, strict=True)
    return np.array(low), np.array(high)


METHODS: Final[dict[str, Method]] = {
    "mendlab": ours,
    "told how alike": told,
    "cluster t": plain_t,
    "naive Wilson": naive,
}
WITH_BOOTSTRAP: Final[dict[str, Method]] = {**METHODS, "cluster bootstrap": bootstrap}
