"""Wrong grouping: parentheses dropped, added or moved, steps taken inside or outside a call, negation of a part."""

from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.context.scopes import SEQUENCE, TEXT, kind_of
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

Binary = cst.BinaryOperation | cst.BooleanOperation
_ASSOCIATIVE: Final = (cst.Add, cst.Multiply, cst.BitAnd, cst.BitOr, cst.BitXor, cst.And, cst.Or)
_DEEPEST: Final = 3
"""How many calls inside each other a step is moved through."""


@operator(
    name="parentheses-dropped",
    odc="algorithm",
    bug_type="operator misuse",
    inverse="parentheses-moved",
    examples=[
        Example("x = (a + b) * c", "x = a + b * c"), Example("x = not (a and b)", "x = not a and b"),
        Example("x = (a or b).c", "x = a or b.c"), Example("x = y + (a if b else c)", "x = y + a if b else c"),
    ],
)  # fmt: skip
def parentheses_dropped(
    node: Binary | cst.Comparison | cst.UnaryOperation | cst.IfExp | cst.NamedExpr | cst.Lambda | cst.Await,
    ctx: Context,
) -> Iterator[Change]:
    """A parenthesised operand loses its parentheses, and the operators bind otherwise."""
    if node.lpar:
        start, end = ctx.tree.outer[node]
        if "\n" not in ctx.source[start:end]:
            spaced = ctx.source[start - 1 : start].isalnum()
            yield Edit(start, end, f"{' ' if spaced else ''}{ctx.text(node)}")


@operator(
    name="parentheses-moved",
    odc="algorithm",
    bug_type="operator misuse",
    inverse="parentheses-dropped",
    examples=[
        Example("x = a * b + c", "x = a * (b + c)"), Example("x = a and b or c", "x = a and (b or c)"),
        Example("x = a + b * c", "x = (a + b) * c"), Example("x = a - b - c", "x = a - (b - c)"),
        Example("x = a + b * c - d", "x = a + b * (c - d)"),
    ],
)  # fmt: skip
def parentheses_moved(node: Binary, ctx: Context) -> Iterator[Change]:
    """Of two operators beside each other the one that binds second binds first."""
    kind = cst.BinaryOperation if isinstance(node, cst.BinaryOperation) else cst.BooleanOperation
    left: cst.BaseExpression = node.left
    while isinstance(left, kind) and not left.lpar:
        if type(left.operator) is not type(node.operator) or not isinstance(node.operator, _ASSOCIATIVE):
            yield from _grouped(left.right, node.right, ctx)
        left = left.right
    right: cst.BaseExpression = node.right
    while isinstance(right, kind) and not right.lpar:
        yield from _grouped(node.left, right.left, ctx)
        right = right.left


def _grouped(first: cst.BaseExpression, last: cst.BaseExpression, ctx: Context) -> Iterator[Edit]:
    start, end = ctx.tree.outer[first][0], ctx.tree.outer[last][1]
    if "\n" not in ctx.source[start:end]:
        yield Edit(start, end, f"({ctx.source[start:end]})")


@operator(
    name="sign-regrouped",
    odc="algorithm",
    bug_type="operator misuse",
    inverse="parentheses-dropped",
    examples=[
        Example("x = -a ** b", "x = (-a) ** b"), Example("x = not a == b", "x = (not a) == b"),
        Example("x = -a + b", "x = -(a + b)"), Example("x = not a and b", "x = not (a and b)"),
    ],
)  # fmt: skip
def sign_regrouped(
    node: cst.UnaryOperation | cst.BinaryOperation | cst.BooleanOperation | cst.Comparison, ctx: Context
) -> Iterator[Change]:
    """A unary operator takes only the first part of its operand, or the whole operation that it begins."""
    if isinstance(node, cst.UnaryOperation):
        inner = node.expression
        first = getattr(inner, "left", None)
        if isinstance(first, cst.BaseExpression) and not inner.lpar:
            start, end = ctx.start(node), ctx.tree.outer[first][1]
            yield Edit(start, end, f"({ctx.source[start:end]})")
    elif isinstance(node.left, cst.UnaryOperation) and not node.left.lpar:
        start, end = ctx.tree.outer[node.left.expression][0], ctx.end(node)
        yield Edit(start, end, f"({ctx.source[start:end]})")


