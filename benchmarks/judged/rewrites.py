"""Right programs: the references themselves, and rewrites of them that do the same. None of them is to be refused."""

from __future__ import annotations

import random
from collections.abc import Sequence

from measures.progress import say
from measures.section import Goal, Section, Table
from measures.shares import Share

from judged.judging import Judged, Proposed, judge_all, one_a_subject, outcomes, plain, replacing, sources, spread
from mendlab.corpora.taskset import TaskSet
from mendlab.mutators.disguising.rewriting.rules import RULES, Program
from mendlab.verify.bench import Bench


def section(sets: Sequence[tuple[TaskSet, int]], bench: Bench, seed: int) -> Section:
    """Judge the reference of every task, and so many rewrites for the tasks of each set."""
    references: list[Judged] = []
    rewrites: list[Judged] = []
    for taskset, count in sets:
        given = [Proposed(task, "reference", "", task.reference) for task in taskset.tasks]
        references += judge_all(taskset, bench, given, f"{taskset.manifest.name}, references")
        rewrites += judge_all(taskset, bench, draw(taskset, count, seed), f"{taskset.manifest.name}, rewrites")
    for each in refused([*references, *rewrites]):
        verdict, patch = each.verdict, each.proposed.patch
        say(f"REFUSED {verdict.task_id} {each.proposed.kind}: {verdict.outcome}: {verdict.reason}\n{patch}")
    return Section(
        "rewrites", [_table(references, rewrites)], _data(references, rewrites), _goals(references, rewrites)
    )


def draw(taskset: TaskSet, count: int, seed: int) -> list[Proposed]:
    """So many rewrites of the good programs of a set, the families taking turns."""
    kinds: dict[str, list[Proposed]] = {family: [] for family in RULES}
    for task in one_a_subject(taskset):
        for path, text in sources(taskset, task):
            for rewrite in Program(text).rewrites():
                patch = replacing(taskset, task, path, rewrite.source)
                kinds[rewrite.family].append(Proposed(task, rewrite.family, rewrite.function, patch))
    for found in kinds.values():
        random.Random(seed).shuffle(found)
    return spread(kinds, count)


def refused(judged: Sequence[Judged]) -> list[Judged]:
    """Those whose verdict does not count as correct."""
    return [one for one in judged if not one.verdict.correct]


def _table(references: list[Judged], rewrites: list[Judged]) -> Table:
    groups = {"reference": references}
    for one in rewrites:
        groups.setdefault(one.proposed.kind, []).append(one)
    groups["all rewrites"] = rewrites
    rows = [(kind, f"{len(found)}", f"{len(refused(found))}", outcomes(found)) for kind, found in groups.items()]
    return Table("Right programs", ("kind", "judged", "refused", "outcomes"), rows)


def _goals(references: list[Judged], rewrites: list[Judged]) -> list[Goal]:
    of_references, of_rewrites = (Share(len(refused(found)), len(found)) for found in (references, rewrites))
    return [
        Goal("references refused", "0", str(of_references), of_references.hits == 0),
        Goal("rewrites refused", "1% or less, of 300 or more", of_rewrites.with_interval(),
             of_rewrites.total >= 300 and of_rewrites.value <= 0.01),
    ]  # fmt: skip


def _data(references: list[Judged], rewrites: list[Judged]) -> dict[str, object]:
    return {
        "references": Share(len(refused(references)), len(references)).data(),
        "rewrites": Share(len(refused(rewrites)), len(rewrites)).data(),
        "refused": [plain(one) for one in refused([*references, *rewrites])],
    }
