"""A unified diff as lines that know what they are, to be coloured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from mendlab.corpora.unified import HUNK_HEADER
from mendlab.reports.detail import FULL
from mendlab.reports.text import trim

LineKind = Literal["file", "hunk", "added", "removed", "context"]
_BY_SIGN: Final[dict[str, LineKind]] = {"+": "added", "-": "removed"}
_FILE_LINES: Final = ("--- ", "+++ ", "diff ", "index ", "new file ", "deleted file ", "old mode ", "new mode ")


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line of a diff, its sign included."""

    kind: LineKind
    text: str


@dataclass(frozen=True, slots=True)
class DiffView:
    """The lines to show, how many lines the whole diff adds and removes, and a note of what is not shown."""

    lines: tuple[DiffLine, ...]
    added: int
    removed: int
    note: str


def diff_view(diff: str, lines: int = FULL.diff_lines, columns: int = FULL.columns) -> DiffView:
    """Return a diff for showing. What is not a diff comes out as lines of context: nothing is refused."""
    kinds = list(_kinds(diff.removesuffix("\n").split("\n") if diff else []))
    trimmed = trim(diff, lines=lines, columns=columns)
    shown = tuple(DiffLine(kind, text) for kind, text in zip(kinds, trimmed.lines, strict=False))
    return DiffView(shown, kinds.count("added"), kinds.count("removed"), trimmed.note)


def _kinds(lines: Iterable[str]) -> Iterator[LineKind]:
    # A hunk's own counts tell a removed line of dashes from the header of the next file.
    old = new = 0
    for line in lines:
        header = HUNK_HEADER.match(line) if old <= 0 and new <= 0 else None
        if header:
            old, new = (int(count) if count else 1 for count in header.group(2, 4))
            yield "hunk"
        elif old <= 0 and new <= 0 and line.startswith(_FILE_LINES):
            yield "file"
        else:
            kind = _BY_SIGN.get(line[:1], "context")
            old -= kind != "added"
            new -= kind != "removed"
            yield kind
