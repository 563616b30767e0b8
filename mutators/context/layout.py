"""Lines and indentation of a source text."""

from __future__ import annotations

import re
from typing import Final

_LINE_END: Final = re.compile(r"\r\n|\n|\r")
_LONE_RETURN: Final = re.compile(r"\r(?!\n)")


def line_start(source: str, offset: int) -> int:
    """Offset at which the line of an offset starts."""
    return max(source.rfind("\n", 0, offset), source.rfind("\r", 0, offset)) + 1


def line_end(source: str, offset: int) -> int:
    """Offset after the line of an offset, its line end included."""
    end = _LINE_END.search(source, offset)
    return len(source) if end is None else end.end()


def indentation(source: str, offset: int) -> str:
    """The white space that indents the line of an offset: what follows a form feed, which Python starts anew after."""
    start = line_start(source, offset)
    end = start
    while end < len(source) and source[end] in " \t\f\ufeff":
        end += 1
    return source[start:end].rpartition("\f")[2].removeprefix("\ufeff")


def reindent(text: str, old: str, new: str, frozen: set[int]) -> str | None:
    """Whole lines moved from one indentation to another.

    Lines in ``frozen`` (from 0) and blank ones stay as they are; so does a line that is not indented as deeply as
    ``old`` if it is a comment or continues another. ``None`` if the first line does not have the old indentation, or
    lines end in CR alone.
    """
    lines = text.split("\n")
    if not lines[0].startswith(old) or _LONE_RETURN.search(text):
        return None
    moved = [
        line if number in frozen or not line.strip() or not line.startswith(old) else new + line[len(old) :]
        for number, line in enumerate(lines)
    ]
    return "\n".join(moved)
