"""The inputs that programs are compared on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mendlab.verify.equivalence.recording import Call
from mendlab.verify.equivalence.replaying import Function
from mendlab.verify.equivalence.same import Shown

RECORDED: Final = "recorded"
INNER: Final = "inner"
RESOURCES: Final = ("RecursionError", "MemoryError")
"""Exceptions of a program that has run out of something."""


@dataclass(frozen=True, slots=True, eq=False)
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

    @property
    def is_evidence(self) -> bool:
        """Whether the way in which the reference ends on it says something of others."""
        return self.expected.is_evidence and not (self.is_fresh and self.expected.name in RESOURCES)


@dataclass(frozen=True, slots=True)
class Inputs:
    """Inputs, those that tests make first and then the smaller ones that decide, and how many more were set aside."""

    found: list[Input]
    set_aside: int

    def __add__(self, other: Inputs) -> Inputs:
        return Inputs(sorted([*self.found, *other.found], key=in_turn), self.set_aside + other.set_aside)


def in_turn(one: Input) -> tuple[bool, bool, float]:
    """Return the key to sort by: what tests call as they do, then what is fresh by its size, and what decides first."""
    return one.is_fresh, one.is_fresh and not one.valid, one.extent if one.is_fresh else 0.0
