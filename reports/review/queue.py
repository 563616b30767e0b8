"""Which attempts a person should look at: those the machine is not sure of, and a sample of the rest to check it by."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from mendlab.records import Outcome
from mendlab.reports.data import Judged

Why = Literal["divergent", "risky", "sampled"]


@dataclass(frozen=True, slots=True)
class Waiting:
    """An attempt in the queue, and why it is there."""

    judged: Judged
    why: Why

    @property
    def key(self) -> tuple[str, int]:
        """The task's id and the number of the sample."""
        return self.judged.task.id, self.judged.sample


def review_queue(judged: Sequence[Judged], *, sample: int, seed: int) -> tuple[Waiting, ...]:
    """Return all divergent attempts, then all in which the audit found a sign, then ``sample`` of the others.

    The sample is drawn evenly from what has a patch and a verdict, infra errors apart; a larger one has the smaller one
    in it, and it does not change when other attempts are added to the queue by a later judge.
    """
    looked_at = [one for one in judged if one.verdict is not None and one.outcome is not Outcome.INFRA_ERROR]
    divergent = [one for one in looked_at if one.outcome is Outcome.DIVERGENT]
    risky = [one for one in looked_at if one.outcome is not Outcome.DIVERGENT and _is_risky(one)]
    rest = [one for one in looked_at if one.outcome is not Outcome.DIVERGENT and not _is_risky(one) and _has_patch(one)]
    drawn = sorted(rest, key=lambda one: _draw(seed, one))[:sample]
    return (
        *(Waiting(one, "divergent") for one in divergent),
        *(Waiting(one, "risky") for one in risky),
        *(Waiting(one, "sampled") for one in drawn),
    )


def _is_risky(one: Judged) -> bool:
    return one.verdict is not None and (one.verdict.risk > 0 or bool(one.verdict.tamper_flags))


def _has_patch(one: Judged) -> bool:
    return bool((one.verdict and one.verdict.canonical_patch) or (one.attempt and one.attempt.raw_patch))


def _draw(seed: int, one: Judged) -> bytes:
    return hashlib.sha256(f"{seed}\0{one.task.id}\0{one.sample}".encode("utf-8", "surrogatepass")).digest()
