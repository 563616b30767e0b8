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
from mendlab.mutators.trees import copied

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
        if isinstance(value, ast.AST):
            if not value._fields:
                return value.__class__
            known = value.__dict__.get("_number")
            return self.number(value) if known is None else known
        return value

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
            same = True
            items = []
            for child in value:
                new = self._normal(child, facts) if isinstance(child, ast.AST) and child._fields else child
                same = same and new is child
                items.append(new)
            if name in _SUITES and items and isinstance(items[0], ast.stmt):
                return self._suite(value, value if same else items, facts, kind, name)
            return value if same else items
        return self._normal(value, facts) if isinstance(value, ast.AST) and value._fields else value

    def _suite(self, old: Any, new: list[ast.stmt], facts: Facts, kind: type[ast.AST], name: str) -> list[ast.stmt]:
        if name == "body" and kind in _DOCUMENTED and is_documented(new):
            new = new[1:]
        changed = True
        while changed and new:
            changed = False
            for rule in self._suite_rules:
                better = rule.apply(new, facts)
                if better is not None:
                    self.fired[rule.name] += 1
                    new, changed = [self._normal(s, facts) for s in better], True
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
