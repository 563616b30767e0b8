"""The same values, written another way; only where their types are known."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from mendlab.mutators.disguising.rewriting.rules import Instead, Scope, on_expression, on_statements


@on_statements("augmented assignment expanded")
def expanded(block: Sequence[ast.stmt], scope: Scope) -> Instead | None:
    """Write ``x += y`` as ``x = x + y``, where ``x`` is a number or a text all along."""
    match block[0]:
        case ast.AugAssign(target=ast.Name(id=name), op=op, value=value) if scope.is_local(name):
            if _begins_immutable(name, scope) and not isinstance(value, ast.NamedExpr):
                return 1, [ast.Assign([ast.Name(name, ast.Store())], ast.BinOp(ast.Name(name, ast.Load()), op, value))]
    return None


@on_expression("f-string for concatenation")
def f_string(node: ast.expr, scope: Scope) -> ast.expr | None:
    """Write the sum of two texts as one f-string."""
    match node:
        case ast.BinOp(left=left, op=ast.Add(), right=right) if _is_text(left, scope) and _is_text(right, scope):
            return ast.JoinedStr([part for side in (left, right) for part in _parts(side)])
    return None


@on_expression("negative comparison")
def negative(node: ast.expr, scope: Scope) -> ast.expr | None:
    """Write ``len(x) == n`` as ``not len(x) != n``."""
    match node:
        case ast.Compare(left=ast.Call(func=ast.Name(id="len")), ops=[ast.Eq() | ast.NotEq() as op]) as compared:
            if scope.is_builtin("len"):
                other = ast.NotEq() if isinstance(op, ast.Eq) else ast.Eq()
                return ast.UnaryOp(ast.Not(), ast.Compare(compared.left, [other], compared.comparators))
    return None


@on_expression("constant spelled out")
def spelled(node: ast.expr, scope: Scope) -> ast.expr | None:
    """Call the type for an empty list or dictionary."""
    match node:
        case ast.List(elts=[]) if scope.is_builtin("list"):
            return ast.Call(ast.Name("list", ast.Load()), [], [])
        case ast.Dict(keys=[]) if scope.is_builtin("dict"):
            return ast.Call(ast.Name("dict", ast.Load()), [], [])
    return None


def _begins_immutable(name: str, scope: Scope) -> bool:
    """Whether all that a name is given, but for augmented assignments, are constants: these make no mutable value."""
    stores = [node for node in ast.walk(scope.function) if isinstance(node, ast.Name) and node.id == name]
    given = augmented = 0
    for node in ast.walk(scope.function):
        match node:
            case ast.Assign(targets=[ast.Name(id=same)], value=ast.Constant(value=int() | float() | str())):
                given += same == name
            case ast.AugAssign(target=ast.Name(id=same)):
                augmented += same == name
    return sum(isinstance(node.ctx, ast.Store) for node in stores) == given + augmented and given > 0


def _is_text(node: ast.expr, scope: Scope) -> bool:
    match node:
        case ast.Constant(value=str()) | ast.JoinedStr():
            return True
        case ast.Call(func=ast.Name(id="str"), args=[_], keywords=[]):
            return scope.is_builtin("str")
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="join"), keywords=[]):
            return True
    return False


def _parts(node: ast.expr) -> list[ast.expr]:
    match node:
        case ast.Constant():
            return [node]
        case ast.JoinedStr(values=values):
            return values
    return [ast.FormattedValue(node, -1, None)]
