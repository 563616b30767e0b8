"""What constants make of expressions."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any, Final

from mendlab.mutators.equivalents import Facts, rule
from mendlab.mutators.equivalents.shapes import is_inert

_ARITHMETIC: Final[dict[type[ast.operator], Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Div: operator.truediv,
}
_UNARY: Final[dict[type[ast.unaryop], Callable[[Any], Any]]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
    ast.Not: operator.not_,
}
_COMPARISONS: Final[dict[type[ast.cmpop], Callable[[Any, Any], bool]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_LARGEST: Final = 10**30


def _is_small(value: object) -> bool:
    return isinstance(value, int | float) and type(value) is not bool and abs(value) < _LARGEST


@rule(
    examples=[
        ("return 1 + 1", "return 2"),
        ("return a - (0 - 1)", "return a - -1"),
        ("return 7 // 2 + 0.5", "return 3.5"),
    ],
    near=[("return a + 1 + 1", "return a + 2"), ("return 1 / 0", "return 1"), ("return 2 * 1", "return 2.0")],
)
def arithmetic_of_numbers(node: ast.BinOp, facts: Facts) -> ast.expr | None:
    """The sum, difference, product, quotient or remainder of two number literals is the number that it comes to.

    Literals are built-in numbers, whose arithmetic nobody can change. What fails is left alone.
    """
    match node:
        case ast.BinOp(left=ast.Constant(value=left), op=op, right=ast.Constant(value=right)):
            if type(op) in _ARITHMETIC and _is_small(left) and _is_small(right):
                return _constant(lambda: _ARITHMETIC[type(op)](left, right))
    return None


@rule(
    examples=[("return not True", "return False"), ("return +1", "return 1"), ("return ~0", "return -1")],
    near=[("return -a", "return a"), ("return not a", "return False"), ("return -0.0", "return 0.0")],
)
def sign_of_a_number(node: ast.UnaryOp, facts: Facts) -> ast.expr | None:
    """A sign or ``~`` before a number literal, and ``not`` before any, make another literal of built-in type."""
    match node:
        case ast.UnaryOp(op=op, operand=ast.Constant(value=value)):
            if isinstance(op, ast.Not) or _is_small(value):
                return _constant(lambda: _UNARY[type(op)](value))
    return None


@rule(
    examples=[("return 1 < 2", "return True"), ("return 'a' == 'b'", "return False")],
    near=[("return 1 < a", "return True"), ("return 1 < 'a'", "return True"), ("return 1 < 2 < a", "return True")],
)
def comparison_of_literals(node: ast.Compare, facts: Facts) -> ast.expr | None:
    """Two numbers or two texts that are written down compare as the built-in types do."""
    match node:
        case ast.Compare(left=ast.Constant(value=left), ops=[op], comparators=[ast.Constant(value=right)]):
            alike = (_is_small(left) and _is_small(right)) or (type(left) is str and type(right) is str)
            if alike and type(op) in _COMPARISONS:
                return _constant(lambda: _COMPARISONS[type(op)](left, right))
    return None


def _constant(value: Callable[[], Any]) -> ast.Constant | None:
    try:
        return ast.Constant(value())
    except (ArithmeticError, TypeError):
        return None


@rule(
    examples=[("return a if True else b", "return a"), ("return a if 0 else b", "return b")],
    near=[("return a if c else b", "return a"), ("return a if True else (b := 1)", "return a")],
)
def choice_by_a_constant(node: ast.IfExp, facts: Facts) -> ast.expr | None:
    """A conditional expression whose condition is a literal is one of its branches; the other binds no name."""
    match node:
        case ast.IfExp(test=ast.Constant(value=value), body=body, orelse=orelse):
            chosen, dropped = (body, orelse) if value else (orelse, body)
            return chosen if is_inert(dropped) else None
    return None


@rule(
    examples=[
        ("return True and a", "return a"),
        ("return 0 or a", "return a"),
        ("return a and 1 and b", "return a and b"),
        ("return False and a", "return False"),
        ("return a or 1 or b", "return a or 1"),
    ],
    near=[
        ("return a and True", "return a"),
        ("return a or False", "return a"),
        ("return a and False", "return False"),
        ("return True or (a := b)", "return True"),
    ],
)
def constant_among_the_operands(node: ast.BoolOp, facts: Facts) -> ast.expr | None:
    """A literal operand of ``and`` or ``or`` that is not the last is either passed over or ends it.

    Whether a literal is true is certain, and to find it out does nothing. What is dropped binds no name.
    """
    stops = isinstance(node.op, ast.Or)
    for index, operand in enumerate(node.values[:-1]):
        if not isinstance(operand, ast.Constant):
            continue
        if bool(operand.value) is stops:
            if not all(is_inert(value) for value in node.values[index + 1 :]):
                continue
            rest = node.values[: index + 1]
        else:
            rest = node.values[:index] + node.values[index + 1 :]
        return rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
    return None


@rule(
    examples=[("return f'text'", "return 'text'"), ("return f''", "return ''")],
    near=[("return f'{a}'", "return a"), ("return f'{a}'", "return 'a'")],
)
def f_string_without_fields(node: ast.JoinedStr, facts: Facts) -> ast.expr | None:
    """An f-string without fields is a string."""
    texts = [value.value for value in node.values if isinstance(value, ast.Constant)]
    return ast.Constant("".join(map(str, texts))) if len(texts) == len(node.values) else None
