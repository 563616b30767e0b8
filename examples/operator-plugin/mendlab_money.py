"""What goes wrong with amounts of money: decimal arithmetic that becomes binary, and rounding the other way."""

from collections.abc import Iterator

import libcst as cst

from mendlab.mutators import Change, Example, operator
from mendlab.mutators.context import Context

ROUNDINGS = ("ROUND_HALF_EVEN", "ROUND_HALF_UP", "ROUND_HALF_DOWN", "ROUND_DOWN", "ROUND_UP")


@operator(
    name="money-of-float",
    family="money",
    odc="assignment",
    bug_type="value misuse",
    pattern="change constant type",
    examples=[Example("price = Decimal('0.10')", "price = Decimal(0.10)")],
)
def money_of_float(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A decimal is made of a binary fraction, and is no longer exact."""
    match node:
        case cst.Call(func=cst.Name("Decimal"), args=[cst.Arg(value=cst.SimpleString() as text)]):
            digits = str(text.evaluated_value)
            if digits.replace(".", "", 1).isdecimal():
                yield ctx.replace(text, digits)


@operator(
    name="money-rounded-otherwise",
    family="money",
    odc="algorithm",
    bug_type="variable misuse",
    pattern="change identifier",
    inverse="money-rounded-otherwise",
    examples=[Example("x = p.quantize(c, ROUND_HALF_UP)", "x = p.quantize(c, ROUND_HALF_EVEN)")],
)
def money_rounded_otherwise(node: cst.Name, ctx: Context) -> Iterator[Change]:
    """An amount is rounded in another way."""
    if node.value in ROUNDINGS and ctx.is_load(node):
        for other in ROUNDINGS:
            if other != node.value:
                yield ctx.replace(node, other)
