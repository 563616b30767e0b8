"""How far attempts get: past each rung of the ladder, and how their patches had to be applied."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mendlab.records import CORRECT, Outcome, Rung
from mendlab.reports.data import Judged

RUNG_WORDS: Final[dict[Rung, str]] = {
    Rung.PARSE: "has a patch",
    Rung.POLICY: "changes only allowed files",
    Rung.APPLY: "applies",
    Rung.NO_OP: "changes the program",
    Rung.COMPILE: "compiles and imports",
    Rung.NEW_TESTS: "mends the failing tests",
    Rung.REGRESSION: "breaks no other test",
    Rung.HELD_OUT: "passes held-out tests",
    Rung.TAMPER: "leaves the tests alone",
    Rung.EQUIVALENCE: "not seen to differ from the reference",
    Rung.CONFIRM: "confirmed once more",
}


@dataclass(frozen=True, slots=True)
class FunnelStep:
    """One rung: how many attempts got past it, and how many it stopped."""

    rung: Rung
    past: int
    stopped: int


@dataclass(frozen=True, slots=True)
class ApplyCount:
    """How many patches one rung of the apply ladder took."""

    apply_rung: str
    count: int


@dataclass(frozen=True, slots=True)
class ApplyRates:
    """Of the ``tried`` patches that came as far as being applied, how many went in, by the rung that took them."""

    tried: int
    applied: tuple[ApplyCount, ...]


def ladder_funnel(judged: Sequence[Judged]) -> tuple[FunnelStep, ...]:
    """Return every rung in order. Infra errors are left out: no rung was the attempt's last by its own doing."""
    stops = [_stopped_at(one) for one in judged if one.outcome not in {None, Outcome.INFRA_ERROR}]
    counts = Counter(stops)
    steps, past = [], len(stops)
    for rung in Rung:
        past -= counts[rung]
        steps.append(FunnelStep(rung, past, counts[rung]))
    return tuple(steps)


def apply_rates(judged: Sequence[Judged]) -> ApplyRates:
    """Return how patches were applied, the commonest rung first."""
    order = list(Rung)
    counts: Counter[str] = Counter()
    tried = 0
    for one in judged:
        if one.verdict is None or one.outcome is Outcome.INFRA_ERROR:
            continue
        stop = _stopped_at(one)
        if stop is not None and order.index(stop) < order.index(Rung.APPLY):
            continue
        tried += 1
        if stop is not Rung.APPLY:
            counts[one.verdict.apply_rung or "unknown"] += 1
    return ApplyRates(tried, tuple(ApplyCount(name, count) for name, count in counts.most_common()))


def _stopped_at(one: Judged) -> Rung | None:
    if one.verdict is None or one.outcome in CORRECT or one.outcome is Outcome.PLAUSIBLE:
        return None
    return Rung.EQUIVALENCE if one.outcome is Outcome.DIVERGENT else one.verdict.rung
