"""The same verdicts on a quiet machine and on one with four times as many busy processes as it has cores."""

from __future__ import annotations

import os
from collections.abc import Sequence

from detecting.load import TIMES, busy
from measures.progress import say
from measures.section import Goal, Section, Table
from measures.shares import Share

from judged.judging import Judged, judge_all, one_a_subject
from judged.overfitting import evenly
from judged.rewrites import draw as draw_rewrites
from judged.samples import draw
from mendlab.corpora.taskset import TaskSet
from mendlab.verify.bench import Bench


def section(functions: Sequence[TaskSet], projects: Sequence[TaskSet], bench: Bench, count: int, seed: int) -> Section:
    """Judge about so many samples of functions, and a tenth as many rewrites of projects, twice."""
    cores, rows, same, total = os.cpu_count() or 1, list[tuple[str, str, str]](), 0, 0
    different = list[str]()
    for taskset in (*functions, *projects):
        if taskset in functions:
            tasks = one_a_subject(taskset)
            proposed = [one.proposed for one in draw(taskset, evenly(tasks, max(1, count // 5)), 5, seed)]
        else:
            proposed = draw_rewrites(taskset, count // 10, seed)
        quiet = judge_all(taskset, bench, proposed, f"{taskset.manifest.name}, without load")
        with busy(TIMES * cores):
            loaded = judge_all(taskset, bench, proposed, f"{taskset.manifest.name}, under load")
        found = [_what(one, other) for one, other in zip(quiet, loaded, strict=True) if _key(one) != _key(other)]
        for what in found:
            say(f"DIFFERS UNDER LOAD: {what}")
        rows.append((taskset.manifest.name, f"{len(quiet)}", f"{len(found)}"))
        same, total, different = same + len(quiet) - len(found), total + len(quiet), [*different, *found]
    share = Share(same, total)
    title = f"The same verdicts under load ({TIMES * cores} busy processes on {cores} cores)"
    goal = Goal("same verdict oversubscribed", "99.9% or more", str(share), share.value >= 0.999)
    data = {**share.data(), "different": different}
    return Section("load", [Table(title, ("task set", "verdicts", "different"), rows)], data, [goal])


def _key(judged: Judged) -> tuple[object, ...]:
    return (judged.verdict.outcome, judged.verdict.rung, judged.verdict.after)


def _what(one: Judged, other: Judged) -> str:
    tests = [test for test, outcome in one.verdict.after.items() if other.verdict.after.get(test) != outcome]
    return (
        f"{one.verdict.task_id} {one.proposed.kind}: {one.verdict.outcome} at {one.verdict.rung}, then "
        f"{other.verdict.outcome} at {other.verdict.rung}, tests {tests}: {other.verdict.reason}\n{one.proposed.patch}"
    )
