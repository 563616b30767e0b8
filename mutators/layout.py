"""Lines and indentation of a source text."""

from __future__ import annotations


def line_start(source: str, offset: int) -> int:
    """Offset at which the line of an offset starts."""
    return max(source.rfind("\n", 0, offset), source.rfind("\r", 0, offset)) + 1


def line_end(source: str, offset: int) -> int:
    """Offset after the line of an offset, its line end included."""
    end = source.find("\n", offset)
    return len(source) if end < 0 else end + 1


def indentation(source: str, offset: int) -> str:
    """The white space at the start of the line of an offset; the offset may lie behind other text of that line."""
    start = line_start(source, offset)
    end = start
    while end < len(source) and source[end] in " \t\f\ufeff":
        end += 1
    return source[start:end]


def reindent(text: str, old: str, new: str, frozen: set[int]) -> str | None:
    """Whole lines moved from one indentation to another.

    Lines in ``frozen`` (from 0) and blank ones stay as they are; so does a line that is not indented as deeply as
    ``old`` if it is a comment or continues another. ``None`` if the first line does not have the old indentation.
    """
    lines = text.split("\n")
    if not lines[0].startswith(old):
        return None
    moved = [
        line if number in frozen or not line.strip() or not line.startswith(old) else new + line[len(old) :]
        for number, line in enumerate(lines)
    ]
    return "\n".join(moved)
