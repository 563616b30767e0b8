"""How natural a change reads: what nobody would write is less likely to be meant."""

from __future__ import annotations

import ast
from functools import lru_cache
from itertools import pairwise
from typing import Final

from mendlab.mutators.edits import minimal
from mendlab.repair.candidates import Candidate

_ODD: Final = 0.1
_SMALL: Final = 40.0
"""An edit of so many characters is half as likely as one of none."""
_UNARY: Final = frozenset({"abs", "set", "list", "sorted", "len", "str", "int", "float", "sum", "tuple"})


def naturalness(candidate: Candidate) -> float:
    """Return a factor of at most 1: less for each oddity that the change brings in, and for much that is changed."""
    try:
        more = _oddities(candidate.text) - _oddities(candidate.base.text)
    except (SyntaxError, ValueError, RecursionError):
        return _ODD
    smallest = [minimal(candidate.base.text, edit) for edit in candidate.edits]
    size = sum(end - start + len(text) for start, end, text in smallest)
    return float(_ODD ** max(0.0, more) / (1 + size / _SMALL))


@lru_cache(maxsize=256)
def _oddities(text: str) -> float:
    nodes = ast.walk(ast.parse(text.removeprefix("\ufeff")))
    return sum(_is_odd(node) + _is_unusual(node) / 2 for node in nodes)


def _is_unusual(node: ast.AST) -> bool:
    """Whether something is seldom written: the negative of what is no number."""
    return (
        isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.Constant)
    )


def _is_odd(node: ast.AST) -> bool:
    """Whether an expression has one value whatever it is about, or does what is done already."""
    match node:
        case ast.Compare(left=left, comparators=[right]):
            return _same(left, right) or (isinstance(left, ast.Constant) and isinstance(right, ast.Constant))
        case ast.BinOp(left=ast.Constant(value=int()), right=ast.Constant(value=int())):
            return True
        case ast.BinOp(left=left, op=ast.Sub() | ast.Div() | ast.FloorDiv() | ast.Mod(), right=right):
            return _same(left, right) or _is(right, 0, *([] if isinstance(node.op, ast.Sub) else [1]))
        case ast.BinOp(left=left, op=ast.Add() | ast.Pow(), right=right):
            return _same(left, right) or _is(right, 0)
        case ast.BinOp(op=ast.Mult(), right=right):
            return _is(right, 0, 1)
        case ast.BoolOp(values=values):
            return any(_same(one, other) for one, other in pairwise(values)) or any(
                isinstance(value, ast.Constant) for value in values
            )
        case ast.Assign(targets=[target], value=value) if isinstance(target, ast.Name) and isinstance(value, ast.Name):
            return target.id == value.id
        case ast.Call(func=ast.Name(id=outer), args=[ast.Call(func=ast.Name(id=inner))]):
            return outer == inner and outer in _UNARY
        case (
            ast.If(test=ast.Constant())
            | ast.While(test=ast.Constant(value=False | 0 | None))
            | ast.IfExp(test=ast.Constant())
        ):
            return True
        case ast.UnaryOp(op=ast.USub(), operand=ast.UnaryOp(op=ast.USub())):
            return True
        case ast.UnaryOp(op=ast.Not(), operand=ast.Compare(ops=[_])):
            return True
        case ast.UnaryOp(op=ast.Not(), operand=ast.UnaryOp(op=ast.Not())):
            return True
    return False


def _same(one: ast.AST, other: ast.AST) -> bool:
    return ast.dump(one) == ast.dump(other)


def _is(node: ast.AST, *numbers: int) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value in numbers
