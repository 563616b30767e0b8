"""From a task set to its disguise: variants of its tasks, each proved by tests and by the comparison of the judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Disguised:
    """The disguised tasks with their good trees, what became of the others, and how often each rule was used."""

    tasks: tuple[Task, ...]
    trees: tuple[FileTree, ...]
    refused: tuple[Refusal, ...]
    names: int
    moved: int
    rules: dict[str, int]


def disguise(
    taskset: TaskSet, bench: Bench, building: Building, *, seed: int, rewrites: int, workers: int, progress: Progress
) -> Disguised:
    """Disguise every task of a set.

    A variant holds if the tests fail and pass on its programs as they do on the original's, every time, and if a
    comparison tells neither its good program from the original's nor its buggy one.

    Raises:
        EngineError: the lab itself fails.
        OutputError: what is found out cannot be written down.
    """
    made: dict[str, Variant] = {}
    refused: list[Refusal] = []
    for task in taskset.tasks:
        try:
            found = variant(taskset, task, seed=seed, rewrites=rewrites)
        except MendlabError as error:
            refused.append(Refusal(task.id, f"{task.id}: {error}"))
        else:
            made[found.candidate.id] = found
    candidates = [each.candidate for each in made.values()]
    taken = take_in(candidates, bench, building, workers=workers, progress=progress)
    refused += taken.refused
    held = {task.id: task for task in taken.tasks}
    originals = {f"{task.id}{SUFFIX}": task for task in taskset.tasks}
    proved = []
    for done, (name, why) in enumerate(_compared(taskset, originals, made, list(held), bench, workers), start=1):
        progress("variants compared", done, len(held))
        if why is None:
            original = originals[name]
            proved.append(held[name].model_copy(update={"held_out": original.held_out, "limits": original.limits}))
        else:
            refused.append(Refusal(name, f"{name}: {why}"))
    kept = [made[task.id] for task in proved]
    return Disguised(
        tuple(proved),
        tuple(each.candidate.loaded.tree for each in kept),
        tuple(refused),
        sum(each.names for each in kept),
        sum(each.moved for each in kept),
        dict(Counter(rule for each in kept for rule in each.rules).most_common()),
    )


def _compared(
    taskset: TaskSet,
    originals: dict[str, Task],
    made: dict[str, Variant],
    names: Sequence[str],
    bench: Bench,
    workers: int,
) -> Iterator[tuple[str, str | None]]:
    """For each variant why it is not proved to do what its original does, or ``None``."""

    def ask(name: str) -> tuple[str, str | None]:
        task, candidate = originals[name], made[name].candidate
        pairs = (
            ("good", taskset.good_tree(task), candidate.loaded.tree),
            ("buggy", taskset.buggy_tree(task), candidate.buggy),
        )
        for kind, before, after in pairs:
            why = _differs(task, before, after, bench.suited(task.harness))
            if why is not None:
                return name, f"the {kind} program {why}"
        return name, None

    return map_ordered(ask, names, workers)


def _differs(task: Task, before: FileTree, after: FileTree, bench: Bench) -> str | None:
    if same_bytecode(before, after):
        return None
    try:
        compared = compare(task, before, after, bench)
    except EngineError as error:
        return f"cannot be compared with the original: {error}"
    differential = compared.differential
    if differential is None:
        missed = f": no input comes to {', '.join(compared.missed)}" if compared.missed else ""
        return f"cannot be compared with the original{missed}"
    if differential.witness is not None:
        return f"differs from the original on {differential.witness.call}"
    return None
