"""Ways to an interval: mendlab's, and those that it was chosen over."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np

from mendlab.reports.statistics import TaskCount, estimate_pass_at_k, mean_estimate
from mendlab.reports.statistics.bootstrap import cluster_bootstrap
from mendlab.reports.statistics.intervals import score_interval, t_quantile

Z: Final = 1.959964
Method = Callable[[Any, Any, int], tuple[float, float]]
"""Takes the tasks' rates, their subjects, and the number of samples."""


def ours(values: Any, subjects: Any, samples: int) -> tuple[float, float]:
    """What reports show."""
    if samples > 1 or int(subjects[-1]) + 1 < len(values):
        found = mean_estimate(values, np.ones(len(values)), subjects.tolist())
    else:
        counts = [TaskCount(str(n), str(n), samples, round(v * samples)) for n, v in enumerate(values)]
        found = estimate_pass_at_k(counts)
    assert found.low is not None and found.high is not None
    return found.low, found.high


def naive(values: Any, subjects: Any, samples: int) -> tuple[float, float]:
    """Wilson's interval over all samples, as if each had been drawn by itself."""
    return score_interval(float(values.mean()), samples * len(values), Z)


def plain_t(values: Any, subjects: Any, samples: int) -> tuple[float, float]:
    """The mean plus and minus Student's t times its cluster standard error (Miller 2024, arXiv:2411.00640)."""
    mean, count = float(values.mean()), int(subjects[-1]) + 1
    sums = np.bincount(subjects, values - mean)
    error = math.sqrt(count / (count - 1) * float((sums**2).sum())) / len(values)
    return mean - t_quantile(count - 1) * error, mean + t_quantile(count - 1) * error


def bootstrap(values: Any, subjects: Any, samples: int) -> tuple[float, float]:
    """The bootstrap over subjects (BCa)."""
    mean = float(values.mean())
    return cluster_bootstrap(lambda drawn: values[drawn].mean(), subjects.tolist(), resamples=600) or (mean, mean)


METHODS: Final[dict[str, Method]] = {"mendlab": ours, "cluster t": plain_t, "Wilson over samples": naive}
WITH_BOOTSTRAP: Final[dict[str, Method]] = {**METHODS, "cluster bootstrap": partial(bootstrap)}
