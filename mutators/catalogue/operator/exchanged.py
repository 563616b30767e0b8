"""Wrong operators: arithmetic, bitwise, logical, unary, augmented."""

from collections.abc import Iterator

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.context.kinds import kinds_of, may_be_number
from mendlab.mutators.context.scopes import NUMBER, SEQUENCE, TEXT, kind_of
from mendlab.mutators.context.signs import ALTERNATIVES, worded
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator


@operator(
    name="arithmetic-swapped",
    term="AOR",
    odc="algorithm",
    bug_type="operator misuse",
    pattern="change binary operator",
    inverse="arithmetic-swapped",
    examples=[
        Example("x = a + b", "x = a - b"),
        Example("x = a & b", "x = a | b"),
        Example("x = a << b", "x = a >> b"),
        Example("x = a ** 2", "x = a ^ 2"),
        Example("x = [a] * b", "x = [a] + b"),
    ],
)
def arithmetic_swapped(node: cst.BinaryOperation, ctx: Context) -> Iterator[Change]:
    """An arithmetic, bitwise or shift operator becomes another."""
    sign = ctx.text(node.operator)
    if {kind_of(node.left), kind_of(node.right)} & {TEXT, SEQUENCE}:
        others: tuple[str, ...] = {"+": ("*",), "*": ("+",)}.get(sign, ())
        if TEXT not in (kind_of(node.left), kind_of(node.right)) and sign in "-&|^":
            others = ALTERNATIVES[sign][:3]
    else:
        others = ALTERNATIVES.get(sign, ())
    yield from (ctx.replace(node.operator, other) for other in others)


@operator(
    name="augmented-swapped",
    term="ASR",
    odc="algorithm",
    bug_type="operator misuse",
    pattern="change binary operator",
    inverse="augmented-swapped",
    examples=[
        Example("x += 1", "x -= 1"), Example("x &= y", "x ^= y"), Example("x //= 2", "x -= 2"),
        Example("x += y", "x =+ y"),
    ],
)  # fmt: skip
def augmented_swapped(node: cst.AugAssign, ctx: Context) -> Iterator[Change]:
    """An augmented assignment uses another operator, or its signs are in the wrong order."""
    sign = ctx.text(node.operator)[:-1]
    if kind_of(node.value) not in (TEXT, SEQUENCE):
        yield from (ctx.replace(node.operator, f"{other}=") for other in ALTERNATIVES.get(sign, ()))
        if sign in ("+", "-", "~"):
            yield ctx.replace(node.operator, f"={sign}")
    elif sign == "+":
        yield ctx.replace(node.operator, "*=")


@operator(
    name="augmented-to-plain",
    term="ASR",
    odc="assignment",
    bug_type="operator misuse",
    inverse="plain-to-augmented",
    examples=[Example("x += y", "x = y")],
)
def augmented_to_plain(node: cst.AugAssign, ctx: Context) -> Iterator[Change]:
    """An augmented assignment forgets the old value."""
    yield ctx.replace(node.operator, "=")


@operator(
    name="plain-to-augmented",
    term="ASR",
    odc="assignment",
    bug_type="operator misuse",
    inverse="augmented-to-plain",
    examples=[
        Example("def f(x, y):\n    x = y", "def f(x, y):\n    x += y"),
        Example("x[i] = y", "x[i] += y"),
    ],
)
def plain_to_augmented(node: cst.Assign, ctx: Context) -> Iterator[Change]:
    """An assignment to what has a value already adds to it, takes from it or multiplies it."""
    if len(node.targets) != 1 or not isinstance(
        target := node.targets[0].target, cst.Name | cst.Attribute | cst.Subscript
    ):
        return
    if isinstance(target, cst.Name):
        binding = ctx.scope(node).resolve(target.value)
        if binding is None or (binding.first >= ctx.start(target) and ctx.loop(node) is None):
            return
    start, end = ctx.end(target), ctx.tree.outer[node.value][0]
    for sign in ("+=", "-=", "*=") if may_be_number(node.value, ctx) else ("+=",):
        yield Edit(start, end, f" {sign} ")


