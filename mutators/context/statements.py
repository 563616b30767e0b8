"""Edits of whole statements: delete, move, exchange, unwrap and add them."""

from __future__ import annotations

from functools import cached_property

import libcst as cst

from mendlab.mutators.context import layout
from mendlab.mutators.context.blocks import Blocks
from mendlab.mutators.edits import Edit


class Statements(Blocks):
    """Adds edits of whole statements to the reading of blocks."""

    def delete(self, statement: cst.BaseStatement) -> Edit:
        """A statement goes with its lines; if it is the only one of its block, ``pass`` stands for it."""
        siblings = self.block(statement)
        if len(siblings) > 1 or isinstance(self.parent(statement), cst.Module):
            return Edit(*self.lines(statement), "")
        return Edit(self._first(statement), self.end(statement), "pass")

    def delete_run(self, first: cst.BaseStatement, last: cst.BaseStatement) -> Edit:
        """Neighbouring statements of a block go with their lines; ``pass`` stands for them if they are the block."""
        siblings = self.block(first)
        if siblings[0] is first and siblings[-1] is last and not isinstance(self.parent(first), cst.Module):
            return Edit(self._first(first), self.end(last), "pass")
        return Edit(self.lines(first)[0], self.lines(last)[1], "")

    def exchange(self, left: cst.BaseStatement, right: cst.BaseStatement) -> tuple[Edit, Edit]:
        """Two statements of one block change places."""
        first, second = (self._first(left), self.end(left)), (self._first(right), self.end(right))
        return Edit(*first, self.source[slice(*second)]), Edit(*second, self.source[slice(*first)])

    def relocate(
        self, first: cst.BaseStatement, last: cst.BaseStatement, offset: int, indentation: str
    ) -> tuple[Edit, Edit] | None:
        """Neighbouring statements of a block go to the line that starts at an offset, or to the end of the text.

        ``None`` if they are all that the block has, or can't be moved.
        """
        siblings = self.block(first)
        text = self.lines_at(first, last, indentation)
        if text is None or not siblings or (siblings[0] is first and siblings[-1] is last):
            return None
        return self.delete_run(first, last), self.insert_lines(offset, text)

    def insert_lines(self, offset: int, text: str) -> Edit:
        """Whole lines are added where a line starts, or at the end of the text."""
        if offset and not self.source[:offset].endswith(("\n", "\r")):
            return Edit(offset, offset, self.newline + text.removesuffix(self.newline))
        return Edit(offset, offset, text)

    def lines_at(self, first: cst.BaseStatement, last: cst.BaseStatement, indentation: str) -> str | None:
        """Neighbouring statements as whole lines at another indentation; ``None`` if they can't be moved."""
        return self.reindented(self.lines(first)[0], self.lines(last)[1], self.indentation(first), indentation)

    def reindented(self, start: int, end: int, old: str, new: str) -> str | None:
        """Whole lines of the source moved from one indentation to another; ``None`` if they can't be."""
        text = self.source[start:end]
        if not text.endswith(("\n", "\r")):
            text += self.newline
        return layout.reindent(text, old, new, self._frozen_lines(start, end))

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

    def body_lines(self, suite: cst.BaseSuite, indentation: str) -> str | None:
        """The statements of a block as whole lines at another indentation; ``None`` if they can't be moved."""
        if isinstance(suite, cst.SimpleStatementSuite):
            return f"{indentation}{self.text(suite)}{self.newline}"
        if not isinstance(suite, cst.IndentedBlock) or not suite.body:
            return None
        return self.lines_at(suite.body[0], suite.body[-1], indentation)

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
