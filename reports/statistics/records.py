"""What goes into an estimate, and what comes out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

CONFIDENCE: Final = 0.95
FEW_TASKS: Final = 30
FEW_CLUSTERS: Final = 10


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

    @property
    def is_of_few(self) -> bool:
        """Whether there are too few tasks to say much: what can be said is the interval."""
        return 0 < self.tasks < FEW_TASKS


UNDEFINED: Final = Estimate(None, None, None, "undefined", 0, 0)
