"""Questions that several rules ask of syntax trees."""

from __future__ import annotations

import ast
from typing import Final

from mendlab.mutators.equivalents.facts import Facts

_SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_BINDING: Final = (
    ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Await, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal,
    ast.ExceptHandler, ast.pattern, *_SCOPES,
)  # fmt: skip
_JUMPS: Final = (ast.Return, ast.Raise, ast.Break, ast.Continue)


def is_inert(node: ast.AST) -> bool:
    """Whether code says nothing by merely standing there: it binds no name and makes no generator of its function.

    Even code that never runs makes a name local by assigning it. What stands in a lambda counts as if it stood here.
    """
    for part in ast.walk(node):
        if isinstance(part, _BINDING) or (isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)):
            return False
        if isinstance(part, ast.comprehension) and part.is_async:
            return False
        if isinstance(part, ast.Name) and part.id in ("super", "__class__"):
            return False
    return True


def leaves(statement: ast.stmt) -> bool:
    """Whether control never gets past a statement: a jump, or an if whose both branches end in one."""
    if isinstance(statement, ast.If):
        return bool(statement.orelse) and leaves(statement.body[-1]) and leaves(statement.orelse[-1])
    return isinstance(statement, _JUMPS)


def is_length(node: ast.AST, facts: Facts) -> bool:
    """Whether an expression is ``len`` of something: a built-in integer, 0 or more, whatever ``__len__`` returns."""
    match node:
        case ast.Call(func=func, args=[argument], keywords=[]):
            return not isinstance(argument, ast.Starred) and facts.builtin(func) == "len"
    return False


def is_number(node: ast.AST | None, value: int) -> bool:
    """Whether a node is a literal of the integer, and no flag."""
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value == value
