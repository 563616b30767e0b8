"""Patches for the tasks of a set, judged one after the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from measures.progress import counted

from mendlab.corpora.diffs import make_diff
from mendlab.corpora.taskset import TaskSet
from mendlab.corpora.text import decode
from mendlab.corpora.tree import FileTree
from mendlab.records import Attempt, Task, Verdict
from mendlab.verify.bench import Bench
from mendlab.verify.judge import Judge


@dataclass(frozen=True, slots=True)
class Proposed:
    """A patch for a task: what kind it is of, what it is called, and the source it makes of a file, or the diff."""

    task: Task
    kind: str
    name: str
    patch: str


@dataclass(frozen=True, slots=True)
class Judged:
    """A patch and the verdict on it."""

    proposed: Proposed
    verdict: Verdict


def open_sets(paths: Iterable[Path]) -> list[TaskSet]:
    """The task sets in these folders."""
    return [TaskSet.open(path) for path in paths]


def judge_all(taskset: TaskSet, bench: Bench, proposed: Sequence[Proposed], label: str) -> list[Judged]:
    """The verdicts, in order, by one judge."""
    with Judge(taskset, bench) as judge:
        return list(
            counted(label, (Judged(one, judge.judge(one.task, attempt(one))) for one in proposed), len(proposed))
        )


def attempt(proposed: Proposed) -> Attempt:
    """The patch as an answer of a repairer."""
    return Attempt(
        run_id="benchmark", task_id=proposed.task.id, sample=0, strategy=proposed.kind, raw_patch=proposed.patch,
        stop_reason="given",
    )  # fmt: skip


def replacing(taskset: TaskSet, task: Task, path: str, source: str) -> str:
    """The diff from the buggy tree to the good one with a source instead of one of its files."""
    good = taskset.good_tree(task)
    data = source.encode(decode(path, good[path]).encoding)
    return make_diff(taskset.buggy_tree(task), good.replace({path: data}))


def sources(taskset: TaskSet, task: Task) -> Iterator[tuple[str, str]]:
    """The path and the text of every Python file of the good tree that the task lets be changed."""
    good: FileTree = taskset.good_tree(task)
    for path in task.editable:
        if path.endswith(".py") and path in good:
            yield path, decode(path, good[path]).text


def one_a_subject(taskset: TaskSet) -> list[Task]:
    """The first task of each subject."""
    return list({task.subject: task for task in reversed(taskset.tasks)}.values())[::-1]


def spread(kinds: dict[str, list[Proposed]], count: int) -> list[Proposed]:
    """So many patches, the kinds taking turns, each in its own order; together those of one task."""
    chosen: list[Proposed] = []
    for rank in range(max(map(len, kinds.values()), default=0)):
        chosen += [found[rank] for found in kinds.values() if rank < len(found)]
    return sorted(chosen[:count], key=lambda one: one.task.id)


def outcomes(judged: Iterable[Judged]) -> str:
    """How often there was each outcome, the most frequent first."""
    counts = Counter(one.verdict.outcome.value for one in judged)
    return ", ".join(f"{outcome} {count}" for outcome, count in counts.most_common())


def plain(judged: Judged) -> dict[str, object]:
    """A verdict as plain data, with the patch."""
    verdict = judged.verdict
    return {
        "task": verdict.task_id, "kind": judged.proposed.kind, "name": judged.proposed.name,
        "outcome": verdict.outcome.value, "reason": verdict.reason, "patch": judged.proposed.patch,
        "witness": None if verdict.differential is None or verdict.differential.witness is None
        else verdict.differential.witness.model_dump(),
    }  # fmt: skip
