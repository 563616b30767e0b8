"""One task mended and judged; where that did not succeed, why."""

from __future__ import annotations

import ast
import time
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mendlab.corpora.diffs import apply_diff
from mendlab.corpora.taskset import TaskSet
from mendlab.corpora.text import decode
from mendlab.records import Outcome, Task
from mendlab.repair.candidates import candidates
from mendlab.repair.localisation import localise
from mendlab.repair.problem import make_problem
from mendlab.repair.repairer import Repairer
from mendlab.repair.runs import make_config
from mendlab.repair.strategy import ChosenStrategy, make_strategy
from mendlab.verify.bench import Bench
from mendlab.verify.judge import Judge

CORRECT = (Outcome.EXACT, Outcome.EQUIVALENT)
PLAUSIBLE = (*CORRECT, Outcome.PLAUSIBLE, Outcome.DIVERGENT)


@dataclass(frozen=True, slots=True)
class Mended:
    """What became of one task. ``why`` says for one that is not correct where it failed; seconds are by the clock."""

    task: str
    family: str
    outcome: Outcome
    operator: str | None
    tried: int
    wall_seconds: float
    cpu_seconds: float
    why: str = ""

    @property
    def correct(self) -> bool:
        """Whether the judge holds it to be the reference's equal."""
        return self.outcome in CORRECT

    @property
    def plausible(self) -> bool:
        """Whether every test passes."""
        return self.outcome in PLAUSIBLE


def mend(taskset: TaskSet, task: Task, bench: Bench, judge: Judge, options: Mapping[str, Any]) -> Mended:
    """Return what the search makes of a task, with these options."""
    chosen = make_strategy("search", **options)
    repairer = Repairer(make_config(taskset, chosen), taskset, chosen, bench.open)
    began = time.monotonic()
    attempt = repairer.attempt(task, 0)
    wall = time.monotonic() - began
    verdict = judge.judge(task, attempt)
    told = attempt.parameters
    correct = verdict.outcome in CORRECT
    return Mended(
        task=task.id,
        family=task.defect.family or "",
        outcome=verdict.outcome,
        operator=None if told.get("operator") is None else str(told["operator"]),
        tried=int(str(told.get("tried", 0))),
        wall_seconds=round(wall, 2),
        cpu_seconds=round(attempt.cpu_seconds or 0.0, 2),
        why="" if correct else _why(_place_of_fix(taskset, task, chosen), attempt.stop_reason, verdict.outcome),
    )


def _why(at: int | None, stop_reason: str, outcome: Outcome) -> str:
    """Whether the fix is among the candidates at all, ``at`` which place, and if so why it was not taken."""
    if at is None:
        return f"the reference is no candidate ({stop_reason})"
    if outcome in PLAUSIBLE:
        return f"another patch was ranked before the reference, candidate {at}"
    return f"the reference is candidate {at} ({stop_reason})"


def _place_of_fix(taskset: TaskSet, task: Task, chosen: ChosenStrategy) -> int | None:
    """The number of the candidate that has the reference's syntax tree, without what runs tell of places."""
    buggy = taskset.buggy_tree(task)
    problem = make_problem(task, buggy)
    good = apply_diff(buggy, task.reference)
    wanted = {path: _dump(decode(path, good[path]).text) for path in good if path in problem.editable}
    without = [name for name in str(chosen.parameters["without"]).split(",") if name]
    for number, candidate in enumerate(candidates(problem, localise(problem, ()), without=without), 1):
        if candidate.path in wanted and _dump(candidate.text) == wanted[candidate.path]:
            return number
    return None


def _dump(text: str) -> str | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.dump(ast.parse(text.removeprefix("\ufeff")))
    except (SyntaxError, ValueError):
        return None
