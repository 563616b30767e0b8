"""The stretches of a source that are read by themselves to see what an edit makes of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from mendlab.mutators.edits import Edit, apply
from mendlab.mutators.validity.forms import Forms
from mendlab.mutators.validity.program import Program, Run, Slot
from mendlab.mutators.validity.trees import copied

_LONG: Final = 240
"""Longer statements are read by the item."""
_LINE_BREAKERS: Final = ("\n", "\r", "\f", "#", "\\")
"""What may make more or less of the text around it than a part of one line."""
_NOT_ITEMS: Final = (ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.GeneratorExp)
_CONTINUES: Final = re.compile(r"\s*(?:elif|else|except|finally)\b")
_Parts = list[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A stretch of the source with what makes a program of it.

    Attributes:
        low, high: its offsets.
        kind: ``item``, ``simple`` (whole simple statements), ``header`` or ``lines``.
        slot: where what it becomes goes: a node, or the first of ``count`` statements.
        original: the node whose header it is.
        take: finds what the piece became in the tree of the program; ``None`` if that can't be told from the piece.
    """

    source: str
    low: int
    high: int
    before: str
    after: str
    kind: str
    slot: Slot
    count: int
    take: Callable[[ast.Module], _Parts | None]
    original: ast.AST | None = None

    def program(self, edits: tuple[Edit, ...]) -> str:
        """The program that the edits make of the piece."""
        low = self.low
        text = apply(self.source[low : self.high], [Edit(s - low, e - low, t) for s, e, t in edits])
        if low == 0:
            text = text.removeprefix("\ufeff")
        return f"{self.before}{text}{self.after}"

    def read(self, edits: tuple[Edit, ...]) -> _Parts | None:
        """The nodes that the edits make of the piece; ``None`` if it takes a larger piece to tell.

        Raises:
            SyntaxError, ValueError, RecursionError, MemoryError: no larger piece parses either.
        """
        program = self.program(edits)
        try:
            return self.take(ast.parse(program))
        except IndentationError:
            return None
        except SyntaxError:
            if self.kind == "item" or (self.kind != "lines" and _CONTINUES.match(program)):
                return None
            raise


class Pieces:
    """The pieces of one program, each made once."""

    def __init__(self, program: Program, forms: Forms) -> None:
        self._program, self._forms, self._source = program, forms, program.source
        self._small: dict[tuple[int, int], list[Piece]] = {}
        self._runs: dict[tuple[int, int], list[Run]] = {}
        self._made: dict[object, Piece | None] = {}
        tree = program.tree
        self._whole = Piece(
            program.source, 0, len(program.source), "", "", "lines", Slot(tree, "body", 0), len(tree.body), _all
        )
        self.known_numbers = forms.count
        """Lower numbers are those of parts of the original."""

    def holding(self, edits: tuple[Edit, ...]) -> Iterator[Piece]:
        """The pieces in which edits lie, the smallest first."""
        place = edits[0].start, edits[-1].end
        runs = self._runs.get(place)
        if runs is None:
            runs = self._runs[place] = self._program.runs(*place)
        if runs and not any(mark in edit.text for edit in edits for mark in _LINE_BREAKERS):
            if place not in self._small:
                self._small[place] = list(self._smaller(runs[-1], *place))
            yield from self._small[place]
        for run in reversed(runs):
            run = self._with_what_it_continues(run, edits)
            piece = self._checked((id(run.block), run.first, run.last), partial(_lines, self._source, run))
            if piece is not None:
                yield piece
        yield self._whole

    def _with_what_it_continues(self, run: Run, edits: tuple[Edit, ...]) -> Run:
        """The run, with the statement before it where an edit makes its first line an else or the like."""
        block, first, last = run
        if not first or edits[0].start > self._program.span(block.statements[first])[0]:
            return run
        text = apply(self._source[run.low : run.high], [Edit(s - run.low, e - run.low, t) for s, e, t in edits])
        if not _CONTINUES.match(text):
            return run
        return Run(block, block.lows.index(block.lows[first - 1]), last)

    def _checked(self, key: object, make: Callable[[], Piece | None]) -> Piece | None:
        """A piece, if the original reads in it as it does in the file."""
        if key not in self._made:
            piece = make()
            self._made[key] = piece if piece is not None and self._reads_the_same(piece) else None
        return self._made[key]

    def _reads_the_same(self, piece: Piece) -> bool:
        parent, field, index = piece.slot
        there = getattr(parent, field)
        originals = [there] if index is None else there[index : index + piece.count]
        try:
            parts = piece.read(())
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
        number = self._forms.number
        return parts is not None and [number(p) for p in parts] == [number(o) for o in originals]

    def _smaller(self, run: Run, start: int, end: int) -> Iterator[Piece]:
        statements = run.block.statements[run.first : run.last]
        if any(hasattr(s, "body") or isinstance(s, ast.Match) for s in statements):
            if len(statements) == 1:
                yield from self._header(statements[0], start, end)
            return
        if run.block.lows[run.first] != run.block.lows[run.last - 1]:
            return
        low, high = self._program.span(statements[0])[0], self._program.span(statements[-1])[1]
        if not (low <= start and end <= high):
            return
        if high - low > _LONG and len(statements) == 1:
            item = self._program.item(statements[0], start, end)
            if item is not None:
                piece = self._checked(id(item), partial(_item, self._program, item))
                if piece is not None:
                    yield piece
        slot = Slot(run.block.holder, run.block.field, run.first)
        piece = self._checked(
            id(statements[0]),
            lambda: Piece(self._source, low, high, "", "", "simple", slot, len(statements), _some),
        )
        if piece is not None:
            yield piece

    def _header(self, statement: ast.AST, start: int, end: int) -> Iterator[Piece]:
        for part in self._program.parts(statement):
            if not getattr(part, "body", None):
                continue
            low, high = self._program.header(part)
            if low <= start and end <= high:
                piece = self._checked(id(part), partial(_header, self._program, part, low, high))
                if piece is not None:
                    yield piece
                return


