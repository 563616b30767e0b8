"""What can be asked about a node: its text, its place, and what is around it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from typing import TypeVar

import libcst as cst

from mendlab.mutators.context.scopes import Scope, Scopes
from mendlab.mutators.context.tree import Tree

_N = TypeVar("_N", bound=cst.CSTNode)


class Nodes:
    """One parsed source and what can be asked about its nodes."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.source = tree.source
        self._by_type: dict[tuple[type[cst.CSTNode], ...], list[cst.CSTNode]] = {}

    @cached_property
    def scopes(self) -> Scopes:
        """The names that each place can use."""
        return Scopes(self.tree)

    def text(self, node: cst.CSTNode) -> str:
        """The node's text, without the parentheses around it."""
        start, end = self.tree.inner[node]
        return self.source[start:end]

    def whole(self, node: cst.CSTNode) -> str:
        """The node's text, with the parentheses around it."""
        start, end = self.tree.outer[node]
        return self.source[start:end]

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

    def scope(self, node: cst.CSTNode) -> Scope:
        """The scope that the node stands in."""
        return self.scopes.of[node]

    def within(self, low: int, high: int, *kinds: type[_N]) -> list[_N]:
        """Every node of the kinds that starts in a stretch of the source, in order of position."""
        found = self.of_type(*kinds)
        key = self.start
        return found[bisect_left(found, low, key=key) : bisect_left(found, high, key=key)]

    def reach(self, statement: cst.CSTNode) -> tuple[int, int]:
        """The stretch of a simple statement, or of a compound one up to its body."""
        body = getattr(statement, "body", None)
        end = self.tree.outer[body][0] if isinstance(body, cst.BaseSuite) else self.end(statement)
        return self.start(statement), end
