"""Wrong operands: exchanged, used twice, shared between conditions, left out of a chained comparison."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.context.scopes import SEQUENCE, TEXT, kind_of
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

_ORDERED: Final = ("<", "<=", ">", ">=", "in", "not in")
_BESIDE: Final = 4


@operator(
    name="operands-swapped",
    term="BOS",
    odc="algorithm",
    bug_type="variable misuse",
    pattern="change binary operand",
    inverse="operands-swapped",
    examples=[
        Example("x = a - b", "x = b - a"), Example("x = a < b", "x = b < a"), Example("x = a and b()", "x = b() and a"),
        Example("x = a < b < c", "x = c < b < a"),
    ],
)  # fmt: skip
def operands_swapped(
    node: cst.BinaryOperation | cst.Comparison | cst.BooleanOperation, ctx: Context
) -> Iterator[Change]:
    """The operands of an operator for which order matters change places."""
    if isinstance(node, cst.Comparison):
        signs = [" ".join(ctx.text(target.operator).split()) for target in node.comparisons]
        values = [node.left, *(target.comparator for target in node.comparisons)]
        if set(signs) & set(_ORDERED):
            for left, right in pairwise(values):
                if ctx.whole(left) != ctx.whole(right):
                    yield ctx.swap(left, right)
            if len(values) == 3:
                yield ctx.swap(values[0], values[2])
        return
    commutes = isinstance(node.operator, cst.Multiply | cst.BitAnd | cst.BitOr | cst.BitXor)
    text = TEXT in (kind_of(node.left), kind_of(node.right))
    if ctx.whole(node.left) == ctx.whole(node.right):
        return
    if isinstance(node, cst.BooleanOperation):
        yield from _swapped_conditions(node, ctx)
    elif not commutes and not (isinstance(node.operator, cst.Modulo) and text):
        yield ctx.swap(node.left, node.right)


def _swapped_conditions(node: cst.BooleanOperation, ctx: Context) -> Iterator[Change]:
    """A condition and the one before it: the order decides which guards the other."""
    before = node.left
    while isinstance(before, cst.BooleanOperation) and type(before.operator) is type(node.operator) and not before.lpar:
        before = before.right
    yield ctx.swap(before, node.right)


@operator(
    name="operand-repeated",
    term="SVR",
    odc="algorithm",
    bug_type="variable misuse",
    pattern="change binary operand",
    examples=[
        Example("x = a - b", "x = a - a"), Example("x = a[i] < a[j]", "x = a[j] < a[j]"), Example("x += y", "x += x"),
        Example("x = a.b and c", "x = a.b and a.b"),
    ],
)  # fmt: skip
def operand_repeated(
    node: cst.BinaryOperation | cst.Comparison | cst.BooleanOperation | cst.AugAssign, ctx: Context
) -> Iterator[Change]:
    """An operand stands on both sides of an operator."""
    match node:
        case cst.AugAssign(target=target, value=value):
            yield ctx.fit(value, target)
            return
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(comparator=right)]):
            pass
        case cst.BinaryOperation(left=left, right=right) | cst.BooleanOperation(left=left, right=right):
            pass
        case _:
            return
    if ctx.whole(left) != ctx.whole(right):
        constant = (cst.Integer, cst.Float, cst.SimpleString)
        if not isinstance(left, constant):
            yield ctx.fit(right, left)
        if not isinstance(right, constant):
            yield ctx.fit(left, right)


@operator(
    name="constant-operand-misuse",
    odc="algorithm",
    bug_type="variable misuse",
    pattern="change binary operand",
    inverse="constant-for-expression",
    examples=[Example("def f(a):\n    return g(a[0]) + 1", "def f(a):\n    return g(a[0]) + a[0]")],
)
def constant_operand_misuse(node: cst.Integer | cst.Float | cst.SimpleString, ctx: Context) -> Iterator[Change]:
    """A constant operand becomes an expression that stands beside it in the statement."""
    if not isinstance(ctx.parent(node), cst.BinaryOperation | cst.ComparisonTarget | cst.Comparison):
        return
    low, high = ctx.tree.outer[node]
    kind = kind_of(node)
    beside = sorted(ctx.expressions_beside(node), key=lambda e: abs(ctx.start(e) - low))
    texts: dict[str, cst.BaseExpression] = {}
    for other in beside:
        apart = ctx.end(other) <= low or high <= ctx.start(other)
        if apart and kind_of(other) in (None, kind):
            texts.setdefault(ctx.text(other), other)
    yield from (ctx.fit(node, other) for other in list(texts.values())[:_BESIDE])


@operator(
    name="operators-exchanged",
    odc="algorithm",
    bug_type="operator misuse",
    inverse="operators-exchanged",
    examples=[
        Example("x = a + b - c", "x = a - b + c"), Example("x = a < b <= c", "x = a <= b < c"),
        Example("x = a and b or c", "x = a or b and c"), Example("x = a > b and c < d", "x = a < b and c > d"),
    ],
)  # fmt: skip
def operators_exchanged(
    node: cst.BinaryOperation | cst.Comparison | cst.BooleanOperation, ctx: Context
) -> Iterator[Change]:
    """Two operators beside each other change places."""
    pairs: list[tuple[cst.CSTNode, cst.CSTNode]] = []
    match node:
        case cst.Comparison(comparisons=targets):
            pairs = [(left.operator, right.operator) for left, right in pairwise(targets)]
        case cst.BooleanOperation(left=cst.Comparison(comparisons=[first]), right=cst.Comparison(comparisons=[second])):
            pairs = [(first.operator, second.operator)]
        case cst.BinaryOperation() | cst.BooleanOperation():
            sides = (node.left, node.right)
            pairs = [(node.operator, side.operator) for side in sides if isinstance(side, type(node))]
    for left, right in pairs:
        one, other = ctx.text(left), ctx.text(right)
        if one != other:
            yield ctx.replace(left, other), ctx.replace(right, one)


@operator(
    name="comparison-unchained",
    term="OODL",
    odc="checking",
    bug_type="missing logic",
    pattern="more specific if",
    examples=[
        Example("x = a < b < c", "x = a < b"), Example("x = a < b < c", "x = b < c"),
        Example("x = a < b < c", "x = a < c"), Example("x = a == b == c", "x = a == b or b == c"),
    ],
)  # fmt: skip
def comparison_unchained(node: cst.Comparison, ctx: Context) -> Iterator[Change]:
    """A chained comparison loses one of its ends or its middle, or becomes two of which one is enough."""
    if len(node.comparisons) != 2:
        return
    first, second = node.comparisons
    yield Edit(ctx.end(first), ctx.end(node), "")
    yield Edit(ctx.start(node), ctx.tree.outer[first.comparator][0], "")
    yield Edit(ctx.tree.outer[node.left][1], ctx.tree.outer[first.comparator][1], "")
    middle = ctx.whole(first.comparator)
    rest = f"{middle} {ctx.text(second.operator)} {ctx.whole(second.comparator)}"
    inside = isinstance(ctx.parent(node), cst.BooleanOperation | cst.UnaryOperation) and not node.lpar
    text = f"{ctx.source[ctx.start(node) : ctx.end(first)]} or {rest}"
    yield ctx.replace(node, f"({text})" if inside else text)


@operator(
    name="subject-shared",
    odc="checking",
    bug_type="operator misuse",
    examples=[
        Example("x = a == b or a == c", "x = a == b or c"), Example("x = a > b and a < c", "x = a > b and c"),
        Example("x = a in (b, c)", "x = a == b or c"), Example("x = a < b and c < b", "x = a and c < b"),
        Example("x = a > b and a < c", "x = a > b < c"), Example("x = a == b or a == c", "x = a == (b or c)"),
    ],
)  # fmt: skip
def subject_shared(node: cst.BooleanOperation | cst.Comparison, ctx: Context) -> Iterator[Change]:
    """Two comparisons of one thing are written as in speech, so that the second is the truth of a value."""
    match node:
        case cst.BooleanOperation(
            left=cst.Comparison(left=subject, comparisons=[first]) as left,
            operator=word,
            right=cst.Comparison(left=other, comparisons=[second]) as right,
        ):
            one, two = ctx.whole(first.comparator), ctx.whole(second.comparator)
            if ctx.whole(subject) == ctx.whole(other):
                yield Edit(*ctx.tree.outer[right], two)
                yield Edit(ctx.end(left), ctx.tree.outer[second.operator][0], "")
                if ctx.text(first.operator) == ctx.text(second.operator):
                    yield Edit(*ctx.tree.outer[first.comparator], f"({one} {ctx.text(word)} {two})")._replace(
                        end=ctx.tree.outer[right][1]
                    )
            elif one == two:
                yield Edit(*ctx.tree.outer[left], ctx.whole(subject))
        case cst.Comparison(comparisons=[cst.ComparisonTarget(operator=cst.In(), comparator=group)]):
            if isinstance(group, cst.Tuple | cst.List | cst.Set) and len(group.elements) > 1:
                rest = " or ".join(ctx.item_text(element) for element in group.elements)
                inside = isinstance(ctx.parent(node), cst.BooleanOperation | cst.UnaryOperation) and not node.lpar
                text = f"{ctx.whole(node.left)} == {rest}"
                yield ctx.replace(node, f"({text})" if inside else text)


@operator(
    name="concatenation-lost",
    odc="algorithm",
    bug_type="operator misuse",
    examples=[Example("x = a + 'b'", "x = a, 'b'"), Example("f('a' + b)", "f('a', b)")],
)
def concatenation_lost(node: cst.BinaryOperation, ctx: Context) -> Iterator[Change]:
    """A comma stands for the plus between texts or lists."""
    joined = {kind_of(node.left), kind_of(node.right)} & {TEXT, SEQUENCE}
    if (
        joined
        and isinstance(node.operator, cst.Add)
        and isinstance(ctx.parent(node), cst.Arg | cst.Assign | cst.Return)
    ):
        yield Edit(ctx.tree.outer[node.left][1], ctx.tree.outer[node.right][0], ", ")
