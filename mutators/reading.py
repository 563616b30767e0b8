"""What can be asked about a node: its text, what is around it, and the names that it could use."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from typing import Final, TypeVar

import libcst as cst

from mendlab.mutators.scopes import Binding, Scope, Scopes
from mendlab.mutators.tree import Tree

_N = TypeVar("_N", bound=cst.CSTNode)

NEAREST_NAMES: Final = 8
"""How many other names stand in for one: people confuse names that they used just before."""


class Reading:
    """One parsed source and what can be asked about its nodes."""

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
        """Up to :data:`NEAREST_NAMES` names that could stand for this one: of a kind that may be the same."""
        own = self.scope(node).resolve(node.value)
        kinds = own.kinds if own else set()
        others = [b for b in self.names(node) if b.name != node.value]
        fitting = [b for b in others if not (kinds and b.kinds) or kinds & b.kinds]
        return fitting[:NEAREST_NAMES]

    def attributes(self, owner: str | None, *, called: bool) -> dict[str, list[int]]:
        """The attributes taken of things of this name, or of anything, with where; methods if ``called``."""
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


def _distance(binding: Binding, offset: int) -> int:
    return min((abs(offset - m) for m in binding.mentions), default=abs(offset - binding.first))
