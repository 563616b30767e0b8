"""Exact reach: which buggy programs are a first-order mutant of the correct one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from statistics import mean, median
from typing import Any, Final

from measures.programs import Pair
from measures.progress import each
from measures.section import Goal, Section, Table
from measures.shares import Share
from measures.trees import normal
from mendlab.mutators import STRATEGIES, enumerate_mutants, sample

DEEPEST: Final = 300
"""The largest sample that is drawn; beyond it there is only the whole."""


@dataclass(frozen=True, slots=True)
class Reached:
    """A pair with its mutants counted, and those that are its bug.

    ``ranks`` has for each strategy, one entry a seed, the place (from 1) of the first such mutant among the first
    :data:`DEEPEST` drawn, or ``None``.
    """

    pair: Pair
    mutants: int
    operators: tuple[str, ...]
    families: Counter[str] = field(default_factory=Counter)
    ranks: dict[str, list[int | None]] = field(default_factory=dict)

    @property
    def hit(self) -> bool:
        """Whether one of the mutants is the bug."""
        return bool(self.operators)


def reach_all(label: str, pairs: Sequence[Pair], seeds: int, jobs: int) -> list[Reached]:
    """Every pair measured; ``seeds`` samples of each strategy are drawn, none if 0."""
    return list(each(f"reach, {label}", partial(reach_one, seeds=seeds), pairs, jobs))


def reach_one(pair: Pair, seeds: int) -> Reached:
    """One pair measured."""
    wanted = normal(pair.bad)
    mutants = list(enumerate_mutants(pair.good))
    hits = {mutant.id: mutant.operator for mutant in mutants if normal(mutant.source) == wanted}
    ranks: dict[str, list[int | None]] = {}
    for strategy in STRATEGIES:
        ranks[strategy] = [None] * seeds
        for seed in range(seeds if hits else 0):
            drawn = sample(mutants, DEEPEST, seed=seed, strategy=strategy)
            ranks[strategy][seed] = next((place for place, m in enumerate(drawn, 1) if m.id in hits), None)
    families = Counter(mutant.family for mutant in mutants)
    return Reached(pair, len(mutants), tuple(sorted(set(hits.values()))), families, ranks)


def by_type(found: Sequence[Reached]) -> dict[str, Share]:
    """Reach of each bug type, in alphabetical order; nothing where the pairs have no types."""
    groups: dict[str, list[bool]] = defaultdict(list)
    for one in found:
        if one.pair.bug_type:
            groups[one.pair.bug_type].append(one.hit)
    return {kind: Share.of(groups[kind]) for kind in sorted(groups)}


def section(sets: dict[str, list[Reached]]) -> Section:
    """The tables of exact reach of each set of pairs."""
    rows: list[tuple[str, str, str]] = []
    notes, data, goals = [], {}, []
    for label, found in sets.items():
        counts = [one.mutants for one in found]
        size = f"{mean(counts):.0f} (median {median(counts):.0f}, most {max(counts)})"
        rows.append((label, Share.of(one.hit for one in found).with_interval(), size))
        rows += [(f"  {kind}", share.with_interval(), "") for kind, share in by_type(found).items()]
        missed = [one.pair.name for one in found if not one.hit]
        notes.append(f"{label}, not reached: {', '.join(missed) or 'none'}")
        data[label] = _data(found)
        goals += _goals(label, found)
    table = Table("Exact reach of first-order mutants", ("set", "reach [95%]", "mutants a program"), rows, notes)
    return Section("reach", [table], data, goals)


def _data(found: Sequence[Reached]) -> dict[str, Any]:
    families: Counter[str] = Counter()
    for one in found:
        families += one.families
    return {
        "whole": Share.of(one.hit for one in found).data(),
        "by type": {kind: share.data() for kind, share in by_type(found).items()},
        "mutants a program": mean(one.mutants for one in found),
        "mutants a program by family": {name: count / len(found) for name, count in families.most_common()},
        "programs": {one.pair.name: {"mutants": one.mutants, "operators": one.operators} for one in found},
    }


def _goals(label: str, found: Sequence[Reached]) -> list[Goal]:
    whole = Share.of(one.hit for one in found)
    if label == "QuixBugs":
        return [Goal("reach QuixBugs", "90% or more", str(whole), whole.value >= 0.9)]
    size = mean(one.mutants for one in found)
    low_kind, low = min(by_type(found).items(), key=lambda item: item[1].value)
    return [
        Goal("reach HumanEvalPack", "85% or more", str(whole), whole.value >= 0.85),
        Goal("mutants a HumanEvalPack program", "1,500 or fewer", f"{size:.0f}", size <= 1500),
        Goal("reach of every HumanEvalPack type", "above 70%", f"lowest {low_kind}: {low}", low.value > 0.7),
    ]