def _all(tree: ast.Module) -> _Parts:
    return tree.body


def _some(tree: ast.Module) -> _Parts | None:
    return tree.body or None


def _lines(source: str, run: Run) -> Piece:
    block = run.block
    slot = Slot(block.holder, block.field, run.first)
    before = f"if 1:\n{block.indentation}pass\n" if block.indentation else ""

    def take(tree: ast.Module) -> _Parts | None:
        match tree.body:
            case [ast.If(body=[_, *parts], orelse=[])]:
                return parts
        return None

    return Piece(source, run.low, run.high, before, "", "lines", slot, run.last - run.first, take if before else _all)


def _header(program: Program, part: Any, low: int, high: int) -> Piece | None:
    slot = program.slot(part)
    if slot is None:
        return None
    before = ""
    if isinstance(part, ast.ExceptHandler):
        before = "try: pass\n"
    elif isinstance(part, ast.match_case):
        before = "match 0:\n "
    elif program.is_elif(part):
        before = "if 0: pass\n"

    def take(tree: ast.Module) -> _Parts | None:
        match part, tree.body:
            case ast.ExceptHandler(), [ast.Try(handlers=[new]) | ast.TryStar(handlers=[new])]:
                pass
            case ast.match_case(), [ast.Match(cases=[new])]:
                pass
            case ast.If(), [ast.If(orelse=[ast.If(orelse=[]) as new])] if before:
                pass
            case _, [new] if not before:
                pass
            case _:
                return None
        return _with_body_of(part, new)

    return Piece(program.source, low, high, before, " pass\n", "header", slot, 1, take, part)


def _with_body_of(part: Any, new: Any) -> _Parts | None:
    """A header with the suites of another; ``None`` if it has no room for them."""
    match getattr(new, "body", None):
        case [ast.Pass()]:
            fields = {name: getattr(part, name) for name in ("body", "orelse", "decorator_list") if hasattr(part, name)}
            if all(name in new._fields or not value for name, value in fields.items()):
                return [copied(new, {name: value for name, value in fields.items() if name in new._fields})]
    return None


def _item(program: Program, item: ast.expr) -> Piece | None:
    slot = program.slot(item)
    if slot is None:
        return None
    low, high = program.span(item)
    match slot:
        case ast.Call(), "args", _:
            before, after = "_(0, ", ")"
        case ast.keyword(), "value", _:
            before, after = "_(k=", ")"
        case ast.List() | ast.Set(), "elts", _:
            before, after = "[0, ", "]"
        case ast.Dict(), "keys", _:
            before, after = "{", ": 0}"
        case ast.Dict(), "values", _:
            before, after = "{0: ", "}"
        case _:
            return None

    def take(tree: ast.Module) -> _Parts | None:
        match tree.body:
            case [ast.Expr(value=ast.Call(args=[_, new], keywords=[]) | ast.List(elts=[_, new]))]:
                pass
            case [ast.Expr(value=ast.Call(args=[], keywords=[ast.keyword(value=new)]))]:
                pass
            case [ast.Expr(value=ast.Dict(keys=[ast.expr() as key], values=[value]))]:
                new = key if slot.field == "keys" else value
            case _:
                return None
        same_sort = isinstance(new, ast.Starred) == isinstance(item, ast.Starred)
        return [new] if same_sort and not isinstance(new, _NOT_ITEMS) else None

    return Piece(program.source, low, high, before, after, "item", slot, 1, take)
