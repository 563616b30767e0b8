"""From a task set to its disguise: variants of its tasks, each proved by the comparison of the judge and by tests."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

from mendlab.corpora.building import Building
from mendlab.corpora.candidates import Refusal
from mendlab.corpora.taskset import TaskSet
from mendlab.corpora.tree import FileTree
from mendlab.errors import EngineError, MendlabError
from mendlab.mutators.disguising.variant import SUFFIX, Variant, variant
from mendlab.records import Task
from mendlab.verify.bench import Bench
from mendlab.verify.equivalence.compare import compare
from mendlab.verify.intake import take_in
from mendlab.verify.ladder.comparing import same_bytecode
from mendlab.workers import Progress, map_ordered

MOST_ROUNDS: Final = 6
"""Functions that no input comes to are told at once, but for those that only another variant touches."""


@dataclass(frozen=True, slots=True)
class Disguised:
    """The disguised tasks with how each was made, and what became of the others."""

    tasks: tuple[Task, ...]
    variants: tuple[Variant, ...]
    refused: tuple[Refusal, ...]

    @property
    def rules(self) -> dict[str, int]:
        """How often each rule was used."""
        return dict(Counter(rule for each in self.variants for rule in each.rules).most_common())


def disguise(
    taskset: TaskSet, bench: Bench, building: Building, *, seed: int, rewrites: int, workers: int, progress: Progress
) -> Disguised:
    """Disguise every task of a set.

    A variant holds if a comparison tells neither its good program from the original's nor its buggy one, and if the
    tests fail and pass on its programs as they do on the original's, every time. Functions that no input of the
    comparison comes to stay as they are: of those nothing could be proved.

    Raises:
        EngineError: the lab itself fails.
        OutputError: what is found out cannot be written down.
    """

    def work(task: Task) -> Variant | str:
        return _proved(taskset, task, bench.suited(task.harness), seed=seed, rewrites=rewrites)

    made: dict[str, Variant] = {}
    refused: list[Refusal] = []
    progress("variants compared", 0, len(taskset.tasks))
    for done, (task, found) in enumerate(
        zip(taskset.tasks, map_ordered(work, taskset.tasks, workers), strict=True), start=1
    ):
        if isinstance(found, str):
            refused.append(Refusal(task.id, f"{task.id}: {found}"))
        else:
            made[found.candidate.id] = found
        progress("variants compared", done, len(taskset.tasks))
    taken = take_in([each.candidate for each in made.values()], bench, building, workers=workers, progress=progress)
    originals = {f"{task.id}{SUFFIX}": task for task in taskset.tasks}
    return Disguised(
        tuple(_as_before(task, originals[task.id]) for task in taken.tasks),
        tuple(made[task.id] for task in taken.tasks),
        (*refused, *taken.refused),
    )


def _as_before(task: Task, original: Task) -> Task:
    return task.model_copy(update={"held_out": original.held_out, "limits": original.limits})


def _proved(taskset: TaskSet, task: Task, bench: Bench, *, seed: int, rewrites: int) -> Variant | str:
    """Return a variant that a comparison cannot tell from its original, or why there is none."""
    spared: set[str] = set()
    for _ in range(MOST_ROUNDS):
        try:
            made = variant(taskset, task, seed=seed, rewrites=rewrites, spared=spared)
        except MendlabError as error:
            return str(error)
        pairs = (
            ("good", taskset.good_tree(task), made.candidate.loaded.tree),
            ("buggy", taskset.buggy_tree(task), made.candidate.buggy),
        )
        missed: set[str] = set()
        for kind, before, after in pairs:
            compared = _compared(task, before, after, bench)
            if isinstance(compared, str):
                return f"the {kind} program {compared}"
            missed |= compared
        if not missed:
            return made
        if missed <= spared:
            break
        spared |= missed
    return f"cannot be compared with the original: no input comes to {', '.join(sorted(missed))}"


def _compared(task: Task, before: FileTree, after: FileTree, bench: Bench) -> set[str] | str:
    """The changed functions that no input comes to, or why the two are not proved to do the same."""
    if same_bytecode(before, after):
        return set()
    try:
        compared = compare(task, before, after, bench)
    except EngineError as error:
        return f"cannot be compared with the original: {error}"
    differential = compared.differential
    if differential is not None and differential.witness is not None:
        return f"differs from the original on {differential.witness.call}"
    if differential is None and not compared.missed:
        return "cannot be compared with the original"
    return set(compared.missed)
