"""Operators: another one, operands exchanged, terms left out, signs and negations."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from mendlab.mutators.edits import Edit
from mendlab.repair.searching.signs import ORDER, SIGNS, between, others
from mendlab.repair.searching.source import Source
from mendlab.repair.searching.template import template

Found = Iterator[tuple[ast.AST, Edit | tuple[Edit, ...], float]]
_SHORT: Final = 10


def _operators(source: Source) -> Iterator[tuple[ast.AST, ast.AST, ast.AST, str]]:
    """Yield every operator with its operands."""
    for node in source.expressions:
        match node:
            case ast.BinOp(left=left, op=op, right=right):
                yield node, left, right, SIGNS.get(type(op), "")
            case ast.Compare(left=left, ops=signs, comparators=right_ones):
                lefts = [left, *right_ones]
                for at, sign in enumerate(signs):
                    yield node, lefts[at], right_ones[at], SIGNS[type(sign)]


@template("operator", 0.1)
def change_operator(source: Source) -> Found:
    """Another operator, in expressions, comparisons and augmented assignments."""
    for node, left, right, sign in _operators(source):
        place = between(source, left, right, sign) if sign else None
        if place:
            for other, weight in others(sign):
                yield node, Edit(*place, other), weight
    for statement in source.nodes:
        if isinstance(statement, ast.AugAssign) and (sign := SIGNS.get(type(statement.op), "")):
            place = between(source, statement.target, statement.value, sign + "=")
            if place:
                for other, weight in others(sign):
                    yield statement, Edit(*place, other + "="), weight
                yield statement, Edit(*place, "="), 0.5
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            place = between(source, statement.targets[0], statement.value, "=")
            if place and isinstance(statement.targets[0], ast.Name):
                for sign in ("+", "-", "*"):
                    yield statement, Edit(*place, f"{sign}="), 0.2


@template("logic", 0.05)
def change_logic(source: Source) -> Found:
    """``or`` for ``and`` in a whole chain or at one place, and an operand less."""
    for node in source.expressions:
        if isinstance(node, ast.BoolOp):
            sign = SIGNS[type(node.op)]
            other = "or" if sign == "and" else "and"
            pairs = list(zip(node.values, node.values[1:], strict=False))
            places = [between(source, *pair, sign) for pair in pairs]
            found = [place for place in places if place]
            if len(found) == len(pairs):
                yield node, tuple(Edit(*place, other) for place in found), 1.0
                if len(found) > 1:
                    for place in found:
                        yield node, Edit(*place, other), 0.5
            for at, value in enumerate(node.values):
                near = node.values[at - 1] if at else node.values[1]
                first, second = source.span(value), source.span(near)
                start, end = (second[1], first[1]) if at else (first[0], second[0])
                if _is_balanced(source.text[start:end]):
                    yield value, Edit(start, end, ""), 0.7


@template("operands-exchanged", 0.03)
def exchange_operands(source: Source) -> Found:
    """Both sides of an operator exchanged."""
    for node, left, right, sign in _operators(source):
        if sign not in ("==", "!=", "*", "&", "|", "^"):
            left_text, right_text = source.operand(left), source.operand(right)
            edits = Edit(*source.span(left), right_text), Edit(*source.span(right), left_text)
            yield node, edits, 1.0


@template("term-dropped", 0.06)
def drop_term(source: Source) -> Found:
    """One operand of an operator less, as it reads: ``a + b * c`` gives ``a + b``, ``a + c`` and the like."""
    for node in source.expressions:
        if not isinstance(node, ast.BinOp) or not (sign := SIGNS.get(type(node.op), "")):
            continue
        place = between(source, node.left, node.right, sign)
        if place is None:
            continue
        last, first = source.span(_rightmost(node.left)), source.span(_leftmost(node.right))
        for start, end in {
            (source.span(node.left)[1], source.span(node.right)[1]),
            (source.span(node.left)[0], source.span(node.right)[0]),
            (last[0], first[0]),
            (last[1], first[1]),
        }:
            if _is_balanced(source.text[start:end]):
                yield node, Edit(start, end, ""), 1 / (1 + (end - start) / _SHORT)


def _rightmost(node: ast.expr) -> ast.expr:
    while isinstance(node, ast.BinOp):
        node = node.right
    return node


def _leftmost(node: ast.expr) -> ast.expr:
    while isinstance(node, ast.BinOp):
        node = node.left
    return node


def _is_balanced(text: str) -> bool:
    return all(text.count(one) == text.count(other) for one, other in ("()", "[]", "{}"))


@template("negated", 0.05)
def negate(source: Source) -> Found:
    """A condition the other way round."""
    for node in source.expressions:
        if is_condition(source, node):
            if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
                yield node, Edit(*source.span(node), source.code(node.operand)), 1.0
            else:
                yield (
                    node,
                    Edit(*source.span(node), f"not ({source.code(node)})"),
                    0.3 if isinstance(node, ast.Compare) else 0.8,
                )


@template("sign", 0.01)
def change_sign(source: Source) -> Found:
    """A sign more or less."""
    for node in source.expressions:
        parent = source.parents[node]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            yield node, Edit(*source.span(node), source.code(node.operand)), 8.0
        elif (
            isinstance(node, ast.Name | ast.Call | ast.Subscript)
            and source.kind(node) in ("int", "float", None)
            and not (isinstance(parent, ast.Call) and parent.func is node)
        ):
            yield node, Edit(*source.span(node), f"-{source.code(node)}"), 1.0


def is_condition(source: Source, node: ast.expr) -> bool:
    """Whether a node is asked for being true."""
    parent = source.parents[node]
    match parent:
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) | ast.Assert(test=test):
            return test is node
        case ast.comprehension(ifs=ifs):
            return node in ifs
        case ast.BoolOp():
            return True
        case ast.Return(value=value):
            return value is node and isinstance(node, ast.Compare | ast.BoolOp | ast.UnaryOp)
    return False


@template("bounds", 0.03)
def change_comparison(source: Source) -> Found:
    """Another operator and a constant by one, together."""
    for node in source.expressions:
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value=int() as value) as right]):
                sign = SIGNS[type(op)]
                place = between(source, left, right, sign)
                for other, weight in others(sign):
                    for number in (value - 1, value + 1):
                        if place and other in ORDER:
                            edits = Edit(*place, other), Edit(*source.span(right), str(number))
                            yield node, edits, weight
