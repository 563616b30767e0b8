"""Statements and blocks: what stands beside and in them, and edits that delete, move, unwrap and add them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import libcst as cst

from mendlab.mutators import layout
from mendlab.mutators.edits import Edit
from mendlab.mutators.reading import Reading


class Statements(Reading):
    """Adds to the reading of nodes that of statements, and edits of whole statements."""

    def block(self, statement: cst.CSTNode) -> Sequence[cst.BaseStatement]:
        """The statements among which a statement stands; empty if it stands alone on its header's line."""
        parent = self.tree.parents.get(statement)
        return parent.body if isinstance(parent, cst.IndentedBlock | cst.Module) else ()

    def lines(self, statement: cst.CSTNode) -> tuple[int, int]:
        """The whole lines of a statement, decorators and all, without the comments and blank lines before it."""
        return layout.line_start(self.source, self._first(statement)), layout.line_end(self.source, self.end(statement))

    def lines_from(self, part: cst.CSTNode) -> int:
        """Offset of the line on which a part of a compound statement (else, except, ...) starts."""
        return layout.line_start(self.source, self.start(part))

    def is_elif(self, node: cst.CSTNode) -> bool:
        """Whether an if is the elif of another."""
        return isinstance(node, cst.If) and self.source.startswith("elif", self.start(node))

    def following(self, statement: cst.CSTNode) -> cst.BaseStatement | None:
        """The statement that comes next in the same block."""
        siblings = self.block(statement)
        for index, sibling in enumerate(siblings[:-1]):
            if sibling is statement:
                return siblings[index + 1]
        return None

    def first_statement(self, block: cst.IndentedBlock) -> cst.BaseStatement | None:
        """The first statement of a body after its docstring."""
        for statement in block.body:
            match statement:
                case cst.SimpleStatementLine(body=[cst.Expr(value=cst.SimpleString() | cst.ConcatenatedString())]):
                    continue
            return statement
        return None

    def leaves(self, statement: cst.BaseStatement) -> bool:
        """Whether a simple statement leaves its block for good."""
        jumps = (cst.Return, cst.Raise, cst.Break, cst.Continue)
        return isinstance(statement, cst.SimpleStatementLine) and isinstance(statement.body[-1], jumps)

    def has_jumps(self, loop: cst.For | cst.While) -> bool:
        """Whether a break or continue belongs to the loop."""
        low, high = self.tree.inner[loop]
        jumps = self.of_type(cst.Break, cst.Continue)
        return any(low < self.start(jump) < high and self.loop(jump) is loop for jump in jumps)

    def last_branch(self, node: cst.CSTNode) -> cst.CSTNode:
        """The last elif or else of a statement; itself if it has none."""
        orelse = getattr(node, "orelse", None)
        return node if orelse is None else self.last_branch(orelse)

    def last_suite(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """The block that ends a compound statement."""
        return getattr(self.last_branch(node), "body", None)

    def suite_indentation(self, suite: cst.BaseSuite) -> str:
        """The indentation of a block's statements; empty if they stand on the header's line."""
        return self.indentation(suite.body[0]) if isinstance(suite, cst.IndentedBlock) and suite.body else ""

    def indentation(self, statement: cst.CSTNode) -> str:
        """The white space before a statement on its line."""
        return layout.indentation(self.source, self.start(statement))

    def delete(self, statement: cst.BaseStatement) -> Edit:
        """A statement goes with its lines; if it is the only one of its block, ``pass`` stands for it."""
        siblings = self.block(statement)
        if len(siblings) > 1 or isinstance(self.parent(statement), cst.Module):
            return Edit(*self.lines(statement), "")
        return Edit(self._first(statement), self.end(statement), "pass")

    def _first(self, statement: cst.CSTNode) -> int:
        """Offset at which a statement starts, decorators and all."""
        if isinstance(statement, cst.FunctionDef | cst.ClassDef) and statement.decorators:
            return self.start(statement.decorators[0])
        return self.start(statement)

    def insert_after(self, statement: cst.BaseStatement, text: str) -> Edit:
        """A simple statement is added on a line of its own after another statement of a block."""
        end = self.lines(statement)[1]
        indentation = self.indentation(statement)
        if not self.source[:end].endswith(("\n", "\r")):
            return Edit(end, end, f"{self.newline}{indentation}{text}")
        return Edit(end, end, f"{indentation}{text}{self.newline}")

    def unwrap(self, statement: cst.BaseStatement, suite: cst.BaseSuite) -> Edit | None:
        """A compound statement becomes one of its blocks; ``None`` if that can't be moved."""
        body = self.body_lines(suite, self.indentation(statement))
        if body is None:
            return None
        start, end = self.lines(statement)
        if not self.source[:end].endswith(("\n", "\r")):
            body = body.removesuffix(self.newline)
        return Edit(start, end, body)

    def move(self, statement: cst.BaseStatement, indentation: str) -> Iterator[Edit]:
        """A statement keeps its place but gets another indentation."""
        start, end = self.lines(statement)
        text = layout.reindent(
            self.source[start:end], self.indentation(statement), indentation, self._frozen_lines(start, end)
        )
        if text is not None:
            yield Edit(start, end, text)

    def body_lines(self, suite: cst.BaseSuite, indentation: str) -> str | None:
        """The statements of a block as whole lines at another indentation; ``None`` if they can't be moved."""
        if isinstance(suite, cst.SimpleStatementSuite):
            return f"{indentation}{self.text(suite)}{self.newline}"
        if not isinstance(suite, cst.IndentedBlock) or not suite.body:
            return None
        start, end = self.lines(suite.body[0])[0], self.lines(suite.body[-1])[1]
        text = self.source[start:end]
        if not text.endswith(("\n", "\r")):
            text += self.newline
        return layout.reindent(text, self.indentation(suite.body[0]), indentation, self._frozen_lines(start, end))

    @property
    def newline(self) -> str:
        """How the file's lines end."""
        return self.tree.module.default_newline

    def _frozen_lines(self, start: int, end: int) -> set[int]:
        """Which lines of the stretch, from 0, begin inside a string and so must keep their white space."""
        frozen: set[int] = set()
        for first, last in self._long_strings:
            if start <= first and last <= end:
                line = self.source.count("\n", start, first)
                frozen.update(range(line + 1, line + 1 + self.source.count("\n", first, last)))
        return frozen

    @cached_property
    def _long_strings(self) -> list[tuple[int, int]]:
        strings = (n for n in self.tree.nodes if isinstance(n, cst.SimpleString | cst.FormattedString))
        return [self.tree.inner[n] for n in strings if "\n" in self.text(n)]
