"""The witness: an input on which candidate and reference differ, made small while they still do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from mendlab.records import Witness
from mendlab.verify.engines.engine import OTHER_HASH_SEED
from mendlab.verify.equivalence.input import RESOURCES
from mendlab.verify.equivalence.recording import Call
from mendlab.verify.equivalence.reference import Reference
from mendlab.verify.equivalence.same import Likeness, Shown, likeness, show_call
from mendlab.verify.equivalence.shrinking import size_of, smaller_calls

MOST_ROUNDS: Final = 12
SLOW: Final = ("timeout", "out_of_memory", "crash", "not run")
"""Ends of a candidate that take long to come to: one such is not made smaller."""

OTHER_SHARING: Final = ", where other parts are one object than there"


@dataclass(frozen=True, slots=True)
class Found:
    """A call with how the reference and how the candidate ends on it."""

    call: Call
    expected: Shown
    end: Shown
    is_fresh: bool = False


def smallest(
    told: Sequence[Found],
    reference: Reference,
    candidate: Callable[[Sequence[Call]], list[Shown]],
    decides: Callable[[Found], bool],
    *,
    inner: bool,
) -> Found:
    """Return the smallest input on which the two are found to differ; tests' own ones are tried before fresh ones.

    The difference ``decides``. The input is within what recorded inputs have in common,
    and the reference repeats itself on it. Raises EngineError.
    """
    rank = min(map(_rank, told))
    first = best = min((one for one in told if _rank(one) == rank), key=lambda one: size_of(one.call))
    function = (best.call[0], best.call[1])
    recorded = reference.arguments(function, inner=inner)
    for _ in range(MOST_ROUNDS if best.end.word not in SLOW else 0):
        differing = [
            found
            for found in _differing(smaller_calls(best.call, recorded), best, reference, candidate)
            if decides(found)
        ]
        if not differing:
            break
        best = min(differing, key=lambda one: size_of(one.call))
    if best is not first:
        again = reference.outcomes([best.call], fresh_from=0, hash_seed=OTHER_HASH_SEED)
        if likeness(best.expected, again[0]) is not Likeness.SAME:
            return first
    return best


def _rank(one: Found) -> tuple[bool, bool]:
    return one.end.word in SLOW, one.is_fresh


def _differing(
    calls: Sequence[Call], best: Found, reference: Reference, candidate: Callable[[Sequence[Call]], list[Shown]]
) -> list[Found]:
    """Those of the calls on which the two still differ, where the reference ends in the same way as before."""
    ours = reference.outcomes(calls, fresh_from=0) if calls else []
    ending = (best.expected.word, best.expected.name)
    usable = [
        (call, expected) for call, expected in zip(calls, ours, strict=True) if (expected.word, expected.name) == ending
    ]
    theirs = candidate([call for call, _ in usable]) if usable else []
    return [
        Found(call, expected, end)
        for (call, expected), end in zip(usable, theirs, strict=True)
        if end.word not in SLOW and end.name not in RESOURCES and likeness(expected, end) is Likeness.DIFFERENT
    ]


def show_found(found: Found) -> Witness:
    """Return it as source text."""
    reference, candidate = found.expected.text, found.end.text
    if reference == candidate:
        candidate += OTHER_SHARING if found.end.word == "returns" else ""
    return Witness(call=show_call(found.call), reference=reference, candidate=candidate)
