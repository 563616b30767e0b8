"""What stands beside, in and around statements: siblings, branches, suites, lines and indentation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import libcst as cst

from mendlab.mutators.context import layout
from mendlab.mutators.context.inactive import is_logging
from mendlab.mutators.context.reading import Reading

_BARE_UNDER_NOT: Final = (cst.Name, cst.Call, cst.Attribute, cst.Subscript, cst.Comparison)


class Blocks(Reading):
    """Adds to the reading of nodes that of statements and blocks."""

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

    def preceding(self, statement: cst.CSTNode) -> cst.BaseStatement | None:
        """The statement that comes before in the same block."""
        siblings = self.block(statement)
        for index, sibling in enumerate(siblings[1:]):
            if sibling is statement:
                return siblings[index]
        return None

    def branches(self, node: cst.If) -> Iterator[cst.If | cst.Else]:
        """An if, its elifs and its else, in order."""
        branch: cst.If | cst.Else | None = node
        while branch is not None:
            yield branch
            branch = branch.orelse if isinstance(branch, cst.If) else None

    def ends_by_leaving(self, suite: cst.BaseSuite) -> bool:
        """Whether what comes after a suite is never reached through it, as far as its last statement tells."""
        last = suite.body[-1] if suite.body else None
        if isinstance(last, cst.If):
            parts = list(self.branches(last))
            return isinstance(parts[-1], cst.Else) and all(self.ends_by_leaving(part.body) for part in parts)
        if isinstance(last, cst.SimpleStatementLine):
            return self.leaves(last)
        return isinstance(last, cst.Return | cst.Raise | cst.Break | cst.Continue)

    def chain_leaves(self, node: cst.If) -> bool:
        """Whether every branch of an if leaves the block, so that what follows runs only if none was taken."""
        return all(self.ends_by_leaving(part.body) for part in self.branches(node) if isinstance(part, cst.If))

    def whole_statement(self, suite: cst.CSTNode) -> cst.BaseStatement:
        """The compound statement, one of a block, that a suite is part of."""
        owner = self.parent(suite)
        while not (isinstance(owner, cst.BaseStatement) and self.block(owner)):
            owner = self.parent(owner)
        return owner

    def only(self, suite: cst.BaseSuite) -> cst.CSTNode | None:
        """The single statement of a suite (the small one, if it is simple); ``None`` if there are more."""
        if len(suite.body) != 1:
            return None
        statement: cst.CSTNode = suite.body[0]
        if isinstance(statement, cst.SimpleStatementLine):
            return statement.body[0] if len(statement.body) == 1 else None
        return statement

    def heading(self, node: cst.If | cst.For | cst.While | cst.With) -> tuple[int, int]:
        """From the first word of a compound statement to its colon, the colon included."""
        return self.start(node), self.tree.outer[node.body][0]

    def contrary(self, test: cst.BaseExpression) -> str:
        """The text of a condition that holds when this one does not: with ``not``, or without the one it has."""
        if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
            return self.text(test.expression)
        bare = isinstance(test, _BARE_UNDER_NOT) or test.lpar
        return f"not {self.whole(test)}" if bare else f"not ({self.whole(test)})"

    def first_statement(self, block: cst.IndentedBlock) -> cst.BaseStatement | None:
        """The first statement of a body after its docstring."""
        for statement in block.body:
            match statement:
                case cst.SimpleStatementLine(body=[cst.Expr(value=cst.SimpleString() | cst.ConcatenatedString())]):
                    continue
            return statement
        return None

    def is_fixed(self, statement: cst.BaseStatement) -> bool:
        """Whether a statement is a definition or writes to a log, and so is not changed along with its neighbours."""
        match statement:
            case cst.FunctionDef() | cst.ClassDef():
                return True
            case cst.SimpleStatementLine(body=[cst.Expr(value=cst.Call() as call)]):
                return is_logging(call)
        return False

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

    def _first(self, statement: cst.CSTNode) -> int:
        """Offset at which a statement starts, decorators and all."""
        if isinstance(statement, cst.FunctionDef | cst.ClassDef) and statement.decorators:
            return self.start(statement.decorators[0])
        return self.start(statement)

    @property
    def newline(self) -> str:
        """How the file's lines end."""
        return self.tree.module.default_newline
