"""One mutant: a source with one change made by one operator."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import final

from mendlab.corpora.diffs import unified_hunks
from mendlab.mutators.edits import Edit, apply, merge
from mendlab.records import Span


@dataclass(frozen=True, slots=True, eq=False)
class SourceText:
    """The text that mutants share, with the offsets at which its lines start (found once)."""

    path: str
    text: str
    line_starts: tuple[int, ...]

    @classmethod
    def of(cls, path: str, text: str) -> SourceText:
        """Split at line ends as the tokenizer does: LF, CR LF, or CR alone. A form feed ends no line."""
        starts = [0]
        position = 0
        for line in text.splitlines(keepends=True):
            position += len(line)
            if line.endswith(("\n", "\r")):
                starts.append(position)
        return cls(path, text, tuple(starts))

    def locate(self, offset: int) -> tuple[int, int]:
        """Line (from 1) and column (from 0, in characters) of an offset."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1]


@final
@dataclass(frozen=True, slots=True)
class Mutant:
    """A change and what comes of it. Text, diff, span and id are worked out when asked for.

    Attributes:
        operator: name of the operator.
        family: the family it belongs to.
        function: qualified name of the function or class that encloses the change (``Class.method``,
            ``outer.<locals>.inner``); ``None`` at module level.
        edits: the change, in order of position, in character offsets into the original text.
        rank: position, from 0, of the change among those that the operator yielded for the same node: operators
            yield the likelier first. No part of the id.
    """

    operator: str
    family: str
    function: str | None
    edits: tuple[Edit, ...]
    rank: int
    base: SourceText = field(repr=False)

    @property
    def path(self) -> str:
        """The path given to the enumeration."""
        return self.base.path

    @property
    def source(self) -> str:
        """The whole mutated text."""
        return apply(self.base.text, self.edits)

    @property
    def span(self) -> Span:
        """Where the original is changed: lines from 1, columns from 0 in characters, the end exclusive."""
        (start_line, start_column), (end_line, end_column) = (
            self.base.locate(self.edits[0].start),
            self.base.locate(self.edits[-1].end),
        )
        return Span(start_line=start_line, start_column=start_column, end_line=end_line, end_column=end_column)

    @property
    def original(self) -> str:
        """The text of :attr:`span` before."""
        return self.base.text[self.edits[0].start : self.edits[-1].end]

    @property
    def replacement(self) -> str:
        """The text of :attr:`span` after."""
        return merge(self.base.text, self.edits).text

    @property
    def diff(self) -> str:
        """Unified diff from the original to :attr:`source`, with ``a/`` and ``b/`` before the path."""
        return f"--- a/{self.path}\n+++ b/{self.path}\n{unified_hunks(self.base.text, self.source)}"

    @property
    def id(self) -> str:
        """Sixteen hexadecimal digits out of path, operator and edits: the same in every run and Python version."""
        parts = [self.path, self.operator]
        for start, end, text in self.edits:
            parts += (str(start), str(end), text)
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]
