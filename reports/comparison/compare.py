"""Every two contenders on the tasks that all of them have a verdict on: differences, chance, and who is tied."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from mendlab.errors import InputError
from mendlab.reports.comparison.contenders import Contender, contenders
from mendlab.reports.data import Material
from mendlab.reports.headline import cautions
from mendlab.reports.statistics import TaskCount
from mendlab.reports.statistics.estimating import cluster_names
from mendlab.reports.statistics.paired import SIGNIFICANCE, Difference, difference, holm
from mendlab.reports.summary import summarise


@dataclass(frozen=True, slots=True)
class Pair:
    """Two contenders, the better one first. ``corrected`` is the p-value after Holm's correction over all pairs.

    ``failing_infra`` is the difference with infra errors counted as failures, where there are any.
    """

    first: str
    second: str
    difference: Difference
    corrected: float
    failing_infra: float | None

    @property
    def tied(self) -> bool:
        """Whether the difference may be chance."""
        return self.corrected >= SIGNIFICANCE


@dataclass(frozen=True, slots=True)
class Comparison:
    """Contenders, best first, and every pair but those with a bound (``noop``, ``reference``).

    ``compared`` of the ``tasks`` have a verdict of every contender. ``ties`` are sets of contenders next to each other
    in rank of which no two can be told apart. ``smallest`` is the largest of the pairs' smallest differences.
    """

    taskset: str
    tasks: int
    compared: int
    subjects: int
    contenders: tuple[Contender, ...]
    pairs: tuple[Pair, ...]
    ties: tuple[tuple[str, ...], ...]
    smallest: float | None
    cautions: tuple[str, ...]


def compare(material: Material) -> Comparison:
    """Return the comparison of two or more runs on one task set.

    Raises:
        InputError: there are fewer than two different repairers, or no task that all have a verdict on.
    """
    found = contenders(material)
    if len(found) < 2:
        what = "there is nothing to compare: "
        what += "this is one run" if len(material.runs) < 2 else "these are runs of one repairer with the same settings"
        raise InputError(what, hint="name a run of another one; `mendlab report` shows these")
    common = [task for task in material.tasks if all(task.id in one.counts for one in found) and task.weight > 0]
    if not common:
        raise InputError("no task has a verdict of every run", hint="let the runs come to their end first")
    clusters = cluster_names([(task.id, task.subject) for task in common])
    ids = [task.id for task in common]
    rivals = [one for one in found if not one.is_bound]
    pairs = _corrected([_pair(*two, ids, clusters) for two in combinations(rivals, 2)])
    summary = summarise(material)
    return Comparison(
        taskset=summary.taskset,
        tasks=len(material.tasks),
        compared=len(common),
        subjects=len({task.subject for task in common}),
        contenders=found,
        pairs=pairs,
        ties=tuple(_ties([one.label for one in rivals], pairs)),
        smallest=max((s for pair in pairs if (s := pair.difference.smallest) is not None), default=None),
        cautions=cautions(summary),
    )


def _pair(first: Contender, second: Contender, tasks: Sequence[str], clusters: Sequence[str]) -> Pair:
    found = difference(_rates(first.counts, tasks), _rates(second.counts, tasks), clusters)
    failing = None
    if first.infra_errors or second.infra_errors:
        one, other = (_rates(each.counts_failing_infra, tasks) for each in (first, second))
        failing = (sum(one) - sum(other)) / len(tasks)
    return Pair(first.label, second.label, found, found.p_value, failing)


def _rates(counts: Mapping[str, TaskCount], tasks: Sequence[str]) -> list[float]:
    return [counts[task].successes / counts[task].samples for task in tasks]


def _corrected(pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    corrected = holm([pair.corrected for pair in pairs])
    return tuple(
        Pair(pair.first, pair.second, pair.difference, value, pair.failing_infra)
        for pair, value in zip(pairs, corrected, strict=True)
    )


def _ties(ranked: Sequence[str], pairs: Sequence[Pair]) -> Iterator[tuple[str, ...]]:
    """Yield the longest stretches of the ranking within which all pairs are tied."""
    tied = {frozenset((pair.first, pair.second)) for pair in pairs if pair.tied}
    reached = 0
    for start in range(len(ranked)):
        end = start + 1
        while end < len(ranked) and all(frozenset((one, ranked[end])) in tied for one in ranked[start:end]):
            end += 1
        if end - start > 1 and end > reached:
            yield tuple(ranked[start:end])
        reached = max(reached, end)
