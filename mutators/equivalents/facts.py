"""What rules may rely on: names that a file never binds, and where a suite stands."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Final

BUILTINS: Final = frozenset((
    "abs", "bool", "dict", "enumerate", "float", "int", "len", "list", "max", "min", "ord", "pow", "print", "range",
    "round", "set", "sorted", "str", "sum", "tuple", "zip",
))  # fmt: skip
"""The built-in names that rules know."""
_LOOKS_AT_NAMES: Final = frozenset(("dir", "eval", "exec", "locals", "vars"))

_TYPE_PARAMETERS: Final = tuple(
    getattr(ast, name) for name in ("TypeVar", "ParamSpec", "TypeVarTuple") if hasattr(ast, name)
)
"""Nodes that Python 3.12 brought."""
_NAMING: Final = frozenset((
    *_TYPE_PARAMETERS,
    ast.Name, ast.AugAssign, ast.Global, ast.Nonlocal, ast.arg, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef,
    ast.alias, ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.MatchMapping,
))  # fmt: skip


def bound_name(node: ast.AST) -> str | None:
    """The name that a node binds, or declares to be bound elsewhere."""
    if isinstance(node, _TYPE_PARAMETERS):
        return str(node.name)
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
            return name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.alias(name=name, asname=asname):
            return asname or name.partition(".")[0]
        case ast.ExceptHandler(name=captured) | ast.MatchAs(name=captured) | ast.MatchStar(name=captured):
            return captured
        case ast.MatchMapping(rest=rest):
            return rest
    return None


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of the file, and whether the suite at hand is one of a function.

    Attributes:
        rebound: names of :data:`BUILTINS` that the file binds somewhere, all of them after a ``from m import *``.
        shared: names that some function declares global or nonlocal.
        unread: names that the file binds and nowhere reads or deletes; none if something looks names up by itself.
        looked_at: whether something looks names up by itself, as ``locals`` does.
        local: whether names bound at this place are local to a function.
    """

    rebound: frozenset[str]
    shared: frozenset[str]
    unread: frozenset[str]
    looked_at: bool
    local: bool = False

    @classmethod
    def of(cls, tree: ast.AST) -> Facts:
        """The facts of a file."""
        bound: set[str | None] = set()
        shared: set[str] = set()
        read: set[str] = set()
        for node in ast.walk(tree):
            bound.add(bound_name(node))
            match node:
                case ast.Name(id=name, ctx=ast.Load() | ast.Del()) | ast.AugAssign(target=ast.Name(id=name)):
                    read.add(name)
                case ast.Global(names=declared) | ast.Nonlocal(names=declared):
                    shared.update(declared)
        names = frozenset(name for name in bound if name)
        looked_at = bool(read & _LOOKS_AT_NAMES)
        return cls(
            rebound=BUILTINS if "*" in names else BUILTINS & names,
            shared=frozenset(shared),
            unread=frozenset() if looked_at else names - read,
            looked_at=looked_at,
        )

    def disturbed_by(self, nodes: list[ast.AST]) -> bool:
        """Whether the facts may no longer hold of a file to which nodes are added."""
        return any(type(node) in _NAMING and self._disturbs(node) for node in nodes)

    def _disturbs(self, node: ast.AST) -> bool:
        match node:
            case ast.Name(id=name, ctx=ast.Load()) | ast.AugAssign(target=ast.Name(id=name)):
                return name in self.unread or name in _LOOKS_AT_NAMES
            case ast.Global() | ast.Nonlocal() | ast.Name(ctx=ast.Del()):
                return True
        bound = bound_name(node)
        return bound is not None and (bound in BUILTINS or bound == "*")

    def builtin(self, node: ast.AST) -> str | None:
        """The name of the built-in that an expression is for certain."""
        if isinstance(node, ast.Name) and node.id in BUILTINS and node.id not in self.rebound:
            return node.id
        return None
