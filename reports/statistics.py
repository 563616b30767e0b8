"""Rates that can be defended: pass@k without bias, and intervals that know what was drawn independently."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from mendlab.errors import InputError

CONFIDENCE: Final = 0.95
FEW_TASKS: Final = 30


@dataclass(frozen=True, slots=True)
class TaskCount:
    """One task's samples: how many there are, and how many succeeded."""

    task: str
    subject: str
    samples: int
    successes: int
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Estimate:
    """A rate (0 to 1) with its 95% interval, over ``tasks`` tasks in ``clusters`` independent clusters.

    All three numbers are ``None`` where nothing defines them; the interval alone, where there is but one cluster.
    """

    value: float | None
    low: float | None
    high: float | None
    method: Literal["wilson", "cluster_t", "undefined"]
    tasks: int
    clusters: int


def pass_at_k(samples: int, successes: int, k: int) -> float | None:
    """Return the probability that at least one of ``k`` samples drawn without replacement succeeds.

    The unbiased estimator of Chen et al. 2021 (arXiv:2107.03374), as the product that neither overflows nor cancels.
    ``None`` where there are fewer than ``k`` samples.

    Raises:
        InputError: the numbers are no counts.
    """
    if k < 1 or not 0 <= successes <= samples:
        raise InputError(f"pass@{k} of {successes} successes in {samples} samples has no meaning")
    if samples < k:
        return None
    if samples - successes < k:
        return 1.0
    return 1.0 - math.prod(1.0 - k / i for i in range(samples - successes + 1, samples + 1))


def wilson(successes: int, total: int) -> tuple[float, float]:
    """Return the 95% Wilson score interval of a proportion; ``total`` is at least 1."""
    # Imported here and below, not above: scipy.stats takes a second, which `mendlab --help` should not.
    from scipy.stats import binomtest  # type: ignore[import-untyped]

    interval = binomtest(successes, total).proportion_ci(CONFIDENCE, method="wilson")
    return float(interval.low), float(interval.high)


def estimate_pass_at_k(counts: Sequence[TaskCount], k: int = 1) -> Estimate:
    """Return pass@k of each task averaged over tasks by weight; tasks with fewer than ``k`` samples are left out.

    One sample a task and equal weights: Wilson. Otherwise the clusters are the subjects (the tasks, where all are of
    one subject), and the interval is the mean's linearised cluster variance with Student's t, cut to 0..1.
    """
    values = [(count, pass_at_k(count.samples, count.successes, k)) for count in counts if count.weight > 0]
    scored = [(count, value) for count, value in values if value is not None]
    if not scored:
        return Estimate(None, None, None, "undefined", 0, 0)
    if all(count.samples == 1 for count, _ in scored) and len({count.weight for count, _ in scored}) == 1:
        successes = sum(count.successes for count, _ in scored)
        low, high = wilson(successes, len(scored))
        return Estimate(successes / len(scored), low, high, "wilson", len(scored), len(scored))
    return _cluster_t(scored)


def _cluster_t(scored: Sequence[tuple[TaskCount, float]]) -> Estimate:
    total = math.fsum(count.weight for count, _ in scored)
    mean = min(1.0, math.fsum(count.weight * value for count, value in scored) / total)
    by_subject = len({count.subject for count, _ in scored}) > 1
    residuals: defaultdict[str, float] = defaultdict(float)
    for count, value in scored:
        residuals[count.subject if by_subject else count.task] += count.weight * (value - mean)
    clusters = len(residuals)
    if clusters == 1:
        return Estimate(mean, None, None, "undefined", len(scored), 1)
    variance = clusters / (clusters - 1) * math.fsum(r * r for r in residuals.values()) / total**2
    if math.isclose(variance, 0.0, abs_tol=1e-15):
        # Clusters that all agree say nothing of their spread: each then counts as one draw.
        low, high = wilson(round(mean * clusters), clusters)
        return Estimate(mean, min(low, mean), max(high, mean), "wilson", len(scored), clusters)
    from scipy.stats import t

    reach = float(t.ppf((1 + CONFIDENCE) / 2, clusters - 1)) * math.sqrt(variance)
    return Estimate(mean, max(0.0, mean - reach), min(1.0, mean + reach), "cluster_t", len(scored), clusters)
