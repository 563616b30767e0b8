"""One sign that the audit finds in a module."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Literal, NamedTuple

from mendlab.verify.code import walk

Severity = Literal["tampering", "suspicious"]


class Sign(NamedTuple):
    """A sign in a module: its name, how bad it is, where it stands, and its code in short."""

    name: str
    severity: Severity
    line: int
    code: str


class Code:
    """A module as rules look at it: its names folded, and walked once for all of them."""

    def __init__(self, tree: ast.Module) -> None:
        self._nodes = _by_kind(tree)
        if ast.JoinedStr in self._nodes or any(map(_may_fold, self.each(ast.BinOp, ast.Call))):
            tree = fold_names(tree)
            self._nodes = _by_kind(tree)
        self.tree = tree

    def each(self, *kinds: type[ast.AST]) -> Iterator[ast.AST]:
        """Yield the nodes of some kinds, kind by kind."""
        for kind in kinds:
            yield from self._nodes.get(kind, ())

    @cached_property
    def modules(self) -> dict[str, str]:
        """Local name to top-level module, for what ``import`` binds."""
        found = {"__builtins__": "builtins"}
        for node in self.each(ast.Import):
            assert isinstance(node, ast.Import)
            for alias in node.names:
                top = alias.name.partition(".")[0]
                found[alias.asname or top] = top
        return found


Rule = Callable[[Code], Iterator[Sign]]


def make_sign(name: str, severity: Severity, node: ast.stmt | ast.expr | ast.excepthandler) -> Sign:
    """A sign with the first line of its code."""
    code = ast.unparse(node).split("\n")[0]
    return Sign(name, severity, node.lineno, code if len(code) <= 80 else code[:77] + "...")


def _by_kind(tree: ast.Module) -> dict[type, list[ast.AST]]:
    found: dict[type, list[ast.AST]] = {}
    for node in walk(tree):
        found.setdefault(type(node), []).append(node)
    return found


def _may_fold(node: ast.AST) -> bool:
    match node:
        case ast.BinOp(right=ast.Constant(value=str()) | ast.JoinedStr()) | ast.Call(func=ast.Name(id="getattr")):
            return True
    return False


def fold_names(module: ast.Module) -> ast.Module:
    """Join strings that a module puts together from parts, and write ``getattr(x, "name")`` as ``x.name``.

    So that a name is found however it is spelled out. A name that is computed otherwise is not.
    """
    folded = _Folding().visit(module)
    return folded if isinstance(folded, ast.Module) else module


class _Folding(ast.NodeTransformer):
    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.BinOp(left=ast.Constant(value=str(left)), op=ast.Add(), right=ast.Constant(value=str(right))):
                return ast.copy_location(ast.Constant(left + right), node)
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        self.generic_visit(node)
        parts = [_text_of(part) for part in node.values]
        known = [part for part in parts if part is not None]
        return ast.copy_location(ast.Constant("".join(known)), node) if len(known) == len(parts) else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Name(id="getattr"), args=[owner, ast.Constant(value=str(name)), *_]):
                if name.isidentifier():
                    return ast.copy_location(ast.Attribute(owner, name, ast.Load()), node)
        return node


def _text_of(part: ast.expr) -> str | None:
    match part:
        case ast.Constant(value=str(text)) | ast.FormattedValue(value=ast.Constant(value=str(text)), format_spec=None):
            return text
    return None
