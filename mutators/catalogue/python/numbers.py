"""Python's own mistakes with numbers and texts: divisions, rounding, float equality, prefixes and suffixes."""

from collections.abc import Iterator

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change
from mendlab.mutators.registry import Example, operator


@operator(
    name="division-confused",
    odc="algorithm",
    bug_type="operator misuse",
    inverse="division-confused",
    examples=[
        Example("x = a // b", "x = int(a / b)"),
        Example("x = int(a / b)", "x = a // b"),
        Example("x = a // b", "x = round(a / b)"),
        Example("q, r = divmod(a, b)", "q, r = a / b, a % b"),
    ],
)
def division_confused(node: cst.BinaryOperation | cst.Call, ctx: Context) -> Iterator[Change]:
    """A quotient is rounded down, towards zero, to the nearest or not at all."""
    match node:
        case cst.BinaryOperation(left=left, operator=cst.FloorDivide(), right=right):
            for name in ("int", "round"):
                yield ctx.replace(node, f"{name}({ctx.whole(left)} / {ctx.whole(right)})")
        case cst.Call(
            func=cst.Name(value="int" | "round"),
            args=[cst.Arg(value=cst.BinaryOperation(left=left, operator=cst.Divide(), right=right), star="")],
        ):
            text = f"{ctx.whole(left)} // {ctx.whole(right)}"
            yield ctx.replace(node, f"({text})" if isinstance(ctx.parent(node), cst.BinaryOperation) else text)
        case cst.Call(func=cst.Name(value="divmod"), args=[cst.Arg(value=left), cst.Arg(value=right)]):
            if isinstance(ctx.parent(node), cst.Assign | cst.Return):
                yield ctx.replace(
                    node,
                    f"{ctx.operand(left)} / {ctx.operand(right)}, {ctx.operand(left)} % {ctx.operand(right)}",
                )


