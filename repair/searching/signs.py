"""Operators: how they are written, where they stand, and which may be meant by which."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from mendlab.repair.searching.source import Source

SIGNS: Final[dict[type[ast.AST], str]] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in", ast.And: "and", ast.Or: "or",
}  # fmt: skip
_ARITHMETIC: Final = ("+", "-", "*", "//", "/", "%", "**")
_BITS: Final = ("&", "|", "^", "<<", ">>")
ORDER: Final = ("<", "<=", ">", ">=", "==", "!=")
_NEAR: Final = {
    frozenset(pair)
    for pair in [
        ("<", "<="), (">", ">="), ("==", "!="), ("<", ">"), ("<=", ">="), ("<", ">="), (">", "<="), ("+", "-"),
        ("*", "/"), ("/", "//"), ("//", "%"), ("*", "**"), ("&", "|"), ("<<", ">>"), ("^", "&"), ("^", "**"),
    ]
}  # fmt: skip


def others(sign: str) -> Iterator[tuple[str, float]]:
    """Yield the operators that may be meant by another one, with how likely they are."""
    for group, pairs in ((_ARITHMETIC, 0.4), (_BITS, 0.4), (ORDER, 0.5)):
        if sign in group:
            for other in group:
                if other != sign:
                    yield other, 1.0 if frozenset((sign, other)) in _NEAR else pairs
    for one, other in (("is", "is not"), ("in", "not in"), ("and", "or"), ("==", "in"), ("is", "=="), ("is not", "!=")):
        if sign in (one, other):
            yield (other if sign == one else one), 1.0 if one in ("is", "in", "and") else 0.2


def between(source: Source, left: ast.AST, right: ast.AST, sign: str) -> tuple[int, int] | None:
    """Return where an operator stands between two operands; None if it is not found as it is usually written."""
    start, end = source.span(left)[1], source.span(right)[0]
    at = source.text.find(sign, start, end)
    return None if at < 0 or "#" in source.text[start:end] else (at, at + len(sign))
