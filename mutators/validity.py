"""Whether a mutant compiles and is another program, found out by compiling as little of it as will tell."""

from __future__ import annotations

import ast
import warnings
from types import CodeType
from typing import Final

import libcst as cst

from mendlab.mutators import layout
from mendlab.mutators.context import Context
from mendlab.mutators.edits import Edit, apply, merge

_STATEMENTS: Final = (
    cst.SimpleStatementLine, cst.SimpleStatementSuite, cst.BaseCompoundStatement, cst.ExceptHandler,
    cst.ExceptStarHandler, cst.MatchCase,
)  # fmt: skip
_LONG: Final = 240
"""Longer statements are checked by the item."""
_Piece = tuple[int, int, str, str]  # start, end, what makes a program of it: text before and text after


class Checker:
    """Checks edits of one source. What is compiled is an item, a statement or a header, else the function around it."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._source = context.source
        self._originals: dict[_Piece, CodeType | None] = {}
        self._cuts: dict[cst.CSTNode, cst.CSTNode | None] = {}
        self._pieces: dict[cst.CSTNode, _Piece | None] = {}

    def accepts(self, node: cst.CSTNode, edits: tuple[Edit, ...]) -> bool:
        """Whether the edits, made for a node, give a text that compiles and has another syntax tree."""
        start, end = edits[0].start, edits[-1].end
        piece = self._piece(node)
        emptied = piece is not None and (start, end) == piece[:2] and not merge(self._source, edits).text.strip()
        if piece is None or emptied or not (piece[0] <= start and end <= piece[1]):
            piece = self._larger_piece(node, start, end)
        program = _program(self._source, piece, edits)
        code = _compiled(program)
        if code is None:
            return False
        original = self._original(piece)
        if original is None or not _alike(original, code):
            return True
        return _tree(program) != _tree(_program(self._source, piece, ()))

    def _original(self, piece: _Piece) -> CodeType | None:
        """The code of a piece as it was."""
        if piece not in self._originals:
            self._originals[piece] = _compiled(_program(self._source, piece, ()))
        return self._originals[piece]

    def _piece(self, node: cst.CSTNode) -> _Piece | None:
        if node not in self._cuts:
            self._cuts[node] = self._smallest(node)
        cut = self._cuts[node]
        return None if cut is None else self._piece_of(cut)

    def _smallest(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """What the node is checked in: its statement, or if that is long, the item of a list around it."""
        item: cst.CSTNode | None = None
        statement: cst.CSTNode | None = node
        while statement is not None and not isinstance(statement, _STATEMENTS):
            parent = self._context.tree.parents.get(statement)
            if isinstance(parent, cst.FormattedStringExpression):
                item = None  # quotes inside depend on the quotes outside
            elif item is None and _surroundings(statement, parent) is not None:
                item = statement
            statement = parent
        if item is None or statement is None:
            return statement
        long = self._context.end(statement) - self._context.start(statement) > _LONG
        return item if long else statement

    def _piece_of(self, statement: cst.CSTNode) -> _Piece | None:
        if statement not in self._pieces:
            piece = self._cut(statement)
            usable = piece is not None and self._original(piece) is not None
            self._pieces[statement] = piece if usable else None
        return self._pieces[statement]

    def _cut(self, statement: cst.CSTNode) -> _Piece | None:
        around = _surroundings(statement, self._context.parent(statement))
        if around is not None:
            low, high = self._context.tree.outer[statement]
            return low, high, f"{self._opening(statement)}  {around[0]}", f"\n{around[1]}\n"
        start, end = self._context.tree.inner[statement]
        opening, indent = self._opening(statement), "  "
        if isinstance(statement, cst.SimpleStatementLine | cst.SimpleStatementSuite):
            return start, end, f"{opening}{indent}", "\n"
        if isinstance(statement, cst.ExceptHandler | cst.ExceptStarHandler):
            opening += f"{indent}try: pass\n"
        elif isinstance(statement, cst.MatchCase):
            opening, indent = f"{opening}{indent}match 0:\n", "   "
        elif not isinstance(statement, cst.If | cst.While | cst.For | cst.With | cst.FunctionDef | cst.ClassDef):
            return None
        header_end = self._context.tree.outer[statement.body][0]
        if self._context.is_elif(statement):
            opening += f"{indent}if 0: pass\n"
        return start, header_end, f"{opening}{indent}", " pass\n"

    def _opening(self, statement: cst.CSTNode) -> str:
        function = self._context.function(statement)
        is_async = function is not None and function.asynchronous is not None
        in_loop = self._context.loop(statement) is not None
        return f"{'async ' if is_async else ''}def _():\n {'while 1' if in_loop else 'if 1'}:\n"

    def _larger_piece(self, node: cst.CSTNode, start: int, end: int) -> _Piece:
        """The lines of the nearest function, or statement of the module, in which the edits lie."""
        for ancestor in (node, *self._context.ancestors(node)):
            if not isinstance(ancestor, cst.BaseStatement):
                continue
            low, high = self._context.lines(ancestor)
            closed = isinstance(ancestor, cst.FunctionDef) and "nonlocal" not in self._source[low:high]
            at_top = isinstance(self._context.parent(ancestor), cst.Module)
            if low <= start and end <= high and (at_top or (closed and low < start)):
                return low, high, "if 1:\n" if layout.indentation(self._source, low) else "", "\n"
        return 0, len(self._source), "", ""


def _surroundings(node: cst.CSTNode, parent: cst.CSTNode | None) -> tuple[str, str] | None:
    """What makes a program of an item of a list of any sort; ``None`` if the node is no item."""
    match parent:
        case cst.Arg(value=value) if value is node:
            return "_(0, ", ")"
        case cst.Element(value=value) if value is node:
            return "[0, ", "]"
        case cst.DictElement(value=value) if value is node:
            return "{0: ", "}"
        case cst.DictElement(key=key) if key is node:
            return "{", ": 0}"
    return None


def _program(source: str, piece: _Piece, edits: tuple[Edit, ...]) -> str:
    low, high, before, after = piece
    text = apply(source[low:high], (Edit(s - low, e - low, t) for s, e, t in edits))
    return before + text.removeprefix("\ufeff") + after


def _compiled(program: str) -> CodeType | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return compile(program, "<mutant>", "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
            return None


def _alike(one: CodeType, other: CodeType) -> bool:
    """Whether two codes may come of equal syntax trees: these have equal bytecode, apart from positions."""
    if one.co_code != other.co_code or one.co_names != other.co_names or one.co_varnames != other.co_varnames:
        return False
    return len(one.co_consts) == len(other.co_consts) and all(
        _alike(left, right) if isinstance(left, CodeType) and isinstance(right, CodeType) else left == right
        for left, right in zip(one.co_consts, other.co_consts, strict=True)
    )


def _tree(program: str) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.dump(ast.parse(program))
