"""Wrong control flow in conditions: negated, forced, in another order, or about another kind of nothing."""

from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

_EMPTIES: Final = ("[]", "()", "''", "{}", "None")


@operator(
    name="condition-negated",
    term="COI",
    odc="checking",
    bug_type="operator misuse",
    pattern="change unary operator",
    inverse="unary-dropped",
    examples=[
        Example("if x:\n    pass", "if not x:\n    pass"),
        Example("while a < b: pass", "while not a < b: pass"),
        Example("x = [i for i in y if a or b]", "x = [i for i in y if not (a or b)]"),
        Example("x = a and b", "x = a and not b"),
        Example("def f(a, b):\n    return a == b", "def f(a, b):\n    return not a == b"),
    ],
)
def condition_negated(
    node: cst.If | cst.While | cst.IfExp | cst.CompIf | cst.Assert | cst.BooleanOperation | cst.Return, ctx: Context
) -> Iterator[Change]:
    """A condition is negated, or a clause of one."""
    match node:
        case cst.BooleanOperation(left=left, right=right):
            tests = [left, right]
            tests = [test for test in tests if not isinstance(test, cst.BooleanOperation) or test.lpar]
        case cst.Return(value=value):
            tests = [value] if isinstance(value, cst.Comparison | cst.BooleanOperation) else []
        case _:
            tests = [node.test]
    for test in tests:
        if not (isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not)):
            start, end = ctx.tree.outer[test]
            before = " " if ctx.source[start - 1].isalpha() else ""
            yield Edit(start, end, before + ctx.contrary(test))


@operator(
    name="condition-forced",
    odc="checking",
    bug_type="missing logic",
    examples=[Example("if x:\n    pass", "if True:\n    pass"), Example("while x: pass", "while False: pass")],
)
def condition_forced(node: cst.If | cst.While, ctx: Context) -> Iterator[Change]:
    """A branch is always or never taken, a loop never entered or never ended."""
    if ctx.text(node.test) not in ("True", "False", "1", "0"):
        start, end = ctx.tree.outer[node.test]
        before = " " if ctx.source[start - 1].isalpha() else ""
        for word in ("True", "False"):
            yield Edit(start, end, before + word)


@operator(
    name="clauses-swapped",
    odc="checking",
    bug_type="operator misuse",
    inverse="clauses-swapped",
    examples=[
        Example("x = a and b[0]", "x = b[0] and a"),
        Example("x = a and b and b[0]", "x = a and b[0] and b"),
    ],
)
def clauses_swapped(node: cst.BooleanOperation, ctx: Context) -> Iterator[Change]:
    """Clauses of a condition are tried in the other order, so that one no longer guards the next."""
    left = node.left
    if isinstance(left, cst.BooleanOperation) and not left.lpar and type(left.operator) is type(node.operator):
        left = left.right
    if not (_harmless(left) and _harmless(node.right)):
        yield ctx.swap(left, node.right)


def _harmless(node: cst.BaseExpression) -> bool:
    """Whether a clause can't fail: then it doesn't matter whether it comes first."""
    match node:
        case cst.UnaryOperation(operator=cst.Not(), expression=inner):
            return _harmless(inner)
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(operator=sign, comparator=right)]):
            return (
                isinstance(sign, cst.Equal | cst.NotEqual | cst.Is | cst.IsNot) and _harmless(left) and _harmless(right)
            )
    return isinstance(node, cst.Name | cst.Integer | cst.Float | cst.SimpleString)


@operator(
    name="size-test-confused",
    odc="checking",
    bug_type="operator misuse",
    examples=[
        Example("x = len(a) <= 1", "x = len(a) == 0"),
        Example("x = len(a) > 1", "x = len(a) > 0"),
        Example("x = len(a) == 0", "x = a == []"),
    ],
)
def size_test_confused(node: cst.Comparison, ctx: Context) -> Iterator[Change]:
    """A test of a size becomes a test whether there is anything, or for one kind of empty collection."""
    match node:
        case cst.Comparison(
            left=cst.Call(func=cst.Name(value="len"), args=[cst.Arg(value=value)]) as size,
            comparisons=[cst.ComparisonTarget(comparator=cst.Integer(value=number), operator=sign)],
        ):
            yield ctx.replace(node, f"{ctx.text(size)} == 0")
            yield ctx.replace(node, f"{ctx.text(size)} > 0")
            if number == "0" and isinstance(sign, cst.Equal | cst.NotEqual | cst.GreaterThan):
                word = "==" if isinstance(sign, cst.Equal) else "!="
                for empty in ("[]", "()", "None"):
                    yield ctx.replace(node, f"{ctx.whole(value)} {word} {empty}")


@operator(
    name="emptiness-confused",
    odc="checking",
    bug_type="value misuse",
    pattern="change constant type",
    inverse="emptiness-confused",
    examples=[
        Example("if not x:\n    f()\n", "if x == []:\n    f()\n"),
        Example("if x == []:\n    f()\n", "if x == ():\n    f()\n"),
    ],
)
def emptiness_confused(node: cst.If | cst.While | cst.Comparison, ctx: Context) -> Iterator[Change]:
    """One kind of empty value is taken for another, or for all of them."""
    match node:
        case cst.If(test=test) | cst.While(test=test):
            match test:
                case cst.UnaryOperation(operator=cst.Not(), expression=cst.Name() | cst.Attribute() as value):
                    for empty in ("[]", "()", "''", "0"):
                        yield ctx.replace(test, f"{ctx.whole(value)} == {empty}")
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(operator=cst.Equal(), comparator=empty)]) if (
            ctx.whole(empty) in (*_EMPTIES, '""')
        ):
            for other in _EMPTIES:
                yield Edit(*ctx.tree.outer[empty], other)
            yield ctx.replace(node, f"not {ctx.operand(left)}")
