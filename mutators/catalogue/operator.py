"""Wrong operators: arithmetic, bitwise, comparison, logical, membership, identity, unary, augmented."""

from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator
from mendlab.mutators.scopes import SEQUENCE, TEXT, kind_of

_ARITHMETIC: Final = ("+", "-", "*", "/", "//", "%", "**")
_BITWISE: Final = ("&", "|", "^")
_SHIFTS: Final = ("<<", ">>")
_GROUPS: Final = (_ARITHMETIC, _BITWISE, _SHIFTS)
_RELATIONS: Final = ("<", "<=", ">", ">=", "==", "!=")
_NEGATIONS: Final = {"in": "not in", "not in": "in", "is": "is not", "is not": "is"}


def _holds_text(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.BinaryOperation) and kind_of(node) in (TEXT, SEQUENCE)


def _alternatives(sign: str) -> tuple[str, ...]:
    return tuple(other for group in _GROUPS if sign in group for other in group if other != sign)


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
    ],
)
def arithmetic_swapped(node: cst.BinaryOperation, ctx: Context) -> Iterator[Change]:
    """An arithmetic, bitwise or shift operator becomes another of its group."""
    if {kind_of(node.left), kind_of(node.right)} & {TEXT, SEQUENCE}:
        return
    for sign in _alternatives(ctx.text(node.operator)):
        yield ctx.replace(node.operator, sign)


@operator(
    name="augmented-swapped",
    term="ASR",
    odc="algorithm",
    bug_type="operator misuse",
    pattern="change binary operator",
    inverse="augmented-swapped",
    examples=[Example("x += 1", "x -= 1"), Example("x &= y", "x ^= y"), Example("x //= 2", "x -= 2")],
)
def augmented_swapped(node: cst.AugAssign, ctx: Context) -> Iterator[Change]:
    """An augmented assignment uses another operator of its group."""
    if kind_of(node.value) in (TEXT, SEQUENCE):
        return
    for sign in _alternatives(ctx.text(node.operator)[:-1]):
        yield ctx.replace(node.operator, f"{sign}=")


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
    examples=[Example("def f(x, y):\n    x = y", "def f(x, y):\n    x += y")],
)
def plain_to_augmented(node: cst.Assign, ctx: Context) -> Iterator[Change]:
    """An assignment to a variable that has a value already adds to it or takes from it."""
    if len(node.targets) == 1 and isinstance(target := node.targets[0].target, cst.Name):
        binding = ctx.scope(node).resolve(target.value)
        if binding and binding.first < ctx.start(target):
            start, end = ctx.end(target), ctx.tree.outer[node.value][0]
            for sign in ("+=", "-="):
                yield Edit(start, end, f" {sign} ")


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
    sign = ctx.text(node.operator)
    if sign in _RELATIONS:
        for other in _RELATIONS:
            if other != sign:
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
    sign = " ".join(ctx.text(node.operator).split())
    if sign in _NEGATIONS:
        yield ctx.replace(node.operator, _NEGATIONS[sign])


@operator(
    name="membership-to-equality",
    term="MCR",
    odc="checking",
    bug_type="operator misuse",
    pattern="change binary operator",
    inverse="equality-to-membership",
    examples=[Example("x = a in b", "x = a == b")],
)
def membership_to_equality(node: cst.ComparisonTarget, ctx: Context) -> Iterator[Change]:
    """A membership test becomes a test for equality."""
    sign = " ".join(ctx.text(node.operator).split())
    if sign in ("in", "not in"):
        yield ctx.replace(node.operator, "==" if sign == "in" else "!=")


