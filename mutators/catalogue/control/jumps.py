"""Wrong control flow in jumps: break, continue, return, yield and pass confused, answers exchanged."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

_JUMPS: Final = {cst.Break: "break", cst.Continue: "continue", cst.Return: "return", cst.Pass: "pass"}


@operator(
    name="jump-exchanged",
    odc="algorithm",
    bug_type="operator misuse",
    inverse="jump-exchanged",
    examples=[
        Example("for x in y:\n    break", "for x in y:\n    continue"),
        Example("def f(y):\n    for x in y:\n        return x", "def f(y):\n    for x in y:\n        break"),
        Example("def f(y):\n    for x in y:\n        break", "def f(y):\n    for x in y:\n        return"),
        Example("for x in y:\n    if x: continue\n    f(x)", "for x in y:\n    if x: pass\n    f(x)"),
    ],
)
def jump_exchanged(node: cst.Break | cst.Continue | cst.Return | cst.Pass, ctx: Context) -> Iterator[Change]:
    """break, continue, return and pass stand for each other in a loop."""
    if ctx.loop(node) is None:
        return
    idle = isinstance(node, cst.Pass | cst.Continue) and _ends_round(node, ctx)
    for kind, word in _JUMPS.items():
        if isinstance(node, kind) or (idle and word in ("pass", "continue")):
            continue
        if word != "return" or ctx.function(node) is not None:
            yield ctx.replace(node, word)


def _ends_round(node: cst.CSTNode, ctx: Context) -> bool:
    """Whether nothing comes after a statement in its round of the loop, so that pass and continue are the same."""
    place: cst.CSTNode = node
    for ancestor in ctx.ancestors(node):
        if isinstance(ancestor, cst.For | cst.While):
            return True
        if isinstance(ancestor, cst.IndentedBlock | cst.SimpleStatementLine | cst.SimpleStatementSuite):
            if ancestor.body[-1] is not place:
                return False
        elif not isinstance(ancestor, cst.If | cst.Else | cst.With):
            return False
        place = ancestor
    return False


@operator(
    name="yield-exchanged",
    odc="algorithm",
    bug_type="operator misuse",
    examples=[
        Example("def f(x):\n    yield x", "def f(x):\n    return x"),
        Example("def f(x):\n    yield from x", "def f(x):\n    yield x"),
    ],
)
def yield_exchanged(node: cst.Yield, ctx: Context) -> Iterator[Change]:
    """A generator returns, or yields a whole for its elements."""
    statement = ctx.parent(node)
    if isinstance(statement, cst.Expr) and node.value is not None and not node.lpar:
        value = node.value.item if isinstance(node.value, cst.From) else node.value
        start, stop = ctx.start(node), ctx.tree.outer[value][0]
        yield Edit(start, stop, "return ")
        if isinstance(node.value, cst.From):
            yield Edit(start, stop, "yield ")


@operator(
    name="boolean-returns-flipped",
    odc="algorithm",
    bug_type="operator misuse",
    inverse="boolean-returns-flipped",
    examples=[
        Example(
            "def f(x):\n    if x:\n        return False\n    return True\n",
            "def f(x):\n    if x:\n        return True\n    return False\n",
        )
    ],
)
def boolean_returns_flipped(node: cst.FunctionDef | cst.For | cst.While, ctx: Context) -> Iterator[Change]:
    """A predicate answers the contrary: its True and False returns are exchanged."""
    low, high = ctx.tree.inner[node]
    if not isinstance(node, cst.FunctionDef):
        following = ctx.following(node)
        high = high if following is None else ctx.end(following)
    edits = tuple(
        ctx.replace(r.value, "False" if r.value.value == "True" else "True")
        for r in ctx.within(low, high, cst.Return)
        if isinstance(r.value, cst.Name) and r.value.value in ("True", "False")
    )
    if len(edits) > 1:
        yield edits


@operator(
    name="returns-swapped",
    odc="algorithm",
    bug_type="variable misuse",
    inverse="returns-swapped",
    examples=[
        Example(
            "def f(x):\n    if x:\n        return a\n    return b\n",
            "def f(x):\n    if x:\n        return b\n    return a\n",
        )
    ],
)
def returns_swapped(node: cst.FunctionDef, ctx: Context) -> Iterator[Change]:
    """Two answers of a function, one after the other in its text, are exchanged; or one is given in both places."""
    found = [r for r in ctx.within(*ctx.tree.inner[node], cst.Return) if ctx.function(r) is node]
    for left, right in pairwise(found):
        if left.value is not None and right.value is not None and ctx.whole(left.value) != ctx.whole(right.value):
            yield ctx.swap(left.value, right.value)
            yield ctx.fit(left.value, right.value)
            yield ctx.fit(right.value, left.value)


@operator(
    name="assigned-for-returned",
    odc="algorithm",
    bug_type="missing logic",
    examples=[
        Example(
            "def f(x):\n    y = 1\n    if x:\n        return 0\n    return y\n",
            "def f(x):\n    y = 1\n    if x:\n        y = 0\n    return y\n",
        )
    ],
)
def assigned_for_returned(node: cst.Return, ctx: Context) -> Iterator[Change]:
    """An early answer is put into the variable that the function returns at its end, and goes on."""
    function = ctx.function(node)
    if function is None or node.value is None:
        return
    match function.body.body[-1] if function.body.body else None:
        case cst.SimpleStatementLine(body=[cst.Return(value=cst.Name(value=name)) as last]):
            if last is not node and ctx.text(node.value) != name:
                yield Edit(ctx.start(node), ctx.tree.outer[node.value][0], f"{name} = ")
