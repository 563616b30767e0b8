"""Two edits together, where one is not enough: those first that each let more tests pass."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import Final

from mendlab.mutators.edits import fit
from mendlab.repair.candidates import Candidate

BEST: Final = 150
WITH_ANY: Final = 600
HELPFUL: Final = 50.0
"""How much likelier a pair is for each of its edits that lets a test pass by itself."""


def pairs(tried: Sequence[Candidate], helpful: Collection[int]) -> Iterator[Candidate]:
    """Yield pairs of edits that do not touch, likeliest first. ``helpful`` has the ``id`` of those that help alone."""
    order = sorted(tried, key=lambda each: -_worth(each, helpful))[:WITH_ANY]
    most = [_worth(each, helpful) for each in order]
    waiting = [(-most[at] * most[at + 1], at, at + 1) for at in range(min(BEST, len(order) - 1))]
    heapq.heapify(waiting)
    while waiting:
        _, one, other = heapq.heappop(waiting)
        joined = _joined(order[one], order[other], most[one] * most[other])
        if joined is not None:
            yield joined
        if other + 1 < len(order):
            heapq.heappush(waiting, (-most[one] * most[other + 1], one, other + 1))


def _worth(candidate: Candidate, helpful: Collection[int]) -> float:
    return candidate.likelihood * (HELPFUL if id(candidate) in helpful else 1.0)


def _joined(one: Candidate, other: Candidate, likelihood: float) -> Candidate | None:
    edits = tuple(sorted((*one.edits, *other.edits)))
    if one.base is not other.base and (one.path, one.base.text) != (other.path, other.base.text):
        return None
    if not fit(edits, len(one.base.text)) or any(a.end == b.start for a, b in pairwise(edits)):
        return None
    return Candidate(f"{one.operator} + {other.operator}", edits, one.base, one.encoding, likelihood)
