"""What solvers made of tasks: a row a solver, a column a task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mendlab.records import Task
from mendlab.reports.comparison.contenders import Contender


@dataclass(frozen=True, slots=True)
class Outcomes:
    """How many of how many samples of each solver are correct on each task; none where there is no verdict."""

    solvers: tuple[Contender, ...]
    successes: Any
    samples: Any

    @property
    def run_ids(self) -> tuple[str, ...]:
        """The runs of the solvers."""
        return tuple(run for solver in self.solvers for run in solver.runs)

    @property
    def fail_rates(self) -> Any:
        """The share of samples that fail of each task, over all solvers; not a number where there is none."""
        import numpy as np

        with np.errstate(invalid="ignore", divide="ignore"):
            return 1 - self.successes.sum(axis=0) / self.samples.sum(axis=0)


def outcomes(solvers: Sequence[Contender], tasks: Sequence[Task]) -> Outcomes:
    """Return the table for these tasks, in their order."""
    import numpy as np

    table = [[one.counts.get(task.id) for task in tasks] for one in solvers]
    return Outcomes(
        solvers=tuple(solvers),
        successes=np.array([[count.successes if count else 0 for count in row] for row in table], dtype=float),
        samples=np.array([[count.samples if count else 0 for count in row] for row in table], dtype=float),
    )


def halves(solvers: Sequence[Contender]) -> tuple[tuple[Contender, ...], tuple[Contender, ...]]:
    """Return two sets of solvers of like strength: every other one, by their rates."""
    ranked = sorted(solvers, key=lambda one: (one.rate.value or 0.0, one.label))
    return tuple(ranked[::2]), tuple(ranked[1::2])
