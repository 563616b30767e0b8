"""Whether difficulties rank tasks as solvers do that had no part in them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from mendlab.records import Agreement, CalibrationBin, Task
from mendlab.reports.difficulty.features import Features
from mendlab.reports.difficulty.rasch import fit
from mendlab.reports.difficulty.scoring import weighed
from mendlab.reports.difficulty.solvers import Outcomes
from mendlab.reports.statistics import mean_estimate
from mendlab.reports.statistics.bootstrap import cluster_bootstrap
from mendlab.reports.statistics.estimating import cluster_names

FOLDS: Final = 5
BINS: Final = 8
RESAMPLES: Final = 1000


def agreements(
    tasks: Sequence[Task], features: Sequence[Features], fitted: Outcomes | None, held_out: Outcomes
) -> tuple[Agreement, ...]:
    """Return how well features, calibrated features and the Rasch model rank the tasks for the solvers held out."""
    found = [_agreement("features", [weighed(one) for one in features], tasks, fitted, held_out)]
    if fitted is not None and fitted.solvers:
        found.append(_agreement("calibrated", crossed(tasks, features, fitted), tasks, fitted, held_out))
        found.append(_agreement("rasch", _rasch(features, fitted), tasks, fitted, held_out))
    return tuple(found)


def crossed(tasks: Sequence[Task], features: Sequence[Features], fitted: Outcomes) -> Any:
    """Return the difficulty of each task, in logits, by features calibrated on tasks of other subjects alone.

    Only what the features weigh is taken from there. How hard tasks are on the whole is the same for all: tasks that
    are left out would else look the easier, the harder they are, for those that are left are easier then.
    """
    import numpy as np

    rows = matrix(features)
    names = cluster_names([(task.id, task.subject) for task in tasks])
    fold = np.array([int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big") % FOLDS for name in names])
    found = np.full(len(tasks), fit(rows, fitted.successes, fitted.samples, with_rests=False).intercept)
    for each in range(FOLDS):
        inside, outside = np.flatnonzero(fold == each), np.flatnonzero(fold != each)
        if len(inside) and len(outside):
            model = fit(rows[outside], fitted.successes[:, outside], fitted.samples[:, outside], with_rests=False)
            found[inside] += (rows[inside] - rows.mean(axis=0)) / model.scale @ model.weights
    return found


def matrix(features: Sequence[Features]) -> Any:
    """Return the features as an array, a row a task, the columns by name."""
    import numpy as np

    names = sorted({name for one in features for name in one})
    return np.array([[one.get(name, 0.0) for name in names] for one in features], dtype=float)


def calibration(predicted: Any, tasks: Sequence[Task], held_out: Outcomes) -> tuple[CalibrationBin, ...]:
    """Return the tasks in bins of like predicted failure, easiest last, with what solvers held out made of them."""
    import numpy as np

    failing = held_out.fail_rates
    known = np.flatnonzero(np.isfinite(failing))
    ranked = known[np.argsort(-np.asarray(predicted)[known], kind="stable")]
    found = []
    for part in np.array_split(ranked, min(BINS, max(1, len(ranked) // 10))):
        some = [int(place) for place in part]
        names = cluster_names([(tasks[place].id, tasks[place].subject) for place in some])
        observed = mean_estimate([1 - float(failing[place]) for place in some], [1.0] * len(some), names)
        if observed.value is not None:
            expected = float(1 - np.asarray(predicted)[some].mean())
            low, high = observed.low, observed.high
            found.append(
                CalibrationBin(tasks=len(some), predicted=expected, observed=observed.value, low=low, high=high)
            )
    return tuple(found)


def _rasch(features: Sequence[Features], fitted: Outcomes) -> Any:
    rows = matrix(features)
    model = fit(rows, fitted.successes, fitted.samples)
    return model.difficulty(rows, model.rests)


def _agreement(
    method: Any, difficulties: Any, tasks: Sequence[Task], fitted: Outcomes | None, held_out: Outcomes
) -> Agreement:
    import numpy as np

    failing = held_out.fail_rates
    known = np.flatnonzero(np.isfinite(failing))
    found = ranking(
        np.asarray(difficulties, dtype=float)[known], failing[known], [tasks[int(place)] for place in known]
    )
    return Agreement(
        method=method, correlation=found.correlation, low=found.low, high=found.high, tasks=found.tasks,
        fitted_on=() if fitted is None or method == "features" else fitted.run_ids, held_out=held_out.run_ids,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ranking:
    """Spearman's correlation of difficulty and failure rate over tasks, 1 where the harder always fail more.

    The 95% interval is the bootstrap's over programs; ``None`` where there is too little to tell.
    """

    correlation: float | None
    low: float | None
    high: float | None
    tasks: int


def ranking(difficulties: Any, failing: Any, tasks: Sequence[Task]) -> Ranking:
    """Return how far tasks are in the order of their failure rates; an element of each array a task."""
    import numpy as np

    hard, failing = np.asarray(difficulties, dtype=float), np.asarray(failing, dtype=float)
    value = spearman(hard, failing)
    span = None
    if value is not None:
        names = cluster_names([(task.id, task.subject) for task in tasks])
        span = cluster_bootstrap(lambda drawn: spearman(hard[drawn], failing[drawn]) or 0.0, names, resamples=RESAMPLES)
    low, high = span or (None, None)
    return Ranking(value, low, high, len(tasks))


def spearman(one: Any, other: Any) -> float | None:
    """Return Spearman's rank correlation; ``None`` where either is always the same."""
    import numpy as np
    from scipy.stats import rankdata

    first, second = rankdata(one), rankdata(other)
    if len(first) < 3 or not first.std() or not second.std():
        return None
    return float(np.corrcoef(first, second)[0, 1])