@operator(
    name="negation-distributed",
    odc="checking",
    bug_type="operator misuse",
    inverse="negation-distributed",
    examples=[
        Example("x = not (a and b)", "x = not a and not b"), Example("x = not a and not b", "x = not (a and b)"),
        Example("x = not (a and b)", "x = a or b"), Example("x = not (a or b)", "x = not a or b"),
    ],
)  # fmt: skip
def negation_distributed(node: cst.UnaryOperation | cst.BooleanOperation, ctx: Context) -> Iterator[Change]:
    """De Morgan's laws are misapplied: a negation enters or leaves a condition, and its operator or a part stays."""
    match node:
        case cst.UnaryOperation(operator=cst.Not(), expression=cst.BooleanOperation() as inner):
            word, left, right = ctx.text(inner.operator), ctx.whole(inner.left), ctx.whole(inner.right)
            other = "or" if word == "and" else "and"
            before = "(" if isinstance(ctx.parent(node), cst.BooleanOperation) and not node.lpar else ""
            after = ")" if before else ""
            for text in (
                f"not {left} {word} not {right}", f"not {left} {word} {right}", f"{left} {word} not {right}",
                f"{left} {other} {right}", f"not {left} {other} {right}",
            ):  # fmt: skip
                yield ctx.replace(node, f"{before}{text}{after}")
        case cst.BooleanOperation(
            left=cst.UnaryOperation(operator=cst.Not(), expression=left),
            right=cst.UnaryOperation(operator=cst.Not(), expression=right),
        ):
            yield ctx.replace(node, f"not ({ctx.whole(left)} {ctx.text(node.operator)} {ctx.whole(right)})")


def _only_argument(node: cst.CSTNode) -> cst.BaseExpression | None:
    """What a call with one plain argument is made with."""
    match node:
        case cst.Call(args=[cst.Arg(star="", keyword=None, value=value)]) if not isinstance(value, cst.GeneratorExp):
            return value
    return None


def _first_argument(node: cst.CSTNode) -> cst.BaseExpression | None:
    match node:
        case cst.Call(args=[cst.Arg(star="", keyword=None, value=value), *_]) if not isinstance(
            value, cst.GeneratorExp
        ):
            return value
    return None


@operator(
    name="step-inside-call",
    odc="algorithm",
    bug_type="operator misuse",
    inverse="step-outside-call",
    examples=[
        Example("x = f(a) * b", "x = f(a * b)"), Example("x = f(g(a)) + b", "x = f(g(a + b))"),
        Example("x = a[i] + 1", "x = a[i + 1]"), Example("x = len(a) == b", "x = len(a == b)"),
        Example("x = f(a)[0]", "x = f(a[0])"), Example("x = f(a).b()", "x = f(a.b())"),
        Example("x = b * f(a)", "x = f(b * a)"), Example("x = -f(a)", "x = f(-a)"),
    ],
)  # fmt: skip
def step_inside_call(
    node: cst.BinaryOperation | cst.Comparison | cst.Subscript | cst.Call | cst.Attribute | cst.UnaryOperation,
    ctx: Context,
) -> Iterator[Change]:
    """A closing parenthesis or bracket stands too late: what is done with the result is done with the argument."""
    holders: list[tuple[cst.BaseExpression, bool]] = []
    match node:
        case cst.BinaryOperation(left=left, right=right):
            holders = [(left, False), (right, True)]
        case cst.Comparison(left=left, comparisons=[_]):
            holders = [(left, False)]
        case cst.Subscript(value=value) | cst.Call(func=cst.Attribute(value=value)) if not ctx.is_target(node):
            holders = [(value, False)]
        case cst.Attribute(value=value) if not _is_called(node, ctx) and not ctx.is_target(node):
            holders = [(value, False)]
        case cst.UnaryOperation(expression=value):
            holders = [(value, True)]
    for holder, leading in holders:
        if not holder.lpar:
            for argument in _inside(holder):
                yield from _pulled_in(node, holder, argument, leading, ctx)


def _is_called(node: cst.Attribute, ctx: Context) -> bool:
    parent = ctx.parent(node)
    return isinstance(parent, cst.Call) and parent.func is node


