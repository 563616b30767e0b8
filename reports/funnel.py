"""How far attempts get: past each rung of the ladder, and how their patches had to be applied."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from mendlab.records import CORRECT, Outcome, Rung
from mendlab.reports.data import Judged
from mendlab.verify.patches import ApplyRung

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

LEVEL_WORDS: Final = {
    "strict": "as they are (strict)",
    "safe": "wrapping, counts, names and line numbers mended (safe, the headline)",
    "lenient": "white space, indents and gaps, too (lenient)",
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
class ApplyLevel:
    """``strict``, ``safe`` or ``lenient``: how many patches go in by rungs up to that, and how many are correct.

    ``apply_rate`` is of the patches tried, ``resolved_rate`` of all attempts judged, both without infra errors.
    """

    name: str
    applied: int
    resolved: int
    apply_rate: float | None
    resolved_rate: float | None


@dataclass(frozen=True, slots=True)
class ApplyRates:
    """Of the ``tried`` patches, how many went in, by rung and by level. What policy forbids was not tried."""

    tried: int
    applied: tuple[ApplyCount, ...]
    levels: tuple[ApplyLevel, ...]


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
    applied: list[Judged] = []
    tried = total = 0
    for one in judged:
        if one.verdict is None or one.outcome is Outcome.INFRA_ERROR:
            continue
        total += 1
        stop = _stopped_at(one)
        malformed = one.outcome is Outcome.MALFORMED_DIFF
        if stop is not None and order.index(stop) < order.index(Rung.APPLY) and not malformed:
            continue
        tried += 1
        if stop is not Rung.APPLY and not malformed:
            applied.append(one)
    counts = Counter(_apply_rung(one) for one in applied)
    levels = tuple(_level(name, [one for one in applied if allows(one)], tried, total) for name, allows in _LEVELS)
    return ApplyRates(tried, tuple(ApplyCount(name, count) for name, count in counts.most_common()), levels)


def _apply_rung(one: Judged) -> str:
    return (one.verdict and one.verdict.apply_rung) or "unknown"


_LEVELS: Final[tuple[tuple[str, Callable[[Judged], bool]], ...]] = (
    ("strict", lambda one: _apply_rung(one) == ApplyRung.STRICT),
    ("safe", lambda one: one.safely_applied),
    ("lenient", lambda one: True),
)


def _level(name: str, applied: Sequence[Judged], tried: int, total: int) -> ApplyLevel:
    resolved = sum(one.outcome in CORRECT for one in applied)
    return ApplyLevel(
        name=name,
        applied=len(applied),
        resolved=resolved,
        apply_rate=len(applied) / tried if tried else None,
        resolved_rate=resolved / total if total else None,
    )


def _stopped_at(one: Judged) -> Rung | None:
    if one.verdict is None or one.outcome in CORRECT or one.outcome is Outcome.PLAUSIBLE:
        return None
    return Rung.EQUIVALENCE if one.outcome is Outcome.DIVERGENT else one.verdict.rung
