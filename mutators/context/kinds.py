"""What an expression seems to hold, seen from its place: its form, or what the uses of its name suggest."""

from __future__ import annotations

from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.context.scopes import CALLABLE, FLAG, MAPPING, NUMBER, SEQUENCE, TEXT, kind_of

_NUMERIC: Final = (cst.Subtract, cst.Divide, cst.FloorDivide, cst.Power)


def kinds_of(node: cst.BaseExpression, ctx: Context) -> set[str]:
    """The kinds of value that the expression may have; empty if nothing is known."""
    if isinstance(node, cst.Name) and node.value not in ("True", "False", "None"):
        binding = ctx.scope(node).resolve(node.value)
        return set() if binding is None else binding.kinds
    if isinstance(node, cst.BinaryOperation):
        parts = kinds_of(node.left, ctx) | kinds_of(node.right, ctx)
        return parts or ({NUMBER} if isinstance(node.operator, _NUMERIC) else set())
    kind = kind_of(node)
    return set() if kind is None else {kind}


def may_be_number(node: cst.BaseExpression, ctx: Context) -> bool:
    """Whether nothing speaks against a number."""
    kinds = kinds_of(node, ctx)
    return NUMBER in kinds or not kinds & {TEXT, SEQUENCE, MAPPING, CALLABLE, FLAG}