@operator(
    name="logical-swapped",
    term="LCR",
    odc="checking",
    bug_type="operator misuse",
    pattern="change binary operator",
    inverse="logical-swapped",
    examples=[Example("x = a and b", "x = a or b"), Example("x = a or b or c", "x = a and b and c")],
)
def logical_swapped(node: cst.BooleanOperation, ctx: Context) -> Iterator[Change]:
    """`and` becomes `or` and `or` becomes `and`, one of them or the whole chain."""
    kind = type(node.operator)
    word = "or" if kind is cst.And else "and"
    yield ctx.replace(node.operator, word)
    parent = ctx.parent(node)
    if isinstance(parent, cst.BooleanOperation) and type(parent.operator) is kind:
        return
    chain: list[cst.BaseBooleanOp] = []
    link: cst.BaseExpression = node
    while isinstance(link, cst.BooleanOperation) and type(link.operator) is kind:
        chain.append(link.operator)
        link = link.left
    if len(chain) > 1:
        yield tuple(ctx.replace(item, word) for item in chain)


@operator(
    name="logical-bitwise",
    term="LCR",
    odc="checking",
    bug_type="operator misuse",
    pattern="change binary operator",
    inverse="logical-bitwise",
    examples=[
        Example("x = a > 0 and b", "x = a > 0 & b"), Example("x = a | b", "x = a or b"),
        Example("x = not a", "x = ~a"),
    ],
)  # fmt: skip
def logical_bitwise(
    node: cst.BooleanOperation | cst.BinaryOperation | cst.UnaryOperation, ctx: Context
) -> Iterator[Change]:
    """A logical operator is taken for the bitwise one of the same name, which binds otherwise, or the contrary."""
    match node.operator:
        case cst.And() | cst.Or():
            yield ctx.replace(node.operator, "&" if isinstance(node.operator, cst.And) else "|")
        case cst.BitAnd() | cst.BitOr():
            yield worded(node.operator, "and" if isinstance(node.operator, cst.BitAnd) else "or", ctx)
        case cst.Not() | cst.BitInvert() if isinstance(node, cst.UnaryOperation):
            start, end = ctx.start(node), ctx.tree.outer[node.expression][0]
            yield Edit(start, end, "~" if isinstance(node.operator, cst.Not) else "not ")


@operator(
    name="unary-dropped",
    term="UOD",
    odc="algorithm",
    bug_type="operator misuse",
    pattern="change unary operator",
    inverse="unary-inserted",
    examples=[Example("x = -a", "x = a"), Example("x = not a", "x = a")],
)
def unary_dropped(node: cst.UnaryOperation, ctx: Context) -> Iterator[Change]:
    """A unary operator goes, or minus becomes a bitwise complement."""
    yield Edit(ctx.start(node), ctx.tree.outer[node.expression][0], "")
    if isinstance(node.operator, cst.Minus | cst.BitInvert):
        yield ctx.replace(node.operator, "~" if isinstance(node.operator, cst.Minus) else "-")


@operator(
    name="unary-inserted",
    term="UOI",
    odc="algorithm",
    bug_type="operator misuse",
    pattern="change unary operator",
    inverse="unary-dropped",
    examples=[
        Example("x = a - b", "x = -a - b"), Example("def f(a):\n    return a.b", "def f(a):\n    return -a.b"),
        Example("def f(a, n):\n    return a[n]", "def f(a, n):\n    return a[-n]"),
        Example("x = a and b", "x = a and not b"),
    ],
)  # fmt: skip
def unary_inserted(
    node: cst.Name | cst.Attribute | cst.Call | cst.Subscript | cst.BinaryOperation, ctx: Context
) -> Iterator[Change]:
    """A value is negated where it is computed with, passed, compared or returned; so is one of several conditions."""
    parent = ctx.parent(node)
    if ctx.text(node) in ("True", "False", "None", "self", "cls") or ctx.is_target(node):
        return
    if isinstance(parent, cst.BooleanOperation):
        yield ctx.wrap(node, "not ", "")
        return
    roomy = isinstance(parent, cst.Return | cst.BinaryOperation) and may_be_number(node, ctx)
    power = isinstance(parent, cst.BinaryOperation) and isinstance(parent.operator, cst.Power)
    summed = isinstance(parent, cst.BinaryOperation) and kinds_of(parent, ctx) & {TEXT, SEQUENCE}
    places = (
        cst.Arg, cst.Index, cst.Slice, cst.Comparison, cst.ComparisonTarget, cst.Assign, cst.AugAssign, cst.Element,
        cst.IfExp, cst.Lambda, cst.ListComp, cst.GeneratorExp,
    )  # fmt: skip
    number = isinstance(parent, places) and NUMBER in kinds_of(node, ctx)
    if (roomy or number) and not summed:
        grouped = isinstance(node, cst.BinaryOperation) and not node.lpar
        before, after = ("-(", ")") if grouped else ("(-", ")") if power else ("-", "")
        yield ctx.wrap(node, before, after)
