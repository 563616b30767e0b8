"""The function that a defect is in: its size, its branches, and how far a wrong value would spread in it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from mendlab.corpora.functions import FunctionNode, named_functions

_BRANCHES: Final = (
    ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.Assert, ast.comprehension,
    ast.match_case,
)  # fmt: skip
_NESTING: Final = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.Match)

Body = FunctionNode | ast.Module


def around(tree: ast.Module, line: int) -> tuple[str | None, Body]:
    """Return the innermost function that holds a line, with its qualified name; the module where none does."""
    found: tuple[str | None, Body] = (None, tree)
    for name, node in named_functions(tree):
        if node.lineno <= line <= (node.end_lineno or node.lineno):
            found = (name, node)
    return found


def functions(tree: ast.Module | None) -> Iterator[tuple[str, FunctionNode]]:
    """Yield the functions of a module with their names, if there is one."""
    if tree is not None:
        yield from named_functions(tree)


def lines(body: Body) -> int:
    """Return how many lines it has."""
    if isinstance(body, ast.Module):
        return max((statement.end_lineno or 0 for statement in body.body), default=0)
    return (body.end_lineno or body.lineno) - body.lineno + 1


def complexity(body: Body) -> int:
    """Return its cyclomatic complexity (McCabe 1976), with the operands of ``and`` and ``or`` as branches."""
    extra = sum(len(node.values) - 1 for node in ast.walk(body) if isinstance(node, ast.BoolOp))
    return 1 + extra + sum(isinstance(node, _BRANCHES) for node in ast.walk(body))


def nesting(body: Body, line: int) -> int:
    """Return how many loops, conditions and the like a line stands in."""
    return sum(
        isinstance(node, _NESTING) and node.lineno <= line <= (node.end_lineno or node.lineno)
        for node in ast.walk(body)
        if isinstance(node, ast.stmt)
    )


def infected(body: Body, first: int, last: int) -> float:
    """Return the share of statements that a wrong value on some lines may reach (0 to 1).

    By names alone, whatever the order of execution: a statement that reads an infected name infects the names that it
    binds, and a condition what stands under it.
    """
    statements = [node for node in ast.walk(body) if isinstance(node, ast.stmt) and node is not body]
    if not statements:
        return 0.0
    reached = {node for node in statements if node.lineno < max(last, first + 1) and first <= (node.end_lineno or 0)}
    reached = {node for node in reached if not _holds_another(node, reached)} or reached
    names: set[str] = set()
    grown = True
    while grown:
        names |= {name for node in reached for name in _bound(node)}
        under = {inner for node in reached for inner in _under(node)}
        new = {node for node in statements if node in under or not names.isdisjoint(_read(node))} - reached
        reached |= new
        grown = bool(new)
    return len(reached) / len(statements)


def _holds_another(node: ast.stmt, some: set[ast.stmt]) -> bool:
    return any(inner in some for inner in ast.walk(node) if isinstance(inner, ast.stmt) and inner is not node)


def _under(node: ast.stmt) -> Iterator[ast.stmt]:
    yield from (inner for inner in ast.walk(node) if isinstance(inner, ast.stmt) and inner is not node)


def _own(node: ast.stmt) -> Iterator[ast.AST]:
    """What belongs to a statement itself, and not to those under it."""
    waiting: list[ast.AST] = [node]
    while waiting:
        one = waiting.pop()
        yield one
        waiting += [child for child in ast.iter_child_nodes(one) if not isinstance(child, ast.stmt)]


def _bound(node: ast.stmt) -> Iterator[str]:
    for inner in _own(node):
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
            yield inner.id
        elif isinstance(inner, ast.Attribute | ast.Subscript) and isinstance(inner.ctx, ast.Store):
            yield from _roots(inner)
        elif isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute):
            yield from _roots(inner.func)


def _read(node: ast.stmt) -> set[str]:
    read = {inner.id for inner in _own(node) if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load)}
    return read | set(_bound(node)) if isinstance(node, ast.AugAssign) else read


def _roots(node: ast.Attribute | ast.Subscript) -> Iterator[str]:
    value: ast.expr = node
    while isinstance(value, ast.Attribute | ast.Subscript):
        value = value.value
    if isinstance(value, ast.Name):
        yield value.id
