"""Wrong patches that pass the visible tests, made in several ways: how many of them are called right.

Each is proven wrong before it is judged: by an input, found apart from the judge, on which the reference returns and it
does not return the same.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing

from measures.progress import counted, say
from measures.section import Goal, Section, Table
from measures.shares import Share

from judged.judging import Judged, Proposed, judge_all, outcomes, plain
from judged.rewrites import refused
from judged.seeding.conditions import conditional
from judged.seeding.examples import Example, entry_point, examples, visible
from judged.seeding.inputs import fresh_inputs
from judged.seeding.memorising import memorised
from judged.seeding.witnesses import Witnesses
from mendlab.corpora.diffs import make_diff
from mendlab.corpora.taskset import TaskSet
from mendlab.corpora.text import decode
from mendlab.mutators import enumerate_mutants, sample
from mendlab.records import FunctionHarness, Limits, Task
from mendlab.verify.bench import Bench
from mendlab.verify.code import Screen
from mendlab.verify.engines.engine import RunOptions

INPUTS = 1000
_HURRIED = Limits(cpu_seconds=0.5, wall_seconds=30.0)


def section(sets: Sequence[TaskSet], bench: Bench, tasks: int, mutants: int, seed: int) -> Section:
    """Judge the overfitting patches for so many tasks of each set, with so many mutants tried for each."""
    judged: list[Judged] = []
    for taskset in sets:
        chosen = [task for task in evenly(taskset.tasks, tasks) if entry_point(task) is not None]
        label = f"{taskset.manifest.name}, making"
        making = (make(taskset, task, bench, mutants, seed) for task in chosen)
        made = [each for found in counted(label, making, len(chosen)) for each in found]
        judged += judge_all(taskset, bench, made, f"{taskset.manifest.name}, judging")
    accepted = [one for one in judged if one.verdict.correct]
    for one in accepted:
        say(f"ACCEPTED {one.verdict.task_id} {one.proposed.kind}, wrong on {one.proposed.name}\n{one.proposed.patch}")
    caught = Share(len(judged) - len(accepted), len(judged))
    goal = Goal("overfitting patches caught", "90% or more", caught.with_interval(), caught.value >= 0.9)
    data = {**caught.data(), "accepted": [plain(one) for one in accepted]}
    return Section("overfitting", [_table(judged)], data, [goal])


def evenly(tasks: Sequence[Task], count: int) -> list[Task]:
    """So many of the tasks, spread over all of them."""
    count = min(count, len(tasks))
    return [tasks[index * len(tasks) // count] for index in range(count)]


def make(taskset: TaskSet, task: Task, bench: Bench, mutants: int, seed: int) -> list[Proposed]:
    """The wrong patches for a task that pass its visible tests; the name of each is a witness."""
    assert isinstance(task.harness, FunctionHarness)
    entry, path = entry_point(task), task.harness.module
    good, buggy = taskset.good_tree(task), taskset.buggy_tree(task)
    known = examples(task)
    if entry is None or not known:
        return []
    inputs = [each.arguments for each in known]
    inputs = [*inputs, *fresh_inputs(inputs, INPUTS, zlib.crc32(task.id.encode()))]
    found, screen = [], Screen(good)
    screen.refuse(good.changed(buggy))
    tests = RunOptions(tests=visible(task), stop_at_first=True)
    with (
        closing(bench.open_for_mutants(good, task.harness, _HURRIED)) as engine,
        closing(Witnesses(task, good, entry, inputs, bench)) as witnesses,
    ):
        encoding = decode(path, good[path]).encoding
        for kind, source in candidates(
            decode(path, good[path]).text, decode(path, buggy[path]).text, task, mutants, seed
        ):
            changes: dict[str, bytes | None] = {path: source.encode(encoding)}
            if screen.refuse(changes) is not None or engine.run(changes, tests).failing():
                continue
            witness = witnesses.against(changes)
            if witness is not None:
                patch = make_diff(buggy, good.replace(changes))
                found.append(Proposed(task, kind, witness, patch))
    return found


def candidates(good: str, buggy: str, task: Task, mutants: int, seed: int) -> Iterator[tuple[str, str]]:
    """Programs that may pass the visible tests: mutants of either program, and the buggy one with crutches."""
    entry, seen = entry_point(task) or "", set(visible(task))
    for mutant in sample(enumerate_mutants(good, path="solution.py"), mutants, seed=seed):
        yield "mutant beside the defect", mutant.source
    for mutant in sample(enumerate_mutants(buggy, path="solution.py"), mutants, seed=seed):
        yield "mutant of the buggy program", mutant.source
    shown = [each for each in examples(task) if each.test_id in seen]
    known: list[Example] = [each for each in shown if each.known]
    if known and {each.test_id for each in known} >= seen:
        yield from (("memorised: " + name, source) for name, source in memorised(buggy, entry, known))
    if shown:
        yield from (("only where: " + name, source) for name, source in conditional(good, buggy, entry, shown))


def _table(judged: Sequence[Judged]) -> Table:
    groups: dict[str, list[Judged]] = {}
    for one in judged:
        groups.setdefault(one.proposed.kind, []).append(one)
    groups = {**dict(sorted(groups.items())), "all": list(judged)}
    rows = [
        (kind, f"{len(found)}", str(Share(len(refused(found)), len(found))), outcomes(found))
        for kind, found in groups.items()
    ]
    notes = [f"each is wrong on one of {INPUTS} inputs made apart from the judge, and passes the visible tests"]
    return Table("Overfitting patches", ("made as", "judged", "caught", "outcomes"), rows, notes)
