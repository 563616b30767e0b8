"""The inputs that programs are compared on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mendlab.verify.equivalence.inputs.generating import BEYOND
from mendlab.verify.equivalence.recording import Call
from mendlab.verify.equivalence.replaying import Function
from mendlab.verify.equivalence.same import Shown

RECORDED: Final = "recorded"
INNER: Final = "inner"


@dataclass(frozen=True, slots=True)
class Input:
    """A call, how it was made, and how it ends on the reference. One that is not ``valid`` decides nothing.

    ``extent`` is how much work its arguments may be (:func:`mendlab.verify.equivalence.inputs.sizes.extent`).
    """

    call: Call
    source: str
    expected: Shown
    valid: bool
    extent: float

    @property
    def function(self) -> Function:
        """The function that is called."""
        return self.call[0], self.call[1]

    @property
    def is_fresh(self) -> bool:
        """Whether no test makes this call."""
        return self.source not in (RECORDED, INNER)


@dataclass(frozen=True, slots=True)
class Inputs:
    """Inputs, those that tests make first and then the smaller ones, and how many more were set aside."""

    found: list[Input]
    set_aside: int

    def __add__(self, other: Inputs) -> Inputs:
        found = sorted([*self.found, *other.found], key=lambda one: (one.is_fresh, one.extent))
        return Inputs(found, self.set_aside + other.set_aside)


def most_of(inputs: Sequence[Input], count: int) -> list[Input]:
    """Return so many, spread over all sizes, with all that tests make and all beyond the domain."""
    fresh = [one for one in inputs if one.is_fresh and one.source != BEYOND]
    room = max(0, count - sum(not one.is_fresh for one in inputs))
    kept = {id(fresh[at * len(fresh) // room]) for at in range(room)} if room < len(fresh) else set(map(id, fresh))
    return [one for one in inputs if not one.is_fresh or one.source == BEYOND or id(one) in kept]
