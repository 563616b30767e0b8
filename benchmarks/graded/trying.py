"""What becomes of every candidate of the search on a task, in its order, and not only of the first that passes.

From that follows what a search that takes the first which passes would hand in, with any budget and any subset of the
families. So one pass over a task set stands for many runs.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from mendlab.corpora.diffs import make_diff
from mendlab.corpora.taskset import TaskSet
from mendlab.mutators import operators
from mendlab.records import Task
from mendlab.repair.candidates import Candidate, candidates
from mendlab.repair.context import RepairContext, VisibleTests
from mendlab.repair.localisation import localise
from mendlab.repair.repairer import Repairer
from mendlab.repair.runs import make_config
from mendlab.repair.searching.keys import Keys
from mendlab.repair.strategy import make_strategy
from mendlab.verify.bench import Bench
from mendlab.workers import map_ordered

SHORT_CPU = 0.1
TEMPLATE = "template"
"""The family of what the search's own templates make."""


@dataclass(frozen=True, slots=True)
class Tried:
    """The candidates for one task in order: their families and operators, and the patches of those that pass."""

    task: str
    families: tuple[str, ...]
    operators: tuple[str, ...]
    passing: dict[int, str]


def try_all(taskset: TaskSet, bench: Bench, most: int, file: Path, workers: int) -> dict[str, Tried]:
    """Return what came of the first ``most`` candidates of every task; lines of ``file`` are not tried again."""
    known = {each.task: each for each in _read(file)}
    config = make_config(taskset, make_strategy("search"))
    repairer = Repairer(config, taskset, make_strategy("search"), bench.open_for_mutants)
    left = [task for task in taskset.tasks if task.id not in known]

    def work(task: Task) -> Tried:
        return _try(task.id, repairer.context(task, 0), most)

    with file.open("a", encoding="utf-8") as out:
        for each in map_ordered(work, left, workers):
            known[each.task] = each
            out.write(json.dumps(asdict(each)) + "\n")
            out.flush()
    return known


def _try(name: str, context: RepairContext, most: int) -> Tried:
    problem = context.problem
    limits = problem.limits.model_copy(update={"cpu_seconds": min(SHORT_CPU, problem.limits.cpu_seconds)})
    tried: list[Candidate] = []
    passing: dict[int, str] = {}
    with context.open_tests(limits) as tests:
        failing = tests.run({}, problem.fail_to_pass).failing()
        for candidate, data in islice(_distinct(candidates(problem, localise(problem, failing))), most):
            changes = {candidate.path: data}
            if _passes(tests, changes, problem.fail_to_pass) and _passes(tests, changes, problem.visible):
                passing[len(tried)] = make_diff(problem.tree, problem.tree.replace(changes))
            tried.append(candidate)
    names = tuple(candidate.operator for candidate in tried)
    families = {each.name: each.family for each in operators()}
    return Tried(name, tuple(families.get(each, TEMPLATE) for each in names), names, passing)


def _distinct(ranked: Iterator[Candidate]) -> Iterator[tuple[Candidate, bytes]]:
    """Yield what the search tries: candidates that are programs, of equal ones the first."""
    keys, seen = Keys(), set[Hashable]()
    for candidate in ranked:
        key, data = keys.of(candidate), candidate.data
        if key is not None and data is not None and key not in seen:
            seen.add(key)
            yield candidate, data


def _passes(tests: VisibleTests, changes: Mapping[str, bytes | None], wanted: Sequence[str]) -> bool:
    return not tests.run(changes, tuple(wanted), stop_at_first=True).failing()


def _read(file: Path) -> Iterator[Tried]:
    if file.exists():
        for line in file.read_text(encoding="utf-8").splitlines():
            row: dict[str, Any] = json.loads(line)
            yield Tried(
                task=row["task"],
                families=tuple(row["families"]),
                operators=tuple(row["operators"]),
                passing={int(index): patch for index, patch in row["passing"].items()},
            )
