"""Unified diffs of two texts that differ in one place: only that place is compared."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Final

CONTEXT: Final = 3


def unified(before: str, after: str, path: str) -> str:
    """The diff as ``diff -u`` writes it, over lines that end in LF (a CR before it stays in the line)."""
    old, new = _lines(before), _lines(after)
    first = _common(old, new)
    last = _common(old[first:][::-1], new[first:][::-1])
    low = max(0, first - CONTEXT)
    old_window = old[low : len(old) - max(0, last - CONTEXT)]
    new_window = new[low : len(new) - max(0, last - CONTEXT)]
    out = [f"--- a/{path}\n", f"+++ b/{path}\n"]
    for group in SequenceMatcher(None, old_window, new_window, autojunk=False).get_grouped_opcodes(CONTEXT):
        old_range = _range(low + group[0][1], low + group[-1][2])
        new_range = _range(low + group[0][3], low + group[-1][4])
        out.append(f"@@ -{old_range} +{new_range} @@\n")
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                out += [_mark(" ", line) for line in old_window[i1:i2]]
            else:
                out += [_mark("-", line) for line in old_window[i1:i2]]
                out += [_mark("+", line) for line in new_window[j1:j2]]
    return "".join(out)


def _lines(text: str) -> list[str]:
    pieces = text.split("\n")
    return [piece + "\n" for piece in pieces[:-1]] + ([pieces[-1]] if pieces[-1] else [])


def _common(old: list[str], new: list[str]) -> int:
    count = 0
    for left, right in zip(old, new, strict=False):
        if left != right:
            break
        count += 1
    return count


def _range(start: int, stop: int) -> str:
    length = stop - start
    if length == 1:
        return str(start + 1)
    return f"{start + 1 if length else start},{length}"


def _mark(sign: str, line: str) -> str:
    return sign + line if line.endswith("\n") else f"{sign}{line}\n\\ No newline at end of file\n"
