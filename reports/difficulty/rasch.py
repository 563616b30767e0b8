"""Solvers and tasks on one scale: the chance that a solver mends a task, by its ability and the task's difficulty.

The model of Rasch (1960), in which a task's difficulty is what its features explain (Fischer's LLTM, 1973) and a rest
of its own (De Boeck 2008): logit P = ability - (features * weights + rest). Fitted by the largest posterior density
under normal priors, so that tasks which everybody or nobody mends have finite difficulties. With few solvers there is
no rest: difficulties are the features' alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

ENOUGH_SOLVERS: Final = 3
REST_SPREAD: Final = 1.5
WEIGHT_SPREAD: Final = 1.0
ABILITY_SPREAD: Final = 3.0


@dataclass(frozen=True, slots=True)
class Fitted:
    """``rests`` and the rows of features belong to the tasks that the model was fitted on, in their order."""

    abilities: Any
    weights: Any
    intercept: float
    rests: Any
    centre: Any
    scale: Any

    def difficulty(self, rows: Sequence[Sequence[float]], rests: Any = 0.0) -> Any:
        """Return the difficulty of tasks with these features, in logits, with what is known of their own."""
        import numpy as np

        return (np.asarray(rows, dtype=float) - self.centre) / self.scale @ self.weights + self.intercept + rests

    def failing(self, difficulty: Any) -> Any:
        """Return the share of attempts that fail, over the solvers of the fit, for difficulties in logits."""
        import numpy as np
        from scipy.special import expit

        return 1 - expit(self.abilities[:, None] - np.asarray(difficulty)[None, :]).mean(axis=0)


def fit(rows: Sequence[Sequence[float]], successes: Any, samples: Any, *, with_rests: bool | None = None) -> Fitted:
    """Fit the model to how many of how many ``samples`` of each solver (row) succeeded on each task (column).

    ``with_rests`` says whether tasks have a difficulty of their own; by default, where there are solvers enough.
    """
    import numpy as np
    from scipy.optimize import minimize
    from scipy.special import expit

    features = np.asarray(rows, dtype=float)
    won, tried = np.asarray(successes, dtype=float), np.asarray(samples, dtype=float)
    solvers, tasks = won.shape
    centre, scale = features.mean(axis=0), features.std(axis=0)
    scale = np.where(scale > 1e-9, scale, 1.0)
    scaled = np.column_stack([(features - centre) / scale, np.ones(tasks)])
    own = solvers >= ENOUGH_SOLVERS if with_rests is None else with_rests
    width = scaled.shape[1]
    spreads = np.concatenate(
        [
            np.full(solvers, ABILITY_SPREAD),
            np.full(width - 1, WEIGHT_SPREAD),
            [ABILITY_SPREAD],
            np.full(tasks if own else 0, REST_SPREAD),
        ]
    )

    def loss(point: Any) -> tuple[float, Any]:
        ability, weights, rests = np.split(point, [solvers, solvers + width])
        logits = ability[:, None] - (scaled @ weights + (rests if own else 0.0))[None, :]
        off = won - tried * expit(logits)
        value = -(won * logits - tried * np.logaddexp(0, logits)).sum() + ((point / spreads) ** 2).sum() / 2
        of_task = off.sum(axis=0)
        slope = np.concatenate([-off.sum(axis=1), of_task @ scaled, of_task if own else []])
        return float(value), slope + point / spreads**2

    point = minimize(loss, np.zeros(len(spreads)), jac=True, method="L-BFGS-B", options={"maxiter": 2000}).x
    ability, weights, rests = np.split(point, [solvers, solvers + width])
    return Fitted(ability, weights[:-1], float(weights[-1]), rests if own else np.zeros(tasks), centre, scale)
