"""Patches as language models write them, as data: lines without their ends, headers that may be wrong or missing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from mendlab.corpora.unified import Sign


@dataclass(frozen=True, slots=True)
class LooseLine:
    """A line of a hunk without its newline. ``unsigned`` marks one that came without a sign, taken for context."""

    sign: Sign
    text: str
    unsigned: bool = False


@dataclass(frozen=True, slots=True)
class LooseHunk:
    """A change of some lines. ``at`` is the line of the patch, from 1, where it stands.

    ``old_start``, ``new_start`` and the counts are what the header says, ``None`` if it does not. ``exact`` is
    whether the header is whole and its counts are right. ``final_newline`` says how the file ends after the change
    where the hunk says so by a "No newline" marker on one side, and is ``None`` where the end stays as it is.
    ``anchors`` are lines that the header names, outermost first, and ``at_end`` is whether the file ends with the hunk.
    """

    lines: tuple[LooseLine, ...]
    old_start: int | None = None
    new_start: int | None = None
    old_count: int | None = None
    new_count: int | None = None
    exact: bool = False
    final_newline: bool | None = None
    anchors: tuple[str, ...] = ()
    at_end: bool = False
    at: int = field(default=0, compare=False)

    @property
    def before(self) -> tuple[str, ...]:
        """The lines that it expects."""
        return tuple(line.text for line in self.lines if line.sign != "+")

    @property
    def after(self) -> tuple[str, ...]:
        """The lines that it leaves."""
        return tuple(line.text for line in self.lines if line.sign != "-")

    @property
    def old_index(self) -> int | None:
        """Where it begins in the file before, from 0, by its header."""
        if self.old_start is None:
            return None
        return self.old_start - 1 if self.before else self.old_start


@dataclass(frozen=True, slots=True)
class LooseFile:
    """Changes of one file. ``names`` are what the patch calls it, as written there; none if it does not say.

    ``prefixed`` is whether a first part (``a/``, ``b/``) is expected on the names.
    """

    names: tuple[str, ...]
    hunks: tuple[LooseHunk, ...]
    action: Literal["modify", "add", "delete", "rename"] = "modify"
    prefixed: bool = True
    at: int = 0
    modes: tuple[str, ...] = ()
    binary: bool = False
