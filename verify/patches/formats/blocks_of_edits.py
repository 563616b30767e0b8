"""Edits given as old lines and new lines, turned into hunks in which what both share is context."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from mendlab.verify.patches.loose import LooseHunk, LooseLine


def hunk_between(before: Sequence[str], after: Sequence[str], at: int) -> LooseHunk:
    """The hunk, without line numbers, that turns some lines into others."""
    lines: list[LooseLine] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            lines += [LooseLine(" ", text) for text in before[i1:i2]]
        else:
            lines += [LooseLine("-", text) for text in before[i1:i2]]
            lines += [LooseLine("+", text) for text in after[j1:j2]]
    return LooseHunk(tuple(lines), at=at)
