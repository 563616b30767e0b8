"""What a run took: verifier CPU, the repairer's time, tokens and money, as far as they are known."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mendlab.records import Usage
from mendlab.reports.data import Judged


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


def costs(judged: Sequence[Judged]) -> Costs:
    """Return the totals over the attempts and verdicts that are there."""
    attempts = [one.attempt for one in judged if one.attempt is not None]
    usages = [attempt.usage or Usage() for attempt in attempts]
    return Costs(
        verifier_cpu_seconds=total(one.verdict.cpu_seconds for one in judged if one.verdict is not None),
        repairer_cpu_seconds=total(attempt.cpu_seconds for attempt in attempts),
        repairer_wall_seconds=total(attempt.wall_seconds for attempt in attempts),
        uncached_tokens=total(usage.uncached_tokens for usage in usages),
        cache_read_tokens=total(usage.cache_read_tokens for usage in usages),
        cache_write_tokens=total(usage.cache_write_tokens for usage in usages),
        output_tokens=total(usage.output_tokens for usage in usages),
        reasoning_tokens=total(usage.reasoning_tokens for usage in usages),
        cost_usd=total(attempt.cost_usd for attempt in attempts),
    )


def total(parts: Iterable[float | None]) -> Total:
    every = list(parts)
    known = [part for part in every if part is not None]
    return Total(math.fsum(known) if known else None, len(known), len(every))
