"""The same wrong operator at several places: people copy a condition, or have one wrong idea of a bound."""

from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.context.signs import alternatives, sign_of
from mendlab.mutators.edits import Change
from mendlab.mutators.registry import Example, operator

Operation = cst.BinaryOperation | cst.ComparisonTarget | cst.BooleanOperation | cst.AugAssign
_MOST_PLACES: Final = 8
_OF_LINE: Final = 5
_OF_FUNCTION: Final = 3
_WORDS: Final = {
    "and": ("or",), "or": ("and",), "in": ("not in", "=="), "not in": ("in",), "is": ("is not", "=="),
    "is not": ("is", "!="),
}  # fmt: skip


def _others(sign: str) -> tuple[str, ...]:
    if sign.endswith("=") and sign[:-1] in ("+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>"):
        return tuple(f"{other}=" for other in alternatives(sign[:-1]))
    return _WORDS.get(sign) or alternatives(sign)


def _together(low: int, high: int, limit: int, ctx: Context) -> Iterator[Change]:
    """Each group of two or more equal operators in a stretch, changed alike."""
    every = ctx.of_type(cst.BinaryOperation, cst.ComparisonTarget, cst.BooleanOperation, cst.AugAssign)
    near = every[bisect_left(every, low, key=ctx.start) : bisect_left(every, high, key=ctx.start)]
    groups: dict[str, list[cst.CSTNode]] = {}
    for node in near:
        sign = getattr(node, "operator")  # noqa: B009  # all of these have one; their common base does not say so
        groups.setdefault(sign_of(sign, ctx), []).append(sign)
    for sign, places in groups.items():
        if 1 < len(places) <= _MOST_PLACES:
            for other in _others(sign)[:limit]:
                yield tuple(ctx.replace(place, other) for place in places)


@operator(
    name="operators-of-line",
    term="AOR",
    odc="algorithm",
    bug_type="operator misuse",
    inverse="operators-of-line",
    examples=[
        Example("x = a + b + c", "x = a - b - c"), Example("x = a < b and c < d", "x = a <= b and c <= d"),
        Example("if a == b or c == d:\n    f()", "if a != b or c != d:\n    f()"),
    ],
)  # fmt: skip
def operators_of_line(node: cst.SimpleStatementLine | cst.If | cst.While | cst.For, ctx: Context) -> Iterator[Change]:
    """An operator is wrong in the same way at every place of a statement or condition."""
    match node:
        case cst.If(test=head) | cst.While(test=head) | cst.For(iter=head):
            low, high = ctx.tree.outer[head]
        case _:
            low, high = ctx.tree.inner[node]
    yield from _together(low, high, _OF_LINE, ctx)


@operator(
    name="operators-of-function",
    term="AOR",
    odc="algorithm",
    bug_type="operator misuse",
    inverse="operators-of-function",
    examples=[
        Example(
            "def f(a, b):\n    if a < 0:\n        g()\n    if b < 0:\n        h()\n",
            "def f(a, b):\n    if a <= 0:\n        g()\n    if b <= 0:\n        h()\n",
        ),
    ],
)
def operators_of_function(node: cst.FunctionDef, ctx: Context) -> Iterator[Change]:
    """An operator is wrong in the same way at every place of a function."""
    low, high = ctx.tree.inner[node.body]
    yield from _together(low, high, _OF_FUNCTION, ctx)


@operator(
    name="conditions-exchanged",
    term="ROR",
    odc="checking",
    bug_type="operator misuse",
    inverse="conditions-exchanged",
    examples=[
        Example(
            "if a > b:\n    f()\nelif a < b:\n    g()\n",
            "if a < b:\n    f()\nelif a > b:\n    g()\n",
        ),
        Example(
            "if a > b:\n    f()\nelif a == b:\n    g()\n",
            "if a == b:\n    f()\nelif a > b:\n    g()\n",
        ),
    ],
)
def conditions_exchanged(node: cst.If, ctx: Context) -> Iterator[Change]:
    """The comparisons of two branches have each other's operator."""
    match node:
        case cst.If(
            test=cst.Comparison(comparisons=[first]),
            orelse=cst.If(test=cst.Comparison(comparisons=[second])),
        ) if sign_of(first.operator, ctx) != sign_of(second.operator, ctx):
            yield (
                ctx.replace(first.operator, ctx.text(second.operator)),
                ctx.replace(second.operator, ctx.text(first.operator)),
            )
