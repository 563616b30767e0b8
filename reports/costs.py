"""What a run took: verifier CPU, the repairer's time, tokens and money, as far as they are known."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Final

from mendlab.records import CORRECT, Usage
from mendlab.repair.strategies.replay import GIVEN, NOT_GIVEN
from mendlab.reports.data import Judged
from mendlab.reports.statistics.estimating import cluster_names
from mendlab.reports.statistics.ratios import Ratio, ratio


@dataclass(frozen=True, slots=True)
class Total:
    """The sum of what is known: ``known`` of ``of`` parts. ``None`` where nothing is known."""

    value: float | None
    known: int
    of: int


@dataclass(frozen=True, slots=True)
class Costs:
    """Totals over a run: seconds, tokens by kind, and US dollars."""

    verifier_cpu_seconds: Total
    repairer_cpu_seconds: Total
    repairer_wall_seconds: Total
    uncached_tokens: Total
    cache_read_tokens: Total
    cache_write_tokens: Total
    output_tokens: Total
    reasoning_tokens: Total
    cost_usd: Total


@dataclass(frozen=True, slots=True)
class CostPerFix:
    """What the whole run took, failures included, for each attempt that is correct; units as in :class:`Costs`.

    ``None`` where nothing is known; parts that are not known count as nothing, so that the truth is no less.
    """

    fixes: int
    verifier_cpu_seconds: Ratio | None
    repairer_cpu_seconds: Ratio | None
    repairer_wall_seconds: Ratio | None
    uncached_tokens: Ratio | None
    cache_read_tokens: Ratio | None
    cache_write_tokens: Ratio | None
    output_tokens: Ratio | None
    reasoning_tokens: Ratio | None
    cost_usd: Ratio | None


def _attempt(one: Judged, name: str) -> float | None:
    return None if one.attempt is None else getattr(one.attempt, name)


def _seconds(one: Judged, name: str) -> float | None:
    """What the repairer took; of a patch that was made elsewhere nobody knows."""
    known = one.attempt is not None and one.attempt.stop_reason not in (GIVEN, NOT_GIVEN)
    return _attempt(one, name) if known else None


def _verdict(one: Judged, name: str) -> float | None:
    return None if one.verdict is None else getattr(one.verdict, name)


def _usage(one: Judged, name: str) -> float | None:
    return None if one.attempt is None else getattr(one.attempt.usage or Usage(), name)


_PARTS: Final[dict[str, tuple[Callable[[Judged, str], float | None], str]]] = {
    "verifier_cpu_seconds": (_verdict, "cpu_seconds"),
    "repairer_cpu_seconds": (_seconds, "cpu_seconds"),
    "repairer_wall_seconds": (_seconds, "wall_seconds"),
    "cost_usd": (_attempt, "cost_usd"),
    **{f.name: (_usage, f.name) for f in fields(Costs) if f.name.endswith("_tokens")},
}


def costs(judged: Sequence[Judged]) -> Costs:
    """Return the totals over the attempts and verdicts that are there."""
    return Costs(**{name: _total(judged, name) for name in _PARTS})


def cost_per_fix(judged: Sequence[Judged]) -> CostPerFix:
    """Return the totals for each correct attempt, with intervals that take subjects as drawn."""
    fixes = [float(one.counts_as(CORRECT)) for one in judged]
    clusters = cluster_names([(one.task.id, one.task.subject) for one in judged])
    each = {name: _parts(judged, name) for name in _PARTS}
    ratios = {
        name: ratio([part or 0.0 for part in parts], fixes, clusters)
        if any(part is not None for part in parts) else None
        for name, parts in each.items()
    }  # fmt: skip
    return CostPerFix(fixes=int(sum(fixes)), **ratios)


def _parts(judged: Sequence[Judged], name: str) -> list[float | None]:
    read, field = _PARTS[name]
    return [read(one, field) for one in judged]


def _total(judged: Sequence[Judged], name: str) -> Total:
    there = [one for one in judged if (one.verdict if _PARTS[name][0] is _verdict else one.attempt) is not None]
    return total(_parts(there, name))


def total(parts: Iterable[float | None]) -> Total:
    """Return the sum of the parts that are known."""
    every = list(parts)
    known = [part for part in every if part is not None]
    return Total(math.fsum(known) if known else None, len(known), len(every))
