"""The colours of a plot: stand-ins that matplotlib draws with, and that become classes of the page's style sheet."""

from __future__ import annotations

from enum import StrEnum


class Colour(StrEnum):
    """A role in the page, light or dark; the value is a colour that nothing else has."""

    INK = "#010101"
    QUIET = "#010102"
    LINE = "#010103"
    GROUND = "#010104"
    ACCENT = "#010105"
    CORRECT = "#010106"
    UNPROVEN = "#010107"
    FAILS = "#010108"
    UNUSABLE = "#010109"
    INFRA = "#01010a"


SERIES = (Colour.ACCENT, Colour.CORRECT, Colour.UNPROVEN, Colour.INFRA, Colour.FAILS, Colour.UNUSABLE)
"""In turn for lines that are of equal rank; what tells them apart besides is their dashes and markers."""
