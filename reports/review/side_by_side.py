"""Two trees beside each other, line by line, with the lines around what differs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Final, Literal

from mendlab.corpora.text import decode
from mendlab.corpora.tree import FileTree
from mendlab.reports.text import trim

CONTEXT: Final = 4
LINES: Final = 600
COLUMNS: Final = 300


@dataclass(frozen=True, slots=True)
class Row:
    """A line on either side, with its number; no number where a side has none. ``gap`` stands for lines left out."""

    kind: Literal["same", "changed", "gap"]
    left_number: int | None = None
    left: str = ""
    right_number: int | None = None
    right: str = ""


@dataclass(frozen=True, slots=True)
class FileRows:
    """One file that differs, and how many of its rows are not shown."""

    path: str
    rows: tuple[Row, ...]
    left_out: int


def side_by_side(left: FileTree, right: FileTree) -> tuple[FileRows, ...]:
    """Return every file that differs, by path; a file that one side lacks is empty there."""
    return tuple(_file(path, left, right) for path in sorted(left.changed(right)))


def _file(path: str, left: FileTree, right: FileTree) -> FileRows:
    rows = tuple(_rows(_lines(path, left), _lines(path, right)))
    return FileRows(path, rows[:LINES], max(0, len(rows) - LINES))


def _lines(path: str, tree: FileTree) -> list[str]:
    text = decode(path, tree[path]).text if path in tree else ""
    return list(trim(text, lines=text.count("\n") + 1, columns=COLUMNS).lines)


def _rows(left: Sequence[str], right: Sequence[str]) -> Iterator[Row]:
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    for index, group in enumerate(matcher.get_grouped_opcodes(CONTEXT)):
        if index:
            yield Row("gap")
        for tag, start, end, other_start, other_end in group:
            kind: Literal["same", "changed"] = "same" if tag == "equal" else "changed"
            for one, other in zip_longest(range(start, end), range(other_start, other_end)):
                yield Row(kind, *_side(left, one), *_side(right, other))


def _side(lines: Sequence[str], index: int | None) -> tuple[int | None, str]:
    return (None, "") if index is None else (index + 1, lines[index])
