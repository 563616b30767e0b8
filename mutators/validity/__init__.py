"""Whether a change makes a program that compiles and is another one than the original and the changes before it.

Only the piece that changes is read again, and put into the syntax tree of the whole source, so what counts as the same
does not depend on the piece. Trees are compared in the normal form of :mod:`mendlab.mutators.equivalents`.
"""

from __future__ import annotations

import ast
import re
import sys
import warnings
from typing import Any, Final

from mendlab.mutators.edits import Edit
from mendlab.mutators.equivalents import Facts
from mendlab.mutators.mutant import SourceText
from mendlab.mutators.validity.forms import Forms
from mendlab.mutators.validity.fstrings import needs_new_grammar
from mendlab.mutators.validity.legality import Legality
from mendlab.mutators.validity.pieces import Piece, Pieces
from mendlab.mutators.validity.program import Program
from mendlab.mutators.validity.trees import copied

DOES_NOT_COMPILE: Final = "does not compile"
UNCHANGED: Final = "unchanged"
DUPLICATE: Final = "duplicate"
NOT_IN_THE_ENCODING: Final = "not in the encoding"
_DECLARED: Final = re.compile(r"\A(?:\ufeff?[ \t\f]*(?:#[^\r\n]*)?\r?\n?)?[ \t\f]*#[^\r\n]*?coding[:=][ \t]*([-\w.]+)")
"""The declaration of an encoding in the first or second line (PEP 263)."""
_FAILURES: Final = (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError)
_CHECKS_F_STRINGS: Final = sys.version_info >= (3, 12)


class Checker:
    """Judges the changes of one source, one after another.

    ``distinct``: a change that a rule proves to do the same as an earlier one is a duplicate too.

    Raises:
        InputError: the source does not compile in this version of Python.
    """

    def __init__(self, base: SourceText, *, distinct: bool = False) -> None:
        self._distinct = distinct
        program = Program(base)
        self._program, self._tree = program, program.tree
        self._forms = Forms(Facts.of(program.tree))
        self._number = self._forms.number(program.tree)
        self._normal = self._forms.normal_number(program.tree)
        self._pieces = Pieces(program, self._forms)
        self._legality = Legality(program)
        self._seen: set[object] = set()
        declared = _DECLARED.match(base.text)
        self._encoding = declared[1] if declared else "utf-8"

    def refusal(self, edits: tuple[Edit, ...]) -> str | None:
        """Why a change makes no mutant: one of the words above, or ``equivalent: `` and a rule; ``None`` if it does."""
        if self._legality.before_future_import(edits[0].start):
            return DOES_NOT_COMPILE
        if not all(edit.text.isascii() or self._encodes(edit.text) for edit in edits):
            return NOT_IN_THE_ENCODING
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                for piece in self._pieces.holding(edits):
                    parts = piece.read(edits)
                    if parts is not None:
                        return self._verdict(piece, parts, edits)
            except _FAILURES:
                pass
        return DOES_NOT_COMPILE

    def _verdict(self, piece: Piece, parts: list[Any], edits: tuple[Edit, ...]) -> str | None:
        forms = self._forms
        fresh = forms.fresh
        fresh.clear()
        for part in parts:
            forms.number(part)
        fresh = fresh.copy()
        path = self._grafted(piece, parts)
        if path is None:
            return DOES_NOT_COMPILE
        tree = path[-1]
        disturbed = forms.facts.disturbed_by(fresh)
        forms.fired.clear()
        number: object = ("as it is", forms.number(tree)) if disturbed else forms.normal_number(tree)
        if number == self._normal:
            return self._why_equal(piece, tree)
        key = number if self._distinct else forms.number(tree)
        if key in self._seen:
            return DUPLICATE
        if disturbed and forms.number(tree) == self._number:
            return UNCHANGED
        if _CHECKS_F_STRINGS and self._has_new_f_string(fresh) and needs_new_grammar(piece.program(edits)):
            return DOES_NOT_COMPILE
        if not self._legality.allows(piece, parts, path, fresh):
            return DOES_NOT_COMPILE
        self._seen.add(key)
        return None

    def _grafted(self, piece: Piece, parts: list[Any]) -> list[Any] | None:
        """Copies of the nodes from the piece to the module with the parts in place; ``None`` if a suite is empty."""
        parent, field, index = piece.slot
        new: Any = parts[0] if index is None else None
        if index is not None:
            old = getattr(parent, field)
            new = [*old[:index], *parts, *old[index + piece.count :]]
            if not new and parent is not self._tree:
                return None
        path = [copied(parent, {field: new})]
        while (slot := self._program.slot(parent)) is not None:
            parent, field, index = slot
            new = path[-1]
            if index is not None:
                new = getattr(parent, field).copy()
                new[index] = path[-1]
            path.append(copied(parent, {field: new}))
        return path

    def _why_equal(self, piece: Piece, tree: ast.AST) -> str:
        """Which rule showed it: the first of those used on one of the two programs more often than on the other."""
        forms = self._forms
        if forms.number(tree) == self._number:
            return UNCHANGED
        used = forms.fired.copy()
        forms.fired.clear()
        original = self._grafted(piece, piece.read(()) or [])
        assert original is not None
        forms.normal_number(original[-1])
        differing = (used - forms.fired) + (forms.fired - used)
        return f"equivalent: {min(differing or used | forms.fired)}"

    def _encodes(self, text: str) -> bool:
        try:
            return bool(text.encode(self._encoding))
        except (UnicodeError, LookupError):
            return False

    def _has_new_f_string(self, fresh: list[ast.AST]) -> bool:
        known = self._pieces.known_numbers
        return any(type(node) is ast.JoinedStr and self._forms.number(node) >= known for node in fresh)