def _inside(holder: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The argument or index of an expression, that of the argument, and so on."""
    for _ in range(_DEEPEST):
        match holder:
            case cst.Subscript(slice=[cst.SubscriptElement(slice=cst.Index(value=value))]):
                yield value
            case _ if (argument := _first_argument(holder)) is not None:
                value = argument
                yield value
            case _:
                return
        holder = value


def _pulled_in(
    node: cst.BaseExpression, holder: cst.BaseExpression, argument: cst.BaseExpression, leading: bool, ctx: Context
) -> Iterator[Edit]:
    """The text between holder and end of the node moves to the argument; before it if ``leading``."""
    start, end = ctx.tree.inner[node]
    low, high = ctx.tree.inner[holder]
    first, last = ctx.tree.outer[argument]
    source = ctx.source
    inner = ctx.operand(argument) if isinstance(node, cst.Subscript | cst.Call | cst.Attribute) else source[first:last]
    if leading:
        yield Edit(start, end, source[low:first] + source[start:low] + inner + source[last:high])
    else:
        yield Edit(start, end, source[low:first] + inner + source[high:end] + source[last:high])


@operator(
    name="step-outside-call",
    odc="algorithm",
    bug_type="operator misuse",
    inverse="step-inside-call",
    examples=[
        Example("x = f(a * b)", "x = f(a) * b"), Example("x = f(g(a + b))", "x = f(g(a)) + b"),
        Example("x = a[i + 1]", "x = a[i] + 1"), Example("x = f(a[0])", "x = f(a)[0]"),
        Example("x = f(a.b())", "x = f(a).b()"), Example("x = f(a == b)", "x = f(a) == b"),
        Example("x = f(-a)", "x = -f(a)"),
    ],
)  # fmt: skip
def step_outside_call(node: cst.Call | cst.Subscript, ctx: Context) -> Iterator[Change]:
    """A closing parenthesis or bracket stands too early: what is done with the argument is done with the result."""
    if ctx.is_target(node) or isinstance(ctx.parent(node), cst.Expr | cst.Await | cst.Decorator):
        return
    start, end = ctx.tree.inner[node]
    source = ctx.source
    for argument in _inside(node):
        first, last = ctx.tree.inner[argument]
        if argument.lpar:
            continue
        kept = _kept_part(argument)
        if isinstance(argument, cst.UnaryOperation):
            low = ctx.tree.outer[argument.expression][0]
            yield Edit(start, end, source[first:low] + source[start:first] + source[low:end])
        elif kept is not None:
            cut = ctx.tree.outer[kept][1]
            text = source[start:cut] + source[last:end] + source[cut:last]
            bare = isinstance(argument, cst.Subscript | cst.Call | cst.Attribute)
            yield Edit(start, end, text if bare else _as_part(node, text, ctx))


def _kept_part(argument: cst.BaseExpression) -> cst.BaseExpression | None:
    """What stays in the parentheses of an argument that has a last step."""
    match argument:
        case cst.BinaryOperation(left=left) | cst.Comparison(left=left, comparisons=[_]):
            return left
        case cst.Subscript(value=value) | cst.Call(func=cst.Attribute(value=value)) | cst.Attribute(value=value):
            return value
    return None


def _as_part(node: cst.BaseExpression, text: str, ctx: Context) -> str:
    """The text of an operation, in parentheses where the node's place needs them."""
    parent = ctx.parent(node)
    tight = isinstance(parent, cst.Attribute | cst.Subscript | cst.Call | cst.Await)
    return f"({text})" if tight and not node.lpar else text


@operator(
    name="sum-regrouped",
    odc="algorithm",
    bug_type="operator misuse",
    inverse="sum-regrouped",
    examples=[
        Example("x = a * (b + c)", "x = (a * b) + c"), Example("x = (a + b) / c", "x = a + (b / c)"),
        Example("x = a - (b + c)", "x = a - b - c"), Example("x = (a + b) / (c + d)", "x = a + b / c + d"),
    ],
)  # fmt: skip
def sum_regrouped(node: cst.BinaryOperation, ctx: Context) -> Iterator[Change]:
    """Parentheses of an operand move over to its neighbour, or both operands lose theirs."""
    left, right, sign = node.left, node.right, ctx.text(node.operator)
    if {kind_of(left), kind_of(right)} & {TEXT, SEQUENCE}:
        return
    if isinstance(right, cst.BinaryOperation) and right.lpar:
        inner = ctx.text(right.operator)
        first, last = ctx.whole(right.left), ctx.whole(right.right)
        yield ctx.replace(node, f"({ctx.whole(left)} {sign} {first}) {inner} {last}")
        if isinstance(node.operator, cst.Subtract) and isinstance(right.operator, cst.Add | cst.Subtract):
            yield ctx.replace(node, f"{ctx.whole(left)} - {first} - {last}")
    if isinstance(left, cst.BinaryOperation) and left.lpar:
        first, last = ctx.whole(left.left), ctx.whole(left.right)
        yield ctx.replace(node, f"{first} {ctx.text(left.operator)} ({last} {sign} {ctx.whole(right)})")
        if isinstance(right, cst.BinaryOperation) and right.lpar:
            yield ctx.replace(node, f"{ctx.text(left)} {sign} {ctx.text(right)}")
