"""Proves a task set: every reference passes, every buggy tree fails, each time, and every digest matches."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import closing
from itertools import groupby

from mendlab.corpora.taskset import TaskSet
from mendlab.errors import MendlabError
from mendlab.records import Record, Task, TestOutcome
from mendlab.verify.bench import Bench
from mendlab.verify.engines.engine import OTHER_HASH_SEED, Engine, RunOptions
from mendlab.workers import Progress, is_unwanted, map_ordered


class Finding(Record):
    """Something that does not hold: of one task, or of the set as a whole (``task`` is None)."""

    task: str | None
    what: str


class Proved(Record):
    """What does not hold of ``tasks``, which share a program and its tests."""

    tasks: tuple[str, ...]
    findings: tuple[Finding, ...]


def check_taskset(
    taskset: TaskSet,
    bench: Bench,
    *,
    runs: int,
    workers: int,
    progress: Progress,
    known: Collection[Proved] = (),
    keep: Callable[[Proved], object] = lambda proved: None,
) -> tuple[Finding, ...]:
    """Return what does not hold of a task set; nothing if it is proved.

    The tests are run ``runs`` times on each tree: first in order, then shuffled and with another hash seed. What is
    ``known`` of tasks is taken as it is; that others hold is given to ``keep``, by several threads.
    """
    findings = [Finding(task=None, what=what) for what in taskset.integrity()]
    if findings:
        return tuple(findings)
    groups = [list(group) for _, group in groupby(sorted(taskset.tasks, key=_same_engine), key=_same_engine)]
    before = {proved.tasks: proved for proved in known}
    done = 0
    progress("tasks proved", 0, len(taskset.tasks))

    def prove(group: list[Task]) -> Proved:
        ids = tuple(task.id for task in group)
        if ids in before:
            return before[ids]
        proved = Proved(tasks=ids, findings=tuple(_prove(taskset, group, bench, runs)))
        if not proved.findings and not is_unwanted():  # what is found may be the doing of an interruption
            keep(proved)
        return proved

    for group, found in zip(groups, map_ordered(prove, groups, workers), strict=True):
        findings += found.findings
        done += len(group)
        progress("tasks proved", done, len(taskset.tasks))
    place = {task.id: number for number, task in enumerate(taskset.tasks)}
    return tuple(sorted(findings, key=lambda finding: place.get(finding.task or "", -1)))


def _same_engine(task: Task) -> tuple[str, str, str]:
    return (task.snapshot, task.harness.model_dump_json(), task.limits.model_dump_json())


def _prove(taskset: TaskSet, tasks: Sequence[Task], bench: Bench, runs: int) -> list[Finding]:
    first = tasks[0]
    findings: list[Finding] = []
    try:
        for run in range(runs):
            seed = OTHER_HASH_SEED if run else 0
            engine = bench.open(taskset.good_tree(first), first.harness, first.limits, hash_seed=seed)
            with closing(engine):
                options = RunOptions(shuffle_seed=run or None)
                findings += _prove_once(taskset, tasks, engine, options, run)
    except MendlabError as error:
        return [Finding(task=task.id, what=f"cannot be run: {error}") for task in tasks]
    return findings


def _prove_once(
    taskset: TaskSet, tasks: Sequence[Task], engine: Engine, options: RunOptions, run: int
) -> Iterable[Finding]:
    good = engine.run({}, options).outcomes()
    for task in tasks:
        if unknown := [t for t in (*task.fail_to_pass, *task.pass_to_pass) if t not in good]:
            yield Finding(task=task.id, what=f"run {run + 1}: there is no test {unknown[0]}")
            continue
        for test_id in (*task.fail_to_pass, *task.pass_to_pass):
            if good[test_id] is not TestOutcome.PASSED:
                yield Finding(
                    task=task.id, what=f"run {run + 1}: the reference does not pass {test_id}: {good[test_id]}"
                )
        changes = taskset.good_tree(task).changed(taskset.buggy_tree(task))
        wanted = RunOptions(tests=(*task.fail_to_pass, *task.pass_to_pass), shuffle_seed=options.shuffle_seed)
        buggy = engine.run(changes, wanted).outcomes()
        if not task.fail_to_pass:
            yield Finding(task=task.id, what="no test fails: doing nothing would pass")
        for test_id in task.fail_to_pass:
            if buggy[test_id] is TestOutcome.PASSED:
                yield Finding(task=task.id, what=f"run {run + 1}: the buggy program passes {test_id}")
        for test_id in task.pass_to_pass:
            if buggy[test_id] is not TestOutcome.PASSED:
                yield Finding(
                    task=task.id, what=f"run {run + 1}: the buggy program does not pass {test_id}: {buggy[test_id]}"
                )
