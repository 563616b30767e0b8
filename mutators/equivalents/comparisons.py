"""Membership, identity and the comparison of lengths."""

from __future__ import annotations

import ast
from typing import Final

from mendlab.mutators.equivalents import Facts, rule
from mendlab.mutators.equivalents.shapes import is_length

_OPPOSITES: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_MIRRORED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE, ast.Eq: ast.Eq, ast.NotEq: ast.NotEq,
}  # fmt: skip


@rule(
    examples=[("return not a in b", "return a not in b"), ("return not (a is not b)", "return a is b")],
    near=[("return not a == b", "return a != b"), ("return not a in b in c", "return a not in b in c")],
)
def negated_membership(node: ast.UnaryOp, facts: Facts) -> ast.expr | None:
    """``not a in b`` is ``a not in b``, ``not a is b`` is ``a is not b``: ``not in`` has no method of its own.

    Membership and identity give a built-in truth value, whatever ``__contains__`` returns.
    """
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=ast.Compare(left=left, ops=[op], comparators=right)):
            opposite = _OPPOSITES.get(type(op))
            return ast.Compare(left, [opposite()], right) if opposite else None
    return None


@rule(
    examples=[
        ("return len(a) > 0", "return len(a) >= 1"),
        ("return len(a) != 0", "return 0 < len(a)"),
        ("return len(a) == 0", "return len(a) < 1"),
        ("return len(a) <= 3", "return len(a) < 4"),
        ("return not len(a) > 2", "return len(a) <= 2"),
    ],
    near=[
        ("return len(a) > 1", "return len(a) >= 1"),
        ("return len(a) != 1", "return len(a) > 1"),
        ("return len(a) >= 0", "return True"),
        ("return a > 0", "return a >= 1"),
        ("len = a\nreturn len(b) > 0", "len = a\nreturn len(b) >= 1"),
    ],
)
def length_against_a_number(node: ast.Compare | ast.UnaryOp, facts: Facts) -> ast.expr | None:
    """``len`` gives a built-in integer, 0 or more, so ``> 0``, ``>= 1`` and ``!= 0`` of it are the same."""
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=ast.Compare(left=left, ops=[ast.GtE() | ast.Lt() as op]) as inner):
            if is_length(left, facts) and _integer(inner.comparators[0]) is not None:
                return ast.Compare(left, [ast.Lt() if isinstance(op, ast.GtE) else ast.GtE()], inner.comparators)
        case ast.Compare(left=ast.Constant() as left, ops=[op], comparators=[right]) if is_length(right, facts):
            mirrored = _MIRRORED.get(type(op))
            return ast.Compare(right, [mirrored()], [left]) if mirrored and _integer(left) is not None else None
        case ast.Compare(left=left, ops=[op], comparators=[right]) if is_length(left, facts):
            return _as_bound(left, op, _integer(right))
    return None


def _as_bound(length: ast.expr, op: ast.cmpop, number: int | None) -> ast.expr | None:
    if number is None:
        return None
    match op, number:
        case (ast.Gt(), _):
            return ast.Compare(length, [ast.GtE()], [ast.Constant(number + 1)])
        case (ast.LtE(), _):
            return ast.Compare(length, [ast.Lt()], [ast.Constant(number + 1)])
        case (ast.NotEq(), 0):
            return ast.Compare(length, [ast.GtE()], [ast.Constant(1)])
        case (ast.Eq(), 0):
            return ast.Compare(length, [ast.Lt()], [ast.Constant(1)])
    return None


def _integer(node: ast.expr) -> int | None:
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


@rule(
    examples=[("return a in [b, 1]", "return a in (b, 1)"), ("for c in [a, b]: print(c)", "for c in (a, b): print(c)")],
    near=[("return a in {b, 1}", "return a in (b, 1)"), ("return a + [b]", "return a + (b,)")],
)
def list_only_looked_through(node: ast.Compare | ast.For | ast.comprehension, facts: Facts) -> ast.AST | None:
    """A list display to the right of ``in`` is seen by nobody else, and is looked through as a tuple is.

    CPython's compiler itself makes a tuple of it.
    """
    match node:
        case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()], comparators=[ast.List(elts=elts)]):
            return ast.Compare(left, node.ops, [ast.Tuple(elts)])
        case ast.For(iter=ast.List(elts=elts)):
            return ast.For(node.target, ast.Tuple(elts), node.body, node.orelse)
        case ast.comprehension(iter=ast.List(elts=elts)):
            return ast.comprehension(node.target, ast.Tuple(elts), node.ifs, node.is_async)
    return None
