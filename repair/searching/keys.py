"""What tells candidates apart: the code of the statement that is changed, or of the file where more is.

Equal syntax trees give equal code. Trees themselves are not asked for: making them takes longer, and in Python 3.11 it
fails now and then where several threads do it much.
"""

from __future__ import annotations

import ast
import textwrap
import warnings
from bisect import bisect_right
from collections.abc import Callable, Hashable
from types import CodeType
from typing import Final, final

from mendlab.mutators.edits import Edit, apply
from mendlab.mutators.mutant import SourceText
from mendlab.repair.candidates import Candidate
from mendlab.repair.searching.source import Source

_ERRORS: Final = (SyntaxError, ValueError, RecursionError, MemoryError)
_Place = tuple[str, int, int]


@final
class Keys:
    """Gives candidates keys. A statement's takes a fraction of the time that a file's does."""

    def __init__(self) -> None:
        self._pieces: dict[str, list[tuple[int, int]]] = {}
        self._before: dict[_Place, Hashable] = {}

    def of(self, candidate: Candidate) -> Hashable:
        """Return what is equal for equal programs that are made at one place; None for what is none, or no change."""
        base, edits = candidate.base, candidate.edits
        if candidate.data is None:
            return None
        piece = self._piece(base, edits[0].start, edits[-1].end)
        if piece is not None and not any("\n" in edit.text for edit in edits):
            start, end = piece
            before = base.text[start:end]
            moved = [Edit(edit.start - start, edit.end - start, edit.text) for edit in edits]
            if self._known((base.path, start, end), before, _piece_code) is not None:
                return self._new((base.path, start, end), _piece_code(apply(before, moved)))
        whole = (base.path, 0, len(base.text))
        self._known(whole, base.text, _code)
        return self._new(whole, _code(candidate.text))

    def _known(self, place: _Place, text: str, code: Callable[[str], Hashable]) -> Hashable:
        if place not in self._before:
            self._before[place] = code(text)
        return self._before[place]

    def _new(self, place: _Place, code: Hashable) -> Hashable:
        return None if code is None or code == self._before[place] else (place, code)

    def _piece(self, base: SourceText, start: int, end: int) -> tuple[int, int] | None:
        """The smallest statement, or head of one, around two offsets."""
        if base.path not in self._pieces:
            self._pieces[base.path] = _pieces_of(base)
        pieces = self._pieces[base.path]
        at = bisect_right(pieces, start, key=lambda piece: piece[0]) - 1
        return pieces[at] if at >= 0 and end <= pieces[at][1] else None


def _pieces_of(base: SourceText) -> list[tuple[int, int]]:
    try:
        source = Source(base.path, base.text, "utf-8", {}, "")
    except _ERRORS:
        return []
    found = []
    for node in source.nodes:
        if isinstance(node, ast.If | ast.While | ast.For):
            found.append((source.span(node)[0], source.span(node.body[0])[0]))
        elif isinstance(node, ast.stmt) and not hasattr(node, "body"):
            found.append(source.span(node))
    return sorted(found)


def _piece_code(text: str) -> Hashable:
    """The code of a statement, or of a head with nothing under it, as within a function and a loop."""
    text = text.removeprefix("el") if text.startswith("elif") else text
    text = text.rstrip()
    text = f"{text} pass" if text.endswith(":") else text
    return _code(f"def _():\n while _:\n{textwrap.indent(text, '  ')}")


def _code(text: str) -> Hashable:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _shape(compile(text.removeprefix("\ufeff"), "", "exec", dont_inherit=True))
    except _ERRORS:
        return None


def _shape(code: CodeType) -> Hashable:
    """What code does, without the lines that it stands in. Constants go by type too: 1 is not True, nor 1.0."""
    constants = tuple(
        _shape(each) if isinstance(each, CodeType) else (type(each), repr(each)) for each in code.co_consts
    )
    heads = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
    return heads, code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
