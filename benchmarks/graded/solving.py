"""Runs of searches with several budgets and subsets of the operators, out of one pass over all candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from measures.progress import counted

from graded.trying import Tried
from mendlab.corpora.diffs import apply_diff
from mendlab.corpora.taskset import TaskSet
from mendlab.corpora.tree import FileTree
from mendlab.records import Attempt, Outcome, RunConfig, Rung, Task, Verdict
from mendlab.repair.runs import RUN_FILE, Run
from mendlab.verify.bench import Bench
from mendlab.verify.code import normalised_tree
from mendlab.verify.judge import Judge


@dataclass(frozen=True, slots=True)
class Solver:
    """A search that tries at most ``budget`` candidates, of these families alone; of all, if there are none."""

    name: str
    budget: int
    families: frozenset[str] = frozenset()

    def answer(self, tried: Tried) -> str | None:
        """Return the patch that it hands in, and None where none of its candidates passes the visible tests."""
        mine = (n for n, family in enumerate(tried.families) if not self.families or family in self.families)
        for place, number in enumerate(mine):
            if place >= self.budget:
                return None
            if number in tried.passing:
                return tried.passing[number]
        return None


def write_runs(
    taskset: TaskSet, bench: Bench, solvers: Sequence[Solver], tried: Mapping[str, Tried], folder: Path
) -> list[Path]:
    """Write a run of each solver, judged, and return where; each patch is judged once for all of them."""
    paths = [folder / solver.name for solver in solvers]
    if all((path / RUN_FILE).is_file() and len(Run.open(path).verdicts()) == len(tried) for path in paths):
        return paths
    verdicts: dict[tuple[str, str], Verdict] = {}
    wanted = {
        (task.id, patch): task
        for task in taskset.tasks
        if task.id in tried
        for solver in solvers
        if (patch := solver.answer(tried[task.id])) is not None
    }
    with Judge(taskset, bench) as judge:
        for (name, patch), task in counted("patches judged", iter(wanted.items()), len(wanted)):
            attempt = _attempt("", "", task, patch)
            exact = _is_reference(taskset.buggy_tree(task), patch, taskset.good_tree(task))
            verdicts[name, patch] = _exact(task, patch) if exact else judge.judge(task, attempt)
    return [_write(taskset, solver, tried, verdicts, folder) for solver in solvers]


def _is_reference(buggy: FileTree, patch: str, good: FileTree) -> bool:
    """Whether it makes the reference's syntax trees: the judge says nothing else of it, and takes longer."""
    made = apply_diff(buggy, patch)
    return all(
        made[path] == data or (data is not None and normalised_tree(made[path]) == normalised_tree(data))
        for path, data in made.changed(good).items()
        if path in made
    )


def _exact(task: Task, patch: str) -> Verdict:
    return Verdict(
        run_id="", task_id=task.id, sample=0, outcome=Outcome.EXACT, rung=Rung.EQUIVALENCE, apply_rung="strict",
        canonical_patch=patch,
    )  # fmt: skip


def _attempt(run: str, strategy: str, task: Task, patch: str | None) -> Attempt:
    reason = "budget: candidates" if patch is None else "found"
    return Attempt(run_id=run, task_id=task.id, sample=0, strategy=strategy, raw_patch=patch, stop_reason=reason)


def _write(
    taskset: TaskSet, solver: Solver, tried: Mapping[str, Tried], verdicts: Mapping[tuple[str, str], Verdict],
    folder: Path,
) -> Path:  # fmt: skip
    config = RunConfig(
        run_id=solver.name, taskset=taskset.manifest.name, taskset_digest=taskset.digest, strategy=solver.name,
        samples=1, seed=0, parameters={"candidates": solver.budget, "families": [*sorted(solver.families)]},
    )  # fmt: skip
    with Run.begin(folder / solver.name, config) as run:
        done = {attempt.task_id for attempt in run.attempts()}
        for task in taskset.tasks:
            if task.id in tried and task.id not in done:
                patch = solver.answer(tried[task.id])
                run.add_attempt(_attempt(solver.name, solver.name, task, patch))
                found = _no_patch(task) if patch is None else verdicts[task.id, patch]
                run.add_verdict(found.model_copy(update={"run_id": solver.name}))
    return folder / solver.name


def _no_patch(task: Task) -> Verdict:
    return Verdict(run_id="", task_id=task.id, sample=0, outcome=Outcome.NO_PATCH, rung=Rung.PARSE)
