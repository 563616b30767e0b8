"""The syntax tree of a source with places in it: which lines are which statements, where headers and items stand.

Mutants are read a piece at a time and put into this tree, so places are found by offset in the text.
"""

from __future__ import annotations

import ast
import warnings
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from mendlab.errors import InputError
from mendlab.mutators.mutant import SourceText

_BODIES: Final = ("body", "orelse", "finalbody")
_CLOSED: Final = (
    ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.JoinedStr,
)  # fmt: skip


class Slot(NamedTuple):
    """Where a node hangs: its parent, the field, and the position in the list if the field is one."""

    parent: ast.AST
    field: str
    position: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """The statements of one suite with the offsets of the whole lines that each stands on."""

    holder: ast.AST
    field: str
    statements: list[ast.stmt]
    lows: list[int]
    highs: list[int]
    indentation: str


class Run(NamedTuple):
    """Neighbouring statements of a block, which take up whole lines."""

    block: Block
    first: int
    last: int  # exclusive

    @property
    def low(self) -> int:
        """Offset at which the lines start."""
        return self.block.lows[self.first]

    @property
    def high(self) -> int:
        """Offset after the lines."""
        return self.block.highs[self.last - 1]


class Program:
    """One source's syntax tree, each node linked to its parent by :meth:`slot`."""

    def __init__(self, base: SourceText) -> None:
        self.source, self._starts = base.text, base.line_starts
        self._ascii = base.text.isascii()
        self._bom = base.text.startswith("\ufeff")
        self.tree = _parsed(base)
        self._blocks: dict[tuple[int, str], Block | None] = {}
        self._link()

    def slot(self, node: ast.AST) -> Slot | None:
        """Where a node hangs; ``None`` for the module."""
        slot: Slot | None = node.__dict__.get("_slot")
        return slot

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around a node, from the nearest to the module."""
        slot = self.slot(node)
        while slot is not None:
            yield slot.parent
            slot = self.slot(slot.parent)

    def span(self, node: Any) -> tuple[int, int]:
        """Offsets of a statement, handler or expression, as the tree has them: without decorators or parentheses."""
        return self._offset(node.lineno, node.col_offset), self._offset(node.end_lineno, node.end_col_offset)

    def runs(self, start: int, end: int) -> list[Run]:
        """The runs of statements whose lines hold ``source[start:end]``, from the outermost to the smallest."""
        found: list[Run] = []
        blocks = [self._block(self.tree, "body")]
        while blocks:
            block = blocks.pop()
            run = None if block is None else _run(block, start, end)
            if run is None:
                continue
            found.append(run)
            blocks = []
            if run.last - run.first == 1:
                blocks = list(self._inner_blocks(run.block.statements[run.first]))
        return found

    def _inner_blocks(self, statement: ast.AST) -> Iterator[Block | None]:
        for part in self.parts(statement):
            for field in _BODIES:
                if getattr(part, field, None) and not self._elif(part, field):
                    yield self._block(part, field)

    def parts(self, statement: ast.AST) -> Iterator[ast.AST]:
        """A compound statement, its elifs, its handlers and its cases: whatever has a header of its own."""
        part: ast.AST | None = statement
        while part is not None:
            yield part
            yield from getattr(part, "handlers", ())
            yield from getattr(part, "cases", ())
            part = part.orelse[0] if isinstance(part, ast.If) and self._elif(part, "orelse") else None

    def is_elif(self, node: ast.AST) -> bool:
        """Whether an if is the elif of another."""
        slot = self.slot(node)
        return slot is not None and slot.field == "orelse" and self._elif(slot.parent, "orelse")

    def header(self, part: Any) -> tuple[int, int]:
        """Offsets of a header, from its keyword to its colon.

        A colon in a comment inside parentheses may be taken for it: whoever uses the header reads it first.
        """
        if isinstance(part, ast.match_case):
            start = self.source.rindex("case", 0, self.span(part.pattern)[0])
        else:
            start = self.span(part)[0]
        body = self.span(part.body[0])[0]
        last = max([start, *(self.span(node)[1] for node in _in_header(part))])
        colon = self.source.find(":", last, body)
        return start, colon + 1 if colon >= 0 else body

    def item(self, statement: ast.AST, start: int, end: int) -> ast.expr | None:
        """The smallest item of a display or call in the statement that holds ``source[start:end]``."""
        best: ast.expr | None = None
        node: ast.AST | None = statement
        while node is not None and not isinstance(node, _CLOSED):
            child, is_item = self._child(node, start, end)
            if is_item and isinstance(child, ast.expr):
                best = child
            node = child
        return best

    def _child(self, node: ast.AST, start: int, end: int) -> tuple[ast.AST | None, bool]:
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, list):
                child = self._at(value, start, end)
                is_item = isinstance(node, ast.Call | ast.List | ast.Set | ast.Dict)
            else:
                child, is_item = value, isinstance(node, ast.keyword)
            if not hasattr(child, "lineno"):
                continue
            low, high = self.span(child)
            if low <= start and end <= high:
                return child, is_item
        return None, False

    def _at(self, nodes: list[Any], start: int, end: int) -> ast.AST | None:
        """The one of the nodes, which are in order of position, that may hold the stretch."""
        if not nodes or not all(hasattr(node, "lineno") for node in (nodes[0], nodes[-1])):
            return next((n for n in nodes if hasattr(n, "lineno") and self.span(n)[1] >= end), None)
        index = bisect_right(nodes, start, key=lambda n: -1 if n is None else self._offset(n.lineno, n.col_offset))
        found: ast.AST | None = nodes[index - 1] if index else None
        return found

    def _offset(self, line: int, column: int) -> int:
        start = self._starts[line - 1] + (self._bom and line == 1)
        if self._ascii:
            return start + column
        text = self.source[start : start + column]
        return start + (column if text.isascii() else len(text.encode("utf-8", "surrogatepass")[:column].decode()))

    def _elif(self, part: ast.AST, field: str) -> bool:
        other = getattr(part, field) if isinstance(part, ast.If) and field == "orelse" else None
        if not other or not isinstance(other[0], ast.If):
            return False
        return self.source.startswith("elif", self.span(other[0])[0])

    def _block(self, holder: ast.AST, field: str) -> Block | None:
        key = (id(holder), field)
        if key not in self._blocks:
            self._blocks[key] = self._made(holder, field, getattr(holder, field))
        return self._blocks[key]

    def _made(self, holder: ast.AST, field: str, statements: list[Any]) -> Block | None:
        if not statements:
            return None
        lines = [min([s.lineno, *(d.lineno for d in getattr(s, "decorator_list", ()))]) for s in statements]
        lows = [self._starts[line - 1] for line in lines]
        ends = [*self._starts, len(self.source)]
        before = self.source[lows[0] : self.span(statements[0])[0]]
        if lines[0] != statements[0].lineno:
            before = before[: before.index("@")]
        if before.strip(" \t\f\ufeff"):
            return None
        indentation = before.rpartition("\f")[2].removeprefix("\ufeff")
        return Block(holder, field, statements, lows, [ends[s.end_lineno] for s in statements], indentation)

    def _link(self) -> None:
        waiting: list[ast.AST] = [self.tree]
        while waiting:
            node = waiting.pop()
            for name, value in node.__dict__.items():
                if isinstance(value, list):
                    for index, child in enumerate(value):
                        if isinstance(child, ast.AST) and child._fields:
                            child.__dict__["_slot"] = Slot(node, name, index)
                            waiting.append(child)
                elif isinstance(value, ast.AST) and value._fields:
                    value.__dict__["_slot"] = Slot(node, name, None)
                    waiting.append(value)


def _parsed(base: SourceText) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(base.text.removeprefix("\ufeff"))
            compile(tree, "<source>", "exec", dont_inherit=True)
            return tree
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        raise InputError(
            f"does not compile: {getattr(error, 'msg', None) or error}",
            where=f"{base.path}:{line}" if line else base.path,
            hint="mutate only files that the interpreter accepts",
        ) from None


def _run(block: Block, start: int, end: int) -> Run | None:
    """The smallest run of a block's statements whose lines hold the stretch."""
    lows, highs = block.lows, block.highs
    first = bisect_right(lows, start) - 1
    last = bisect_left(highs, end)
    if first < 0 or last == len(highs):
        return None
    first = bisect_left(lows, lows[first])
    last = bisect_right(highs, highs[max(first, last)])
    return Run(block, first, last)


def _in_header(part: Any) -> Iterator[ast.AST]:
    """The expressions of a header."""
    for name, value in part.__dict__.items():
        if name in ("body", "orelse", "finalbody", "handlers", "cases", "decorator_list", "_slot"):
            continue
        for node in value if isinstance(value, list) else [value]:
            if isinstance(node, ast.AST) and hasattr(node, "lineno"):
                yield node
            elif isinstance(node, ast.arguments | ast.withitem):
                yield from (n for n in ast.walk(node) if hasattr(n, "lineno"))
