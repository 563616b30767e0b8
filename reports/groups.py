"""The headline rate of a run, apart for each family and operator of the defects, tag and grade of the tasks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from mendlab.records import CORRECT, Task
from mendlab.reports.data import Judged
from mendlab.reports.rates import task_counts
from mendlab.reports.statistics import Estimate, estimate_pass_at_k

UNNAMED: Final = "not named"

GROUPINGS: Final[dict[str, Callable[[Task], tuple[str, ...]]]] = {
    "family": lambda task: (task.defect.family or UNNAMED,),
    "operator": lambda task: (task.defect.operator or UNNAMED,),
    "tag": lambda task: task.tags,
    "difficulty": lambda task: (task.difficulty.grade,) if task.difficulty else (),
}


@dataclass(frozen=True, slots=True)
class GroupRate:
    """Correct pass@1 of one run on the tasks of one group, infra errors left out."""

    group: str
    correct: Estimate


def group_rates(judged: Sequence[Judged], grouping: str) -> tuple[GroupRate, ...]:
    """Return the rate for each group of ``grouping`` (a key of :data:`GROUPINGS`), by name. Tags may overlap."""
    keys = GROUPINGS[grouping]
    groups: dict[str, list[Judged]] = {}
    for one in judged:
        for key in keys(one.task):
            groups.setdefault(key, []).append(one)
    return tuple(
        GroupRate(name, estimate_pass_at_k(task_counts(groups[name], CORRECT, infra_as_failure=False)))
        for name in sorted(groups)
    )
