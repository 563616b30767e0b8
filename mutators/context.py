"""What an operator is given beside the node: the text, the tree around the node, and ways to make edits."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final, TypeVar

import libcst as cst

from mendlab.mutators import layout
from mendlab.mutators.edits import Edit
from mendlab.mutators.scopes import Binding, Scope, Scopes
from mendlab.mutators.tree import Tree

_N = TypeVar("_N", bound=cst.CSTNode)

Statement = cst.BaseStatement | cst.BaseSuite
Block = cst.IndentedBlock | cst.Module

_ATOMS: Final = (
    cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.Integer, cst.Float, cst.Imaginary, cst.SimpleString,
    cst.FormattedString, cst.List, cst.Dict, cst.Set, cst.ListComp, cst.DictComp, cst.SetComp, cst.Ellipsis,
)  # fmt: skip
_ROOMY: Final = (
    cst.Arg, cst.Index, cst.Slice, cst.Element, cst.Expr, cst.Return, cst.Assign, cst.AugAssign, cst.AnnAssign,
    cst.If, cst.While, cst.For, cst.DictElement, cst.Assert, cst.Param, cst.Raise, cst.Lambda,
)  # fmt: skip
_NEEDS_PARENTHESES_ANYWHERE: Final = (cst.GeneratorExp, cst.Tuple, cst.NamedExpr, cst.Yield)
NEAREST_NAMES: Final = 8
"""How many other names stand in for one: people confuse names that they used just before."""


class Context:
    """One parsed source, as operators see it. ``inner`` is a node without its own parentheses, ``outer`` with them."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.source = tree.source
        self._attributes: dict[tuple[str | None, bool], dict[str, list[int]]] | None = None
        self._arities: dict[str, int] | None = None
        self._expressions: dict[cst.CSTNode, list[cst.BaseExpression]] = {}
        self._by_type: dict[tuple[type[cst.CSTNode], ...], list[cst.CSTNode]] = {}

    @cached_property
    def scopes(self) -> Scopes:
        """The names that each place can use."""
        return Scopes(self.tree)

    # ------------------------------------------------------------------------------------------------- reading

    def text(self, node: cst.CSTNode) -> str:
        """The node's text, without the parentheses around it."""
        start, end = self.tree.inner[node]
        return self.source[start:end]

    def whole(self, node: cst.CSTNode) -> str:
        """The node's text, with the parentheses around it."""
        start, end = self.tree.outer[node]
        return self.source[start:end]

    def operand(self, node: cst.BaseExpression) -> str:
        """The node's text in a form that may stand as an operand of anything."""
        text = self.whole(node)
        if isinstance(node, cst.Integer | cst.Float | cst.Imaginary):
            return text
        return text if node.lpar or isinstance(node, _ATOMS) else f"({text})"

    def of_type(self, *kinds: type[_N]) -> list[_N]:
        """Every node of the kinds, in order of position."""
        if kinds not in self._by_type:
            self._by_type[kinds] = [n for n in self.tree.nodes if isinstance(n, kinds)]
        return self._by_type[kinds]  # type: ignore[return-value]  # keyed by the kinds asked for

    def is_target(self, node: cst.CSTNode) -> bool:
        """Whether an expression is assigned to, deleted or matched, not read."""
        for ancestor in self.ancestors(node):
            match ancestor:
                case cst.Element() | cst.StarredElement() | cst.Tuple() | cst.List():
                    node = ancestor
                case cst.AssignTarget() | cst.Del() | cst.AsName():
                    return True
                case cst.For() | cst.CompFor() | cst.AugAssign() | cst.AnnAssign() | cst.NamedExpr():
                    return ancestor.target is node
                case _:
                    return False
        return False

    def is_load(self, node: cst.Name) -> bool:
        """Whether a name is a variable that is read here: no attribute, keyword, target, definition or constant."""
        parent = self.parent(node)
        match parent:
            case cst.Attribute(attr=attr) if attr is node:
                return False
            case cst.Arg(keyword=keyword) if keyword is node:
                return False
            case cst.Param(default=default) if default is not node:
                return False
            case (
                cst.FunctionDef() | cst.ClassDef() | cst.AsName() | cst.NameItem() | cst.ImportAlias()
                | cst.MatchKeywordElement() | cst.MatchAs() | cst.MatchStar() | cst.MatchClass() | cst.MatchMapping()
                | cst.TypeVar() | cst.Annotation() | cst.Decorator()
            ):  # fmt: skip
                return False
        return node.value not in ("True", "False", "None") and not self.is_target(node)

    def item_text(self, item: cst.CSTNode) -> str:
        """The text of a list item without its comma."""
        return self.source[self.tree.outer[item][0] : self.end_of_item(item)]

    def start(self, node: cst.CSTNode) -> int:
        """Offset of the first character of the node without its parentheses."""
        return self.tree.inner[node][0]

    def end(self, node: cst.CSTNode) -> int:
        """Offset after the last character of the node without its parentheses."""
        return self.tree.inner[node][1]

    def parent(self, node: cst.CSTNode) -> cst.CSTNode:
        """The node around this one."""
        return self.tree.parents[node]

    def ancestors(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The nodes around this one, from the nearest to the module."""
        parents = self.tree.parents
        while node in parents:
            node = parents[node]
            yield node

    def nearest(self, node: cst.CSTNode, *kinds: type[_N]) -> _N | None:
        """The nearest node around this one of one of the kinds."""
        return next((a for a in self.ancestors(node) if isinstance(a, kinds)), None)

    def statement(self, node: cst.CSTNode) -> cst.BaseStatement | None:
        """The nearest statement around this node."""
        return next((a for a in self.ancestors(node) if isinstance(a, cst.BaseStatement)), None)

    def function(self, node: cst.CSTNode) -> cst.FunctionDef | None:
        """The function whose body holds the node; ``None`` at module and class level."""
        for ancestor in self.ancestors(node):
            if isinstance(ancestor, cst.FunctionDef):
                return ancestor
            if isinstance(ancestor, cst.ClassDef):
                return None
        return None

    def loop(self, node: cst.CSTNode) -> cst.For | cst.While | None:
        """The loop that a ``break`` beside the node would leave."""
        child = node
        for ancestor in self.ancestors(node):
            if isinstance(ancestor, cst.For | cst.While) and child is ancestor.body:
                return ancestor
            if isinstance(ancestor, cst.FunctionDef | cst.ClassDef | cst.Lambda):
                return None
            child = ancestor
        return None

    # -------------------------------------------------------------------------------------------------- names

    def scope(self, node: cst.CSTNode) -> Scope:
        """The scope that the node stands in."""
        return self.scopes.of[node]

    def names(self, node: cst.CSTNode) -> list[Binding]:
        """Local names and parameters that are bound where the node stands, the nearest mentioned first."""
        offset = self.start(node)
        statement = self.statement(node)
        limit = offset if statement is None else self.start(statement)
        hidden = [
            self.tree.outer[a.target] for a in self.ancestors(node)
            if isinstance(a, cst.CompFor) and self.start(a.iter) <= offset < self.end(a.iter)
        ]  # fmt: skip
        found: dict[str, Binding] = {}
        scope: Scope | None = self.scope(node)
        while scope is not None and not isinstance(scope.node, cst.Module | cst.ClassDef):
            early = not isinstance(scope.node, cst.FunctionDef)
            for binding in scope.bindings.values():
                usable = early or binding.role == "parameter" or binding.first < limit
                if usable and binding.name != "_" and not any(a <= binding.first < b for a, b in hidden):
                    found.setdefault(binding.name, binding)
            scope = scope.parent
        if scope is not None and scope is self.scope(node):
            for binding in scope.bindings.values():
                if binding.first < limit and binding.role == "local":
                    found.setdefault(binding.name, binding)
        return sorted(found.values(), key=lambda b: (_distance(b, offset), b.name))

    def similar_names(self, node: cst.Name) -> list[Binding]:
        """Up to :data:`NEAREST_NAMES` names that could stand for this one by mistake: of a kind that may be the same."""
        own = self.scope(node).resolve(node.value)
        kinds = own.kinds if own else set()
        others = [b for b in self.names(node) if b.name != node.value]
        fitting = [b for b in others if not (kinds and b.kinds) or kinds & b.kinds]
        return fitting[:NEAREST_NAMES]

    def attributes(self, owner: str | None, *, called: bool) -> dict[str, list[int]]:
        """The attributes taken of things of this name (its last part), or of anything, with where; methods if ``called``."""
        if self._attributes is None:
            self._attributes = {}
            for node in self.of_type(cst.Attribute):
                parent = self.parent(node)
                is_call = isinstance(parent, cst.Call) and parent.func is node
                for key in (self.text(node.value).split(".")[-1], None):
                    places = self._attributes.setdefault((key, is_call), {})
                    places.setdefault(node.attr.value, []).append(self.start(node))
        return self._attributes.get((owner, called), {})

    def sibling_functions(self, name: str) -> list[str]:
        """Other functions of the module that take as many parameters, if this is one of them."""
        if self._arities is None:
            functions = (s for s in self.tree.module.body if isinstance(s, cst.FunctionDef))
            self._arities = {f.name.value: len(f.params.params) for f in functions}
        arity = self._arities.get(name)
        return [n for n, a in self._arities.items() if a == arity and n != name] if arity is not None else []

    def expressions_beside(self, node: cst.CSTNode) -> list[cst.BaseExpression]:
        """Calls, subscripts, attributes and operations in the same statement or header, in order of position."""
        statement = self.statement(node)
        if statement is None:
            return []
        if statement not in self._expressions:
            body = getattr(statement, "body", None)
            low = self.start(statement)
            high = self.tree.outer[body][0] if isinstance(body, cst.BaseSuite) else self.end(statement)
            kinds = (cst.Call, cst.Subscript, cst.Attribute, cst.BinaryOperation)
            found = self.of_type(*kinds)
            first = bisect_left(found, low, key=self.start)
            last = bisect_left(found, high, key=self.start)
            self._expressions[statement] = [
                n for n in found[first:last] if not isinstance(n, cst.Attribute) or self._is_value(n)
            ]
        return self._expressions[statement]

    def _is_value(self, node: cst.Attribute) -> bool:
        parent = self.parent(node)
        return not (isinstance(parent, cst.Call) and parent.func is node) and not self.is_target(node)

    # ------------------------------------------------------------------------------------------------- edits

    def replace(self, node: cst.CSTNode, text: str) -> Edit:
        """The node becomes the text; the parentheses around it stay."""
        start, end = self.tree.inner[node]
        return Edit(start, end, text)

    def fit(self, node: cst.BaseExpression, other: cst.BaseExpression) -> Edit:
        """The node with its parentheses becomes a copy of another expression, parenthesised if its place needs it."""
        start, end = self.tree.outer[node]
        bare = other.lpar or isinstance(other, _ATOMS)
        roomy = isinstance(self.parent(node), _ROOMY) and not isinstance(other, _NEEDS_PARENTHESES_ANYWHERE)
        text = self.whole(other)
        return Edit(start, end, text if bare or roomy else f"({text})")

    def wrap(self, node: cst.BaseExpression, before: str, after: str) -> Edit:
        """The node with its parentheses gets text before and after it."""
        start, end = self.tree.outer[node]
        return Edit(start, end, before + self.source[start:end] + after)

    def swap(self, left: cst.BaseExpression, right: cst.BaseExpression) -> tuple[Edit, Edit]:
        """Two expressions change places."""
        return self.fit(left, right), self.fit(right, left)

    def drop_item(self, items: Sequence[cst.CSTNode], index: int) -> Edit:
        """An item of a comma-separated list goes, with one of the commas beside it."""
        if index + 1 < len(items):
            return Edit(self.start(items[index]), self.start(items[index + 1]), "")
        start = self._end_of_item(items[index - 1]) if index else self.start(items[index])
        return Edit(start, self._end_of_item(items[index]), "")

    def _end_of_item(self, item: cst.CSTNode) -> int:
        """The end of a list item without its comma."""
        comma = getattr(item, "comma", None)
        return self.tree.outer[comma][0] if isinstance(comma, cst.Comma) else self.tree.outer[item][1]

    def end_of_item(self, item: cst.CSTNode) -> int:
        """Offset after a list item, before the white space and the comma that follow it."""
        end = self._end_of_item(item)
        return self.tree.outer[item][0] + len(self.source[self.tree.outer[item][0] : end].rstrip())

    # --------------------------------------------------------------------------------------------- statements

    def block(self, statement: cst.CSTNode) -> Sequence[cst.BaseStatement]:
        """The statements among which a statement stands; empty if it stands alone on its header's line."""
        parent = self.tree.parents.get(statement)
        return parent.body if isinstance(parent, Block) else ()

    def lines(self, statement: cst.CSTNode) -> tuple[int, int]:
        """The whole lines of a statement, decorators and all, without the comments and blank lines before it."""
        first = self.start(statement)
        if isinstance(statement, cst.FunctionDef | cst.ClassDef) and statement.decorators:
            first = self.start(statement.decorators[0])
        return layout.line_start(self.source, first), layout.line_end(self.source, self.end(statement))

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
        start, _ = self.lines(statement)
        return Edit(start + len(self.indentation(statement)), self.end(statement), "pass")

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


def _distance(binding: Binding, offset: int) -> int:
    return min((abs(offset - m) for m in binding.mentions), default=abs(offset - binding.first))
