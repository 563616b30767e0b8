"""Wrong values: another expression of the statement or function, an argument for the result, a result thrown away."""

from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.context.scopes import CALLABLE, kind_of
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

_BESIDE: Final = 6
_NEAR: Final = 5
_NAMES: Final = 5
_ARGUMENTS: Final = 3
_RESULTS: Final = ("result", "res", "out", "ans")
_OPERANDS: Final = (
    cst.BinaryOperation, cst.ComparisonTarget, cst.Comparison, cst.Arg, cst.Return, cst.Assign, cst.AugAssign,
    cst.IfExp, cst.BooleanOperation, cst.UnaryOperation, cst.Index, cst.Element, cst.For, cst.CompFor, cst.If,
    cst.While, cst.DictElement, cst.FormattedStringExpression, cst.Slice, cst.ListComp, cst.GeneratorExp, cst.SetComp,
    cst.CompIf, cst.Lambda, cst.Yield,
)  # fmt: skip
"""Where an expression stands as a value of its own."""


@operator(
    name="expression-misuse",
    odc="assignment",
    bug_type="variable misuse",
    pattern="change binary operand",
    examples=[
        Example("def f(a, b):\n    return g(a[0]) + g(b[0])", "def f(a, b):\n    return g(b[0]) + g(b[0])"),
        Example("def f(a, b):\n    return [a, b.c]", "def f(a, b):\n    return [b.c, b.c]"),
    ],
)
def expression_misuse(
    node: cst.Name | cst.Call | cst.Subscript | cst.Attribute | cst.BinaryOperation, ctx: Context
) -> Iterator[Change]:
    """A value becomes another expression of the same statement."""
    if _is_operand(node, ctx):
        yield from _replaced(node, ctx.expressions_beside(node), _BESIDE, ctx)


@operator(
    name="expression-of-function",
    odc="assignment",
    bug_type="variable misuse",
    inverse="expression-to-name",
    examples=[
        Example(
            "def f(a):\n    for x in a:\n        if x > 1:\n            return g(a[-1])",
            "def f(a):\n    for x in a:\n        if a[-1] > 1:\n            return g(a[-1])",
        ),
    ],
)
def expression_of_function(
    node: cst.Name | cst.Subscript | cst.Attribute | cst.Call | cst.UnaryOperation | cst.BaseNumber, ctx: Context
) -> Iterator[Change]:
    """A variable, an element, a number or a call becomes an expression that stands near it in the same function."""
    if _is_operand(node, ctx):
        yield from _replaced(node, ctx.expressions_near(node), _NEAR, ctx)


def _is_operand(node: cst.BaseExpression, ctx: Context) -> bool:
    if not isinstance(ctx.parent(node), _OPERANDS) or ctx.is_target(node):
        return False
    return not isinstance(node, cst.Name) or ctx.is_load(node)


def _replaced(
    node: cst.BaseExpression, others: Iterator[cst.BaseExpression] | list[cst.BaseExpression], limit: int, ctx: Context
) -> Iterator[Change]:
    low, high = ctx.tree.outer[node]
    texts = {ctx.text(node)}
    if isinstance(others, list):
        others = iter(sorted(others, key=lambda o: abs(ctx.start(o) - low)))
    for other in others:
        apart = ctx.end(other) <= low or high <= ctx.start(other)
        if apart and ctx.text(other) not in texts:
            texts.add(ctx.text(other))
            yield ctx.fit(node, other)
            if len(texts) > limit:
                return


@operator(
    name="expression-to-name",
    odc="assignment",
    bug_type="variable misuse",
    examples=[
        Example("def f(a):\n    m = sum(a)\n    return m / len(a)", "def f(a):\n    m = sum(a)\n    return m / m"),
        Example("def f(a, b):\n    b.run()\n    g(a).run()", "def f(a, b):\n    b.run()\n    b.run()"),
        Example("def f(a, b):\n    return [x for x in a]", "def f(a, b):\n    return b"),
        Example("def f(a, b):\n    return a + b + 1", "def f(a, b):\n    return a + b + b"),
    ],
)
def expression_to_name(
    node: cst.Call | cst.Subscript | cst.BinaryOperation | cst.BaseComp | cst.BaseNumber | cst.BaseString | cst.Dict
    | cst.UnaryOperation | cst.List,
    ctx: Context,
) -> Iterator[Change]:  # fmt: skip
    """A variable of the scope is used for an expression: of the input for the result, or a result for the input."""
    parent = ctx.parent(node)
    if not isinstance(parent, (*_OPERANDS, cst.Attribute)) or ctx.is_target(node):
        return
    kind = kind_of(node)
    bindings = ctx.names(node)
    fitting = [b for b in bindings if not kind or not b.kinds or kind in b.kinds]
    within = {n.value for n in ctx.within(ctx.start(node), ctx.end(node), cst.Name)}
    fitting.sort(key=lambda b: b.name not in within)
    for binding in (fitting + [b for b in bindings if b not in fitting])[:_NAMES]:
        if CALLABLE not in binding.kinds:
            yield ctx.replace(node, binding.name)


@operator(
    name="result-misuse",
    odc="assignment",
    bug_type="variable misuse",
    examples=[
        Example("def f(a):\n    return sorted(a)\n", "def f(a):\n    sorted(a)\n    return a\n"),
        Example("def f(a):\n    return sorted(a)\n", "def f(a):\n    result = sorted(a)\n    return a\n"),
    ],
)
def result_misuse(node: cst.SimpleStatementLine, ctx: Context) -> Iterator[Change]:
    """A function computes its result but returns what it was computed from, or another variable."""
    match node.body:
        case [cst.Return(value=cst.BaseExpression() as value)] if not isinstance(value, cst.Name | cst.BaseNumber):
            inside = {n.value for n in ctx.within(ctx.start(value), ctx.end(value), cst.Name)}
            bindings = sorted(ctx.names(node), key=lambda b: b.name not in inside)
            names = [b.name for b in bindings if CALLABLE not in b.kinds][:_ARGUMENTS]
            indent, end = ctx.indentation(node), ctx.end(node.body[0])
            if ctx.block(node):
                for name in names:
                    for target in ("", *(f"{r} = " for r in _RESULTS if r not in inside)):
                        text = f"{indent}{target}{ctx.whole(value)}{ctx.newline}{indent}return {name}"
                        yield Edit(ctx.lines(node)[0], end, text)


@operator(
    name="assignment-dropped",
    odc="assignment",
    bug_type="missing logic",
    examples=[
        Example("x = x.strip()", "x.strip()"),
        Example("x = f(x)", "f(x)"),
    ],
)
def assignment_dropped(node: cst.Assign, ctx: Context) -> Iterator[Change]:
    """The result of a call is thrown away."""
    if isinstance(node.value, cst.Call) and len(node.targets) == 1:
        yield Edit(ctx.start(node), ctx.end(node), ctx.whole(node.value))
