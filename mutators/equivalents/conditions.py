"""Conditions: of them only the truth counts, which is asked for once."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeVar

from mendlab.mutators.equivalents import Facts, rule
from mendlab.mutators.equivalents.shapes import is_length
from mendlab.mutators.validity.trees import copied

_Conditional = ast.If | ast.While | ast.IfExp | ast.Assert | ast.comprehension
_N = TypeVar("_N", ast.If, ast.While, ast.IfExp, ast.Assert, ast.comprehension)


def _in_condition(node: ast.AST, rewrite: Callable[[ast.expr], ast.expr | None]) -> ast.AST | None:
    """The node with its conditions rewritten, wherever in them only the truth counts; ``None`` if none is."""
    if isinstance(node, ast.comprehension):
        found = [_truth(condition, rewrite) for condition in node.ifs]
        if not any(found):
            return None
        ifs = [new or old for new, old in zip(found, node.ifs, strict=True)]
        better: ast.AST = copied(node, {"ifs": ifs})
        return better
    assert isinstance(node, ast.If | ast.While | ast.IfExp | ast.Assert)
    test = _truth(node.test, rewrite)
    return None if test is None else copied(node, {"test": test})


def _truth(node: ast.expr, rewrite: Callable[[ast.expr], ast.expr | None]) -> ast.expr | None:
    better = rewrite(node)
    if better is not None:
        return better
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = _truth(operand, rewrite)
            return None if inner is None else ast.UnaryOp(ast.Not(), inner)
        case ast.BoolOp(op=op, values=values):
            found = [_truth(value, rewrite) for value in values]
            if any(found):
                return ast.BoolOp(op, [new or old for new, old in zip(found, values, strict=True)])
    return None


@rule(
    examples=[
        ("while 1: return a", "while True: return a"),
        ("return a if not not b else c", "return a if b else c"),
        ("if a and True: return b", "if a: return b"),
        ("if not (a or False): return b", "if not a: return b"),
    ],
    near=[
        ("return not not a", "return a"),
        ("return a and True", "return a"),
        ("if a and False: return b", "if False: return b"),
        ("while 0: return a", "while True: return a"),
    ],
)
def truth_of_a_condition(
    node: ast.If | ast.While | ast.IfExp | ast.Assert | ast.comprehension, facts: Facts
) -> ast.AST | None:
    """In a condition ``not not a``, ``a and True`` and ``a or False`` are ``a``, and a literal is its truth.

    CPython turns ``not``, ``and`` and ``or`` of a condition into jumps: the truth of ``a`` is asked for once.
    """

    def rewrite(part: ast.expr) -> ast.expr | None:
        match part:
            case ast.Constant(value=value) if type(value) is not bool:
                return ast.Constant(bool(value))
            case ast.UnaryOp(op=ast.Not(), operand=ast.UnaryOp(op=ast.Not(), operand=inner)):
                return inner
            case ast.BoolOp(op=op, values=[*rest, ast.Constant(value=value)]):
                if bool(value) is isinstance(op, ast.And):
                    return rest[0] if len(rest) == 1 else ast.BoolOp(op, rest)
        return None

    return _in_condition(node, rewrite)


@rule(
    examples=[
        ("if not (a and b): return c", "if not a or not b: return c"),
        ("return a if not (b or c) else 0", "return a if not b and not c else 0"),
    ],
    near=[
        ("if not (a and b): return c", "if not a and not b: return c"),
        ("return not (a and b)", "return not a or not b"),
    ],
)
def negated_connective(
    node: ast.If | ast.While | ast.IfExp | ast.Assert | ast.comprehension, facts: Facts
) -> ast.AST | None:
    """De Morgan's laws, in conditions: both forms are the same jumps, so each truth is asked for once, in order."""

    def rewrite(part: ast.expr) -> ast.expr | None:
        match part:
            case ast.BoolOp(op=op, values=values):
                bare = [v.operand for v in values if isinstance(v, ast.UnaryOp) and isinstance(v.op, ast.Not)]
                if len(bare) == len(values):
                    other = ast.Or() if isinstance(op, ast.And) else ast.And()
                    return ast.UnaryOp(ast.Not(), ast.BoolOp(other, bare))
        return None

    return _in_condition(node, rewrite)


@rule(
    examples=[
        ("if len(a): return b", "if len(a) > 0: return b"),
        ("return b if not len(a) else c", "return b if len(a) == 0 else c"),
    ],
    near=[
        ("if len(a): return b", "if a: return b"),
        ("return len(a)", "return len(a) > 0"),
        ("if len(a): return b", "if len(a) > 1: return b"),
    ],
)
def length_as_a_condition(
    node: ast.If | ast.While | ast.IfExp | ast.Assert | ast.comprehension, facts: Facts
) -> ast.AST | None:
    """A length is a built-in integer, 0 or more: it is true if it is 1 or more."""

    def rewrite(part: ast.expr) -> ast.expr | None:
        return ast.Compare(part, [ast.GtE()], [ast.Constant(1)]) if is_length(part, facts) else None

    return _in_condition(node, rewrite)


@rule(
    examples=[
        ("return a if not b else c", "return c if b else a"),
        ("if not a:\n    b = 1\nelse:\n    b = 2\nreturn b", "if a:\n    b = 2\nelse:\n    b = 1\nreturn b"),
    ],
    near=[("return a if not b else c", "return a if b else c"), ("if not a: return b", "if a: return b")],
)
def negated_condition_of_two_branches(node: ast.If | ast.IfExp, facts: Facts) -> ast.AST | None:
    """A negated condition with two branches is the condition with the branches exchanged."""
    match node:
        case ast.IfExp(test=ast.UnaryOp(op=ast.Not(), operand=test)):
            return ast.IfExp(test, node.orelse, node.body)
        case ast.If(test=ast.UnaryOp(op=ast.Not(), operand=test), body=body, orelse=[_, *_]):
            return ast.If(test, node.orelse, body)
    return None