@operator(
    name="equality-to-membership",
    term="MCR",
    odc="checking",
    bug_type="operator misuse",
    pattern="change binary operator",
    inverse="membership-to-equality",
    examples=[Example("x = a == b", "x = a in b")],
)
def equality_to_membership(node: cst.ComparisonTarget, ctx: Context) -> Iterator[Change]:
    """A test for equality becomes a membership test."""
    sign = ctx.text(node.operator)
    if sign in ("==", "!=") and not isinstance(node.comparator, cst.Integer | cst.Float):
        before, after = ctx.source[ctx.start(node.operator) - 1], ctx.source[ctx.end(node.operator)]
        word = "in" if sign == "==" else "not in"
        yield ctx.replace(node.operator, f"{'' if before == ' ' else ' '}{word}{'' if after == ' ' else ' '}")


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
    name="unary-dropped",
    term="UOD",
    odc="algorithm",
    bug_type="operator misuse",
    pattern="change unary operator",
    inverse="unary-inserted",
    examples=[Example("x = -a", "x = a"), Example("x = not a", "x = a")],
)
def unary_dropped(node: cst.UnaryOperation, ctx: Context) -> Iterator[Change]:
    """A unary operator goes."""
    yield Edit(ctx.start(node), ctx.tree.outer[node.expression][0], "")


@operator(
    name="unary-inserted",
    term="UOI",
    odc="algorithm",
    bug_type="operator misuse",
    pattern="change unary operator",
    inverse="unary-dropped",
    examples=[Example("x = a - b", "x = -a - b"), Example("def f(a):\n    return a.b", "def f(a):\n    return -a.b")],
)
def unary_inserted(node: cst.Name | cst.Attribute | cst.Call | cst.Subscript, ctx: Context) -> Iterator[Change]:
    """A value that is computed with or returned is negated."""
    parent = ctx.parent(node)
    in_sum = isinstance(parent, cst.BinaryOperation) and not isinstance(parent.operator, cst.Power)
    fits = isinstance(parent, cst.Return) or (in_sum and not _holds_text(parent))
    if fits and kind_of(node) != TEXT and ctx.text(node) not in ("True", "False", "None", "self"):
        yield ctx.wrap(node, "-", "")


@operator(
    name="operands-swapped",
    term="BOS",
    odc="algorithm",
    bug_type="variable misuse",
    pattern="change binary operand",
    inverse="operands-swapped",
    examples=[Example("x = a - b", "x = b - a"), Example("x = a < b", "x = b < a")],
)
def operands_swapped(node: cst.BinaryOperation | cst.Comparison, ctx: Context) -> Iterator[Change]:
    """The operands of an operator for which order matters change places."""
    if isinstance(node, cst.Comparison):
        if len(node.comparisons) == 1 and ctx.text(node.comparisons[0].operator) in ("<", "<=", ">", ">=", "in"):
            yield ctx.swap(node.left, node.comparisons[0].comparator)
        return
    commutes = isinstance(node.operator, cst.Multiply | cst.BitAnd | cst.BitOr | cst.BitXor)
    text = TEXT in (kind_of(node.left), kind_of(node.right))
    if not commutes and not (isinstance(node.operator, cst.Modulo) and text):
        yield ctx.swap(node.left, node.right)


@operator(
    name="parentheses-dropped",
    odc="algorithm",
    bug_type="operator misuse",
    inverse="parentheses-moved",
    examples=[Example("x = (a + b) * c", "x = a + b * c")],
)
def parentheses_dropped(node: cst.BinaryOperation | cst.BooleanOperation, ctx: Context) -> Iterator[Change]:
    """A parenthesised operand loses its parentheses, and the operators bind otherwise."""
    if node.lpar and isinstance(ctx.parent(node), cst.BinaryOperation | cst.BooleanOperation | cst.UnaryOperation):
        start, end = ctx.tree.outer[node]
        if "\n" not in ctx.source[start:end]:
            yield Edit(start, end, ctx.text(node))


@operator(
    name="parentheses-moved",
    odc="algorithm",
    bug_type="operator misuse",
    inverse="parentheses-dropped",
    examples=[Example("x = a * b + c", "x = a * (b + c)"), Example("x = a and b or c", "x = a and (b or c)")],
)
def parentheses_moved(node: cst.BinaryOperation | cst.BooleanOperation, ctx: Context) -> Iterator[Change]:
    """In a chain of two operators the right one binds first."""
    left = node.left
    if type(left) is type(node) and not left.lpar and type(left.operator) is not type(node.operator):
        start, end = ctx.tree.outer[left.right][0], ctx.tree.outer[node.right][1]
        yield Edit(start, end, f"({ctx.source[start:end]})")
