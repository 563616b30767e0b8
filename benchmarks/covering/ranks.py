"""Made-up tasks whose difficulties and failures have a rank correlation that is known; those of a subject are alike."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from covering.drawing import subjects
from mendlab.reports.difficulty.agreeing import spearman
from mendlab.reports.statistics.bootstrap import cluster_bootstrap

ALIKE: Final = 0.2
RESAMPLES: Final = 400


def rank_coverage(kind: str, tasks: int, rho: float, draws: int, seed: int) -> float:
    """Return the share of draws in which the bootstrap's interval holds the true rank correlation ``rho``.

    Both numbers of a task are normal, partly its subject's; two normal numbers that correlate by 2 sin(pi rho / 6) have
    Spearman's correlation rho.
    """
    chance = np.random.default_rng([seed, tasks, *map(ord, kind), round(100 * rho)])
    sizes = subjects(kind, tasks)
    names = [subject for subject, size in enumerate(sizes) for _ in range(size)]
    r = 2 * math.sin(math.pi * rho / 6)
    hits = 0
    for _ in range(draws):
        pairs = math.sqrt(ALIKE) * _pairs(r, len(sizes), chance)[:, names]
        hard, failing = pairs + math.sqrt(1 - ALIKE) * _pairs(r, tasks, chance)
        span = cluster_bootstrap(_correlation_of(hard, failing), names, resamples=RESAMPLES)
        hits += span is not None and span[0] <= rho <= span[1]
    return hits / draws


def _correlation_of(hard: Any, failing: Any) -> Callable[[Any], float]:
    return lambda drawn: spearman(hard[drawn], failing[drawn]) or 0.0


def _pairs(r: float, count: int, chance: Any) -> Any:
    one, other = chance.standard_normal((2, count))
    return np.array([one, r * one + math.sqrt(1 - r**2) * other])
