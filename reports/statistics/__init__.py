"""Rates that can be defended: pass@k without bias, and intervals that know what was drawn independently.

docs/statistics.md has the methods, their sources, and what was measured of them.
"""

from mendlab.reports.statistics.estimating import estimate_pass_at_k, estimate_pass_hat_k
from mendlab.reports.statistics.intervals import mean_estimate, wilson
from mendlab.reports.statistics.passing import pass_at_k, pass_hat_k
from mendlab.reports.statistics.records import CONFIDENCE, FEW_CLUSTERS, FEW_TASKS, Estimate, TaskCount

__all__ = [
    "CONFIDENCE",
    "FEW_CLUSTERS",
    "FEW_TASKS",
    "Estimate",
    "TaskCount",
    "estimate_pass_at_k",
    "estimate_pass_hat_k",
    "mean_estimate",
    "pass_at_k",
    "pass_hat_k",
    "wilson",
]
