"""Numbers for syntax trees: equal trees have equal numbers, and so have trees of equal normal forms.

Trees that share nodes share the work: a node remembers its number and its normal form. So a mutant's tree, which shares
all but the path to its change with the original's, costs little more than its change.
"""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import replace
from typing import Any, Final

from mendlab.mutators.equivalents import Facts, rules_by_kind
from mendlab.mutators.validity.trees import copied

_NO_MATTER: Final = frozenset(("ctx", "kind", "type_comment", "type_ignores"))
_DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_DOCUMENTED: Final = frozenset((*_DEFINITIONS, ast.Module))
_SUITES: Final = frozenset(("body", "orelse", "finalbody"))
_INEXACT: Final = (float, complex)
"""Numbers of which unequal ones compare equal: 0.0 and -0.0."""
_Key = tuple[object, ...]


def _fields() -> dict[type[ast.AST], tuple[str, ...]]:
    """For each type of node the fields that make a difference."""
    found: dict[type[ast.AST], tuple[str, ...]] = {}
    waiting: list[type[ast.AST]] = [ast.AST]
    while waiting:
        kind = waiting.pop()
        found[kind] = tuple(name for name in kind._fields if name not in _NO_MATTER)
        waiting += kind.__subclasses__()
    return found


_FIELDS: Final = _fields()
_BARE: Final = frozenset(kind for kind in _FIELDS if not kind._fields)
"""Types of node that say all, such as operators; their instances are shared."""


class Forms:
    """Numbers the trees of one file."""

    def __init__(self, facts: Facts) -> None:
        self._numbers: dict[_Key, int] = {}
        self.facts = facts
        self._local = replace(facts, local=True)
        self._rules, self._suite_rules = rules_by_kind()
        self.fresh: list[ast.AST] = []
        self.fired: Counter[str] = Counter()

    @property
    def count(self) -> int:
        """How many numbers are given, from 0."""
        return len(self._numbers)

    def number(self, node: ast.AST) -> int:
        """The number of a tree as it is; docstrings do not count. Nodes not seen before are added to :attr:`fresh`."""
        here = node.__dict__
        known: int | None = here.get("_number")
        if known is not None:
            return known
        kind = node.__class__
        key: list[object] = [kind]
        if kind is ast.Constant:
            value = here["value"]
            key += (value.__class__, repr(value) if value.__class__ in _INEXACT else value)
        else:
            for name in _FIELDS[kind]:
                value = here.get(name)
                if value.__class__ is list:
                    if name == "body" and kind in _DOCUMENTED and is_documented(value):
                        value = value[1:]
                    key.append(tuple([self._part(child) for child in value]))
                else:
                    key.append(self._part(value))
        number = here["_number"] = self._numbers.setdefault(tuple(key), len(self._numbers))
        self.fresh.append(node)
        return number

    def _part(self, value: Any) -> object:
        kind = value.__class__
        if kind not in _FIELDS:
            return value
        if kind in _BARE:
            return kind
        known = value.__dict__.get("_number")
        return self.number(value) if known is None else known

    def normal_number(self, node: ast.AST) -> int:
        """The number of a tree's normal form. The rules used on nodes not seen before are counted in :attr:`fired`."""
        return self.number(self._normal(node, self.facts))

    def _normal(self, node: Any, facts: Facts) -> Any:
        here = node.__dict__
        known = here.get("_normal")
        if known is not None:
            return node if known is True else known
        kind = node.__class__
        inner = facts
        if kind in _DEFINITIONS:
            inner = self.facts if kind is ast.ClassDef else self._local
        changes: dict[str, object] = {}
        for name in _FIELDS[kind]:
            value = here.get(name)
            new = self._normal_field(name, value, inner, kind)
            if new is not value:
                changes[name] = new
        result = copied(node, changes) if changes else node
        for _ in range(50):
            better = self._rewritten(result, facts)
            if better is None:
                break
            result = better
        if result is node:
            here["_normal"] = True
        else:
            here["_normal"] = result
            if result._fields:
                result.__dict__["_normal"] = True
        return result

    def _normal_field(self, name: str, value: Any, facts: Facts, kind: type[ast.AST]) -> Any:
        if value.__class__ is list:
            items: list[Any] | None = None
            for index, child in enumerate(value):
                better = self._normal_part(child, facts)
                if better is not child:
                    items = value.copy() if items is None else items
                    items[index] = better
            new = value if items is None else items
            return self._suite(new, facts, kind, name) if name in _SUITES and new else new
        return self._normal_part(value, facts)

    def _normal_part(self, value: Any, facts: Facts) -> Any:
        kind = value.__class__
        if kind not in _FIELDS or kind in _BARE:
            return value
        known = value.__dict__.get("_normal")
        if known is None:
            return self._normal(value, facts)
        return value if known is True else known

    def _suite(self, new: list[ast.stmt], facts: Facts, kind: type[ast.AST], name: str) -> list[ast.stmt]:
        if name == "body" and kind in _DOCUMENTED and is_documented(new):
            new = new[1:]
        changed = True
        while changed and new:
            changed = False
            kinds = {statement.__class__ for statement in new}
            for rule in self._suite_rules:
                if kinds.isdisjoint(rule.kinds):
                    continue
                better = rule.apply(new, facts)
                if better is not None:
                    self.fired[rule.name] += 1
                    new, changed = [self._normal_part(s, facts) for s in better], True
                    break
        if not new and name == "body" and kind is not ast.Module:
            return [ast.Pass()]
        return new

    def _rewritten(self, node: ast.AST, facts: Facts) -> ast.AST | None:
        for rule in self._rules.get(node.__class__, ()):
            better: ast.AST | None = rule.apply(node, facts)
            if better is not None:
                self.fired[rule.name] += 1
                return self._normal(better, facts) if better._fields else better
        return None


def is_documented(body: list[ast.stmt]) -> bool:
    """Whether a body begins with a docstring."""
    match body:
        case [ast.Expr(value=ast.Constant(value=str())), *_]:
            return True
    return False