@operator(
    name="rounding-changed",
    odc="algorithm",
    bug_type="function misuse",
    pattern="wrong function name",
    inverse="rounding-changed",
    examples=[
        Example("x = round(a)", "x = int(a)"),
        Example("x = math.ceil(a)", "x = int(a)"),
        Example("x = int(a)", "x = round(a)"),
        Example("x = round(a, 2)", "x = round(a, 3)"),
        Example("x = math.floor(a / b)", "x = a // b"),
    ],
)
def rounding_changed(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A number is rounded in another way or to other digits."""
    if not node.args or node.args[0].star:
        return
    value = node.args[0].value
    name = node.func.attr.value if isinstance(node.func, cst.Attribute) else ctx.text(node.func)
    if name in ("ceil", "floor", "trunc", "round", "int") and len(node.args) == 1:
        for other in ("int", "round"):
            if other != name:
                yield ctx.replace(node.func, other)
        if (
            name in ("ceil", "floor")
            and isinstance(value, cst.BinaryOperation)
            and isinstance(value.operator, cst.Divide)
        ):
            text = f"{ctx.whole(value.left)} // {ctx.whole(value.right)}"
            yield ctx.replace(node, f"({text})" if isinstance(ctx.parent(node), cst.BinaryOperation) else text)
    elif name == "round" and isinstance(node.args[1].value, cst.Integer):
        digits = int(node.args[1].value.value, 0)
        for other_digits in (digits + 1, digits - 1):
            yield ctx.replace(node.args[1].value, str(other_digits))
        yield ctx.replace(node, f"int({ctx.whole(value)})")


@operator(
    name="tolerance-dropped",
    odc="checking",
    bug_type="missing logic",
    examples=[
        Example("x = abs(a - b) < 1e-6", "x = a == b"),
        Example("x = math.isclose(a, b)", "x = a == b"),
    ],
)
def tolerance_dropped(node: cst.Comparison | cst.Call, ctx: Context) -> Iterator[Change]:
    """Two floats are compared for equality, without tolerance."""
    match node:
        case cst.Comparison(
            left=cst.Call(
                func=cst.Name(value="abs"),
                args=[cst.Arg(value=cst.BinaryOperation(left=left, operator=cst.Subtract(), right=right))],
            ),
            comparisons=[cst.ComparisonTarget(operator=cst.LessThan() | cst.LessThanEqual())],
        ):
            yield ctx.replace(node, f"{ctx.whole(left)} == {ctx.whole(right)}")
        case cst.Comparison(
            left=cst.Call(
                func=cst.Name(value="abs"),
                args=[cst.Arg(value=cst.BinaryOperation(left=left, operator=cst.Subtract(), right=right))],
            ),
            comparisons=[cst.ComparisonTarget(operator=cst.GreaterThan() | cst.GreaterThanEqual())],
        ):
            yield ctx.replace(node, f"{ctx.whole(left)} != {ctx.whole(right)}")
        case cst.Call(args=[cst.Arg(value=left), cst.Arg(value=right), *_]) if ctx.text(node.func).endswith("isclose"):
            text = f"{ctx.whole(left)} == {ctx.whole(right)}"
            roomy = isinstance(ctx.parent(node), cst.Assign | cst.Return | cst.If | cst.Arg)
            yield ctx.replace(node, text if roomy else f"({text})")


@operator(
    name="affix-confused",
    odc="interface",
    bug_type="function misuse",
    pattern="wrong function name",
    examples=[
        Example("x = a.removeprefix('ab')", "x = a.lstrip('ab')"),
        Example("x = a.removesuffix('ab')", "x = a.rstrip('ab')"),
        Example("x = a.startswith('ab')", "x = 'ab' in a"),
        Example("x = a[len(b):]", "x = a.lstrip(b)"),
        Example("x = a.split()", "x = a.split(' ')"),
    ],
)
def affix_confused(node: cst.Call | cst.Subscript, ctx: Context) -> Iterator[Change]:
    """A prefix or suffix is taken for a set of characters, or for a piece anywhere; white space for a blank."""
    match node:
        case cst.Call(func=cst.Attribute(attr=cst.Name(value="removeprefix" | "removesuffix" as name) as attr)):
            yield ctx.replace(attr, "lstrip" if name == "removeprefix" else "rstrip")
        case cst.Call(
            func=cst.Attribute(value=owner, attr=cst.Name(value="startswith" | "endswith")), args=[cst.Arg(value=value)]
        ) if not isinstance(value, cst.Tuple):
            text = f"{ctx.operand(value)} in {ctx.whole(owner)}"
            roomy = isinstance(ctx.parent(node), cst.Assign | cst.Return | cst.If | cst.While | cst.CompIf)
            yield ctx.replace(node, text if roomy else f"({text})")
        case cst.Call(func=cst.Attribute(attr=cst.Name(value="split")), args=[]):
            yield ctx.replace(node, f"{ctx.text(node)[:-1]}' ')")
        case cst.Subscript(
            value=owner,
            slice=[
                cst.SubscriptElement(
                    slice=cst.Slice(
                        lower=cst.Call(func=cst.Name(value="len"), args=[cst.Arg(value=prefix)]), upper=None, step=None
                    )
                )
            ],
        ) if not ctx.is_target(node):
            yield ctx.replace(node, f"{ctx.whole(owner)}.lstrip({ctx.whole(prefix)})")


@operator(
    name="small-cache",
    odc="checking",
    bug_type="operator misuse",
    pattern="change binary operator",
    examples=[Example("x = a == 1000", "x = a is 1000"), Example("x = type(a) is int", "x = isinstance(a, int)")],
)
def small_cache(node: cst.Comparison, ctx: Context) -> Iterator[Change]:
    """A value is taken for the one object of its kind, or a class for all that are derived of it."""
    match node:
        case cst.Comparison(
            left=cst.Call(func=cst.Name(value="type"), args=[cst.Arg(value=value)]),
            comparisons=[cst.ComparisonTarget(operator=cst.Is() | cst.Equal(), comparator=kind)],
        ):
            yield ctx.replace(node, f"isinstance({ctx.whole(value)}, {ctx.whole(kind)})")
        case cst.Comparison(
            comparisons=[
                cst.ComparisonTarget(operator=cst.Equal() as sign, comparator=cst.Integer() | cst.SimpleString())
            ]
        ):
            low, high = ctx.tree.inner[sign]
            if ctx.source[low:high] == "==":
                yield ctx.replace(sign, " is " if ctx.source[low - 1] != " " else "is")
