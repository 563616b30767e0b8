"""What a place could mean instead: the names, attributes, functions and expressions that stand around it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final

import libcst as cst

from mendlab.mutators.context.nodes import Nodes
from mendlab.mutators.context.scopes import CALLABLE, Binding, Scope
from mendlab.mutators.context.tree import Tree

NEAREST_NAMES: Final = 8
"""How many other names stand in for one: people confuse names that they used just before."""
_OTHER_KINDS: Final = 5
_BOUND_LATER: Final = 2
_OF_MODULE: Final = 3
_OF_OTHER_FUNCTIONS: Final = 2
_SHORT: Final = 40
_EXPRESSIONS: Final = (cst.Call, cst.Subscript, cst.Attribute, cst.BinaryOperation)


class Reading(Nodes):
    """Adds to the reading of nodes what could stand for them."""

    def __init__(self, tree: Tree) -> None:
        super().__init__(tree)
        self._attributes: dict[tuple[str | None, bool], dict[str, list[int]]] | None = None
        self._expressions: dict[tuple[int, int], list[cst.BaseExpression]] = {}
        self._names: dict[tuple[Scope, int], list[Binding]] = {}

    def names(self, node: cst.CSTNode) -> list[Binding]:
        """Local names and parameters that are bound where the node stands, the nearest mentioned first."""
        offset = self.start(node)
        hidden = [
            self.tree.outer[a.target] for a in self.ancestors(node)
            if isinstance(a, cst.CompFor) and self.start(a.iter) <= offset < self.end(a.iter)
        ]  # fmt: skip
        found = [b for b in self._bound(node) if not any(low <= b.first < high for low, high in hidden)]
        return sorted(found, key=lambda b: (_distance(b.mentions, offset, b.first), b.name))

    def _bound(self, node: cst.CSTNode) -> list[Binding]:
        """Local names and parameters that are bound before the node's statement, by name."""
        statement = self.statement(node)
        limit = self.start(node if statement is None else statement)
        scope: Scope | None = self.scope(node)
        assert scope is not None
        key = scope, limit
        if key not in self._names:
            found: dict[str, Binding] = {}
            own = scope
            while scope is not None and not isinstance(scope.node, cst.Module | cst.ClassDef):
                early = not isinstance(scope.node, cst.FunctionDef)
                for binding in scope.bindings.values():
                    usable = early or binding.role == "parameter" or binding.first < limit
                    if usable and binding.name != "_":
                        found.setdefault(binding.name, binding)
                scope = scope.parent
            if scope is not None and scope is own:
                for binding in scope.bindings.values():
                    if binding.first < limit and binding.role == "local":
                        found.setdefault(binding.name, binding)
            self._names[key] = list(found.values())
        return self._names[key]

    def similar_names(self, node: cst.Name) -> list[Binding]:
        """Up to :data:`NEAREST_NAMES` names that could stand for this one: of a kind that may be the same."""
        return self._by_kind(node)[0][:NEAREST_NAMES]

    def _by_kind(self, node: cst.Name) -> tuple[list[Binding], list[Binding]]:
        own = self.scope(node).resolve(node.value)
        kinds = own.kinds if own else set()
        others = [b for b in self.names(node) if b.name != node.value]
        fitting = [b for b in others if not (kinds and b.kinds) or kinds & b.kinds]
        return fitting, [b for b in others if b not in fitting]

    def other_names(self, node: cst.Name) -> list[str]:
        """Names that could be written for this one, the likely first.

        These are names of a kind that may be the same, of other kinds, bound later in the function, variables of the
        module, and parameters of other functions, which are not bound here at all.
        """
        fitting, others = self._by_kind(node)
        names = [b.name for b in (*fitting[: NEAREST_NAMES + 4], *others[:_OTHER_KINDS])]
        names += [b.name for b in self.later_names(node)[:_BOUND_LATER]]
        names += self.module_names(node)[:_OF_MODULE]
        if self.function(node) is not None:
            names += [n for n in self.parameters_elsewhere(node) if n not in names][:_OF_OTHER_FUNCTIONS]
        return [n for n in dict.fromkeys(names) if n != node.value]

    def later_names(self, node: cst.CSTNode) -> list[Binding]:
        """Variables that the function around the node binds after it, the nearest first."""
        bound = {b.name for b in self._bound(node)}
        scope: Scope | None = self.scope(node)
        while scope is not None and not isinstance(scope.node, cst.FunctionDef | cst.Module):
            scope = scope.parent
        if scope is None or not isinstance(scope.node, cst.FunctionDef):
            return []
        later = (b for b in scope.bindings.values() if b.role == "local" and b.name not in bound and b.name != "_")
        return sorted(later, key=lambda b: b.first)

    def module_names(self, node: cst.CSTNode) -> list[str]:
        """Variables and constants of the module, for a node inside a function, the nearest mentioned first."""
        if self.function(node) is None:
            return []
        return _nearest({b.name: b.mentions for b in self._module_variables}, self.start(node))

    @cached_property
    def _module_variables(self) -> list[Binding]:
        bindings = self.scopes.module.bindings.values()
        return [b for b in bindings if b.role == "local" and b.name != "_" and not b.name.startswith("__")]

    def parameters_elsewhere(self, node: cst.CSTNode) -> list[str]:
        """Parameters of the functions beside the one around the node, the nearest first."""
        function = self.function(node)
        here = self.start(node)
        own = {p.name.value for p in function.params.params} if function is not None else set()
        names = self._parameters
        at = bisect_left(names, (here, ""))
        near = sorted(names[max(0, at - 12) : at + 12], key=lambda place: abs(place[0] - here))
        return [n for n in dict.fromkeys(name for _, name in near) if n not in own]

    @cached_property
    def _parameters(self) -> list[tuple[int, str]]:
        params = (p for p in self.of_type(cst.Param) if p.name.value not in ("self", "cls", "_"))
        functions = (p for p in params if isinstance(self.parent(self.parent(p)), cst.FunctionDef))
        return [(self.start(p), p.name.value) for p in functions]

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

    def nearest_attributes(self, owner: str | None, node: cst.CSTNode, *, called: bool) -> list[str]:
        """The attributes or methods taken of things of this name, or of anything, the nearest first."""
        return _nearest(self.attributes(owner, called=called), self.start(node))

    def sibling_functions(self, name: str) -> list[str]:
        """Other functions of the module that take as many parameters, if this is one of them."""
        arity = self._arities.get(name)
        return [n for n, a in self._arities.items() if a == arity and n != name] if arity is not None else []

    @cached_property
    def _arities(self) -> dict[str, int]:
        functions = (s for s in self.tree.module.body if isinstance(s, cst.FunctionDef))
        return {f.name.value: len(f.params.params) for f in functions}

    def callables(self, node: cst.CSTNode) -> list[str]:
        """Names that are called elsewhere, and functions and classes of the module, the nearest first."""
        return _nearest(self._called, self.start(node))

    @cached_property
    def _called(self) -> dict[str, list[int]]:
        places: dict[str, list[int]] = {}
        for call in self.of_type(cst.Call):
            if isinstance(call.func, cst.Name):
                places.setdefault(call.func.value, []).append(self.start(call))
        for binding in self.scopes.module.bindings.values():
            if binding.role in ("function", "class"):
                places.setdefault(binding.name, []).append(binding.first)
        return {name: sorted(offsets) for name, offsets in places.items()}

    def methods(self, node: cst.CSTNode) -> dict[str, int]:
        """The methods of the class around the node, with how many parameters each has."""
        holder = self.nearest(node, cst.ClassDef)
        if holder is None:
            return {}
        functions = (s for s in holder.body.body if isinstance(s, cst.FunctionDef))
        return {f.name.value: len(f.params.params) for f in functions}

    def parameters_of(self, name: str) -> list[str]:
        """The parameters of the function or method of that name that the module defines."""
        return self._signatures.get(name, [])

    @cached_property
    def _signatures(self) -> dict[str, list[str]]:
        functions = self.of_type(cst.FunctionDef)
        return {f.name.value: [p.name.value for p in (*f.params.params, *f.params.kwonly_params)] for f in functions}

    def keywords_of(self, function: str) -> dict[str, str]:
        """The keywords with which a function is called in the module, with the value first passed."""
        return self._keywords.get(function, {})

    @cached_property
    def _keywords(self) -> dict[str, dict[str, str]]:
        found: dict[str, dict[str, str]] = {}
        for argument in self.of_type(cst.Arg):
            call = self.parent(argument)
            if argument.keyword is not None and isinstance(call, cst.Call):
                values = found.setdefault(self.text(call.func), {})
                values.setdefault(argument.keyword.value, self.whole(argument.value))
        return found

    def expressions_beside(self, node: cst.CSTNode) -> list[cst.BaseExpression]:
        """Calls, subscripts, attributes and operations in the same statement or header, in order of position."""
        statement = self.statement(node)
        return [] if statement is None else self._expressions_of(self.reach(statement))

    def expressions_near(self, node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
        """Short calls, subscripts, attributes and operations of the same function, the nearest first."""
        function = self.function(node)
        if function is not None:
            here = self.start(node)
            low, high = self.start(function.body), self.end(function.body)
            found = self._expressions_of((low, high))
            short = (e for e in found if self.end(e) - self.start(e) <= _SHORT)
            yield from sorted(short, key=lambda e: abs(self.start(e) - here))

    def _expressions_of(self, span: tuple[int, int]) -> list[cst.BaseExpression]:
        if span not in self._expressions:
            found = self.within(*span, *_EXPRESSIONS)
            self._expressions[span] = [n for n in found if not isinstance(n, cst.Attribute) or self._is_value(n)]
        return self._expressions[span]

    def _is_value(self, node: cst.Attribute) -> bool:
        parent = self.parent(node)
        return not (isinstance(parent, cst.Call) and parent.func is node) and not self.is_target(node)

    def is_called(self, node: cst.CSTNode) -> bool:
        """Whether the node is the function of a call."""
        parent = self.parent(node)
        return isinstance(parent, cst.Call) and parent.func is node

    def without_callables(self, bindings: Iterable[Binding]) -> list[str]:
        """The names of the bindings that are not called anywhere."""
        return [b.name for b in bindings if CALLABLE not in b.kinds]


def _nearest(places: dict[str, list[int]], offset: int) -> list[str]:
    return sorted(places, key=lambda name: (_distance(places[name], offset, 0), name))


def _distance(places: list[int], offset: int, otherwise: int) -> int:
    """How far the nearest of the places, which are in order, lies from an offset."""
    at = bisect_left(places, offset)
    return min((abs(offset - place) for place in places[max(0, at - 1) : at + 1]), default=abs(offset - otherwise))
