"""Boundary cases of a function: what the reference answers on boundary values, and which of it a repair is held to."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Final

from mendlab.verify.newtests.boundaries import Boundary, boundaries
from mendlab.verify.newtests.cases import Case
from mendlab.verify.newtests.doing import Pair
from mendlab.verify.newtests.program import Program
from mendlab.verify.newtests.spelling import Unspellable
from mendlab.verify.newtests.witnesses import Function

BOUNDARY_CPU_SECONDS: Final = 0.5
MOST_UNASKED: Final = 4


def boundary_cases(function: Function, pair: Pair, program: Program, most: int, others: Sequence[Case]) -> list[Case]:
    """Return boundary cases, one of each label at each place, those that a repair is held to first."""
    found: dict[tuple[str, object], Case] = {}
    known = {case.arguments for case in others}
    wanted = list(boundaries(function.domain))
    by_arguments = {repr(each.arguments): each for each in reversed(wanted)}
    calls = [function.call(each.arguments) for each in sorted(by_arguments.values(), key=_is_huge)]
    looked = pair.look(calls, cpu_seconds=BOUNDARY_CPU_SECONDS)
    for each in sorted(looked, key=lambda each: not function.domain.admits(each.call.arguments)):
        boundary = by_arguments[repr(each.call.arguments)]
        judged = function.domain.admits(each.call.arguments) and function.is_valid(each)
        if not each.found.is_evidence or not (judged or each.expected.word == "returns"):
            continue
        with contextlib.suppress(Unspellable):
            source = None if boundary.source is None else (boundary.place, boundary.source)
            case = program.case(each, kind="boundary", label=boundary.label, judged=judged, source=source)
            if case.arguments not in known:
                known.add(case.arguments)
                found.setdefault((boundary.label, boundary.place), case)
    asked = [case for case in found.values() if case.judged]
    unasked = [case for case in found.values() if not case.judged]
    return [*asked, *unasked[:MOST_UNASKED]][:most]


def _is_huge(boundary: Boundary) -> bool:
    """Whether a boundary may take long: such come last, as what does not end ends all behind it."""
    return boundary.label in ("huge", "beyond 64 bits")
