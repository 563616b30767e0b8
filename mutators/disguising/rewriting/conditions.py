"""The same decisions, asked another way."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from mendlab.mutators.disguising.rewriting.rules import Instead, Scope, on_expression, on_statements

_LEAVES = (ast.Return, ast.Raise, ast.Break, ast.Continue)


@on_statements("early return instead of else")
def early_return(block: Sequence[ast.stmt], scope: Scope) -> Instead | None:
    """Let what is in an ``else`` follow, where the branch before it leaves."""
    match block[0]:
        case ast.If(test=test, body=[*_, last] as body, orelse=[_, *_] as orelse) if isinstance(last, _LEAVES):
            return 1, [ast.If(test, body, []), *orelse]
    return None


@on_statements("else instead of early return")
def late_return(block: Sequence[ast.stmt], scope: Scope) -> Instead | None:
    """Put what follows a branch that leaves into its ``else``."""
    match list(block):
        case [ast.If(test=test, body=[*_, last] as body, orelse=[]), *rest] if rest and isinstance(last, _LEAVES):
            return len(block), [ast.If(test, body, rest)]
    return None


@on_statements("if not")
def inverted(block: Sequence[ast.stmt], scope: Scope) -> Instead | None:
    """Ask the opposite, and change the places of the branches."""
    match block[0]:
        case ast.If(test=test, body=body, orelse=[_, *_] as orelse):
            return 1, [ast.If(_negated(test), orelse, body)]
    return None


@on_statements("nested conditions joined")
def joined(block: Sequence[ast.stmt], scope: Scope) -> Instead | None:
    """Make ``if a: if b:`` one question."""
    match block[0]:
        case ast.If(test=outer, body=[ast.If(test=inner, body=body, orelse=[])], orelse=[]):
            return 1, [ast.If(ast.BoolOp(ast.And(), [outer, inner]), body, [])]
    return None


@on_statements("condition split")
def nested(block: Sequence[ast.stmt], scope: Scope) -> Instead | None:
    """Ask the parts of an ``and`` one after the other."""
    match block[0]:
        case ast.If(test=ast.BoolOp(op=ast.And(), values=[first, *rest]), body=body, orelse=[]):
            inner = rest[0] if len(rest) == 1 else ast.BoolOp(ast.And(), rest)
            return 1, [ast.If(first, [ast.If(inner, body, [])], [])]
    return None


@on_statements("conditional expression as statement")
def as_statement(block: Sequence[ast.stmt], scope: Scope) -> Instead | None:
    """Write ``return a if c else b`` as an ``if``."""
    match block[0]:
        case ast.Return(value=ast.IfExp(test=test, body=body, orelse=orelse)):
            return 1, [ast.If(test, [ast.Return(body)], [ast.Return(orelse)])]
        case ast.Assign(targets=[ast.Name()] as targets, value=ast.IfExp(test=test, body=body, orelse=orelse)):
            return 1, [ast.If(test, [ast.Assign(targets, body)], [ast.Assign(targets, orelse)])]
    return None


@on_statements("conditional expression for statement")
def as_expression(block: Sequence[ast.stmt], scope: Scope) -> Instead | None:
    """Write two returns as one."""
    match list(block):
        case [
            ast.If(test=test, body=[ast.Return(value=ast.expr() as one)], orelse=[]),
            ast.Return(value=ast.expr() as other),
            *_,
        ]:
            return 2, [ast.Return(ast.IfExp(test, one, other))]
        case [
            ast.If(
                test=test,
                body=[ast.Return(value=ast.expr() as one)],
                orelse=[ast.Return(value=ast.expr() as other)],
            ),
            *_,
        ]:
            return 1, [ast.Return(ast.IfExp(test, one, other))]
    return None


@on_expression("conditional expression inverted")
def swapped(node: ast.expr, scope: Scope) -> ast.expr | None:
    """Ask the opposite in an expression."""
    match node:
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return ast.IfExp(_negated(test), orelse, body)
    return None


@on_statements("De Morgan")
def de_morgan(block: Sequence[ast.stmt], scope: Scope) -> Instead | None:
    """Write a condition of several parts as the opposite of their opposites."""
    match block[0]:
        case ast.If(test=ast.BoolOp(op=op, values=values), body=body, orelse=orelse):
            other = ast.Or() if isinstance(op, ast.And) else ast.And()
            test = ast.UnaryOp(ast.Not(), ast.BoolOp(other, [_negated(value) for value in values]))
            return 1, [ast.If(test, body, orelse)]
    return None


@on_expression("De Morgan in an expression")
def de_morgan_spread(node: ast.expr, scope: Scope) -> ast.expr | None:
    """Spread a ``not`` over the parts."""
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=ast.BoolOp(op=op, values=values)):
            other = ast.Or() if isinstance(op, ast.And) else ast.And()
            return ast.BoolOp(other, [_negated(value) for value in values])
    return None


@on_expression("comparisons unchained")
def unchained(node: ast.expr, scope: Scope) -> ast.expr | None:
    """Write ``a < b < c`` as two, where ``b`` is a name or a constant."""
    match node:
        case ast.Compare(left=left, ops=[one, two], comparators=[ast.Name() | ast.Constant() as middle, right]):
            if isinstance(middle, ast.Name) and middle.id in scope.shared:
                return None
            return ast.BoolOp(ast.And(), [ast.Compare(left, [one], [middle]), ast.Compare(middle, [two], [right])])
    return None


_MIRRORED = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE, ast.Eq: ast.Eq, ast.NotEq: ast.NotEq}


@on_expression("comparison mirrored")
def mirrored(node: ast.expr, scope: Scope) -> ast.expr | None:
    """Write ``a < b`` as ``b > a``, where both are local names or constants."""
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _MIRRORED:
            if _is_at_hand(left, scope) and _is_at_hand(right, scope):
                return ast.Compare(right, [_MIRRORED[type(op)]()], [left])
    return None


@on_expression("not in")
def not_in(node: ast.expr, scope: Scope) -> ast.expr | None:
    """Write ``a not in b`` as ``not a in b``, and the other way."""
    match node:
        case ast.Compare(left=left, ops=[ast.NotIn()], comparators=[right]):
            return ast.UnaryOp(ast.Not(), ast.Compare(left, [ast.In()], [right]))
        case ast.UnaryOp(op=ast.Not(), operand=ast.Compare(left=left, ops=[ast.In()], comparators=[right])):
            return ast.Compare(left, [ast.NotIn()], [right])
    return None


def _negated(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), test)


def _is_at_hand(node: ast.expr, scope: Scope) -> bool:
    return isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and node.id in scope.parameters)
