"""Wrong comparisons: relations, membership, identity."""

from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.context.signs import RELATIONS, sign_of, worded
from mendlab.mutators.edits import Change
from mendlab.mutators.registry import Example, operator

_SUFFICIENT: Final = {
    "<": ("<=", "!=", False),
    "<=": ("<", "==", True),
    ">": (">=", "!=", False),
    ">=": (">", "==", True),
    "==": (">=", "<=", False),
    "!=": (">", "<", True),
}
_NEGATIONS: Final = {"in": "not in", "not in": "in", "is": "is not", "is not": "is"}


@operator(
    name="relation-sufficient",
    term="ROR (sufficient three, Kaminski et al. 2013)",
    odc="checking",
    bug_type="operator misuse",
    pattern="change binary operator",
    inverse="relation-sufficient",
    examples=[
        Example("x = a < b", "x = a <= b"), Example("x = a < b", "x = a != b"), Example("x = a < b", "x = False"),
    ],
)  # fmt: skip
def relation_sufficient(node: cst.ComparisonTarget, ctx: Context) -> Iterator[Change]:
    """A relational operator becomes one of the three whose detection implies that of all the others."""
    comparison = ctx.parent(node)
    if isinstance(comparison, cst.Comparison) and len(comparison.comparisons) == 1:
        for other in _SUFFICIENT.get(ctx.text(node.operator), ()):
            constant = isinstance(other, bool)
            yield ctx.replace(comparison, str(other)) if constant else ctx.replace(node.operator, str(other))


@operator(
    name="comparison-swapped",
    term="ROR",
    odc="checking",
    bug_type="operator misuse",
    pattern="change binary operator",
    inverse="comparison-swapped",
    examples=[Example("x = a < b", "x = a <= b"), Example("x = a == b", "x = a > b")],
)
def comparison_swapped(node: cst.ComparisonTarget, ctx: Context) -> Iterator[Change]:
    """A relational operator becomes another."""
    for other in RELATIONS.get(ctx.text(node.operator), ()):
        yield ctx.replace(node.operator, other)


@operator(
    name="membership-negated",
    term="MCR",
    odc="checking",
    bug_type="operator misuse",
    pattern="change binary operator",
    inverse="membership-negated",
    examples=[Example("x = a in b", "x = a not in b"), Example("x = a is not b", "x = a is b")],
)
def membership_negated(node: cst.ComparisonTarget, ctx: Context) -> Iterator[Change]:
    """A membership or identity test becomes its contrary."""
    sign = sign_of(node.operator, ctx)
    if sign in _NEGATIONS:
        yield ctx.replace(node.operator, _NEGATIONS[sign])


@operator(
    name="membership-to-equality",
    term="MCR",
    odc="checking",
    bug_type="operator misuse",
    pattern="change binary operator",
    inverse="equality-to-membership",
    examples=[Example("x = a in b", "x = a == b"), Example("x = a in (b, c)", "x = a is (b, c)")],
)
def membership_to_equality(node: cst.ComparisonTarget, ctx: Context) -> Iterator[Change]:
    """A membership test becomes a test for equality or identity."""
    sign = sign_of(node.operator, ctx)
    if sign in ("in", "not in"):
        yield ctx.replace(node.operator, "==" if sign == "in" else "!=")
        yield ctx.replace(node.operator, "is" if sign == "in" else "is not")


@operator(
    name="equality-to-membership",
    term="MCR",
    odc="checking",
    bug_type="operator misuse",
    pattern="change binary operator",
    inverse="membership-to-equality",
    examples=[Example("x = a == b", "x = a in b"), Example("x = a is b", "x = a in b")],
)
def equality_to_membership(node: cst.ComparisonTarget, ctx: Context) -> Iterator[Change]:
    """A test for equality or identity becomes a membership test."""
    sign = sign_of(node.operator, ctx)
    number = isinstance(node.comparator, cst.Integer | cst.Float)
    none = isinstance(node.comparator, cst.Name) and node.comparator.value in ("None", "True", "False")
    if sign in ("==", "!=", "is", "is not") and not number and not none:
        yield worded(node.operator, "in" if sign in ("==", "is") else "not in", ctx)
