"""Excess logic in loops: an index that is used too, a loop around a loop or a statement."""

from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.context.plausible import names_in, renamed, variables_after
from mendlab.mutators.context.scopes import NUMBER
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

_INDICES: Final = ("i", "j", "k")


def _fresh(node: cst.CSTNode, ctx: Context) -> str:
    """A usual name of an index that the file does not use."""
    used = {n.value for n in ctx.of_type(cst.Name)}
    return next((name for name in _INDICES if name not in used), "idx")


def _statements(loop: cst.For, ctx: Context) -> list[cst.SimpleStatementLine]:
    low, high = ctx.tree.outer[loop.body]
    every = ctx.of_type(cst.SimpleStatementLine)
    return every[bisect_left(every, low, key=ctx.start) : bisect_left(every, high, key=ctx.start)]


@operator(
    name="index-used",
    odc="algorithm",
    bug_type="excess logic",
    examples=[
        Example(
            "def f(a):\n    b = []\n    for x in a:\n        b.append(x)\n",
            "def f(a):\n    b = []\n    for i, x in enumerate(a):\n        b.append(x)\n        b.append(i)\n",
        ),
        Example(
            "def f(a):\n    b = 0\n    for x in a:\n        b += x\n",
            "def f(a):\n    b = 0\n    for i, x in enumerate(a):\n        b += x\n        b += i\n",
        ),
        Example(
            "def f(a):\n    b = 0\n    for x in a:\n        b += x\n",
            "def f(a):\n    b = 0\n    for i, x in enumerate(a):\n        b += x + i\n",
        ),
        Example(
            "def f(a):\n    for x in a:\n        if g(x):\n            return x\n",
            "def f(a):\n    for i, x in enumerate(a):\n        if g(x):\n            return i\n",
        ),
    ],
)
def index_used(node: cst.For, ctx: Context) -> Iterator[Change]:
    """A loop counts its rounds, and the number is put to use beside the element or in its place."""
    if not isinstance(node.target, cst.Name) or ctx.text(node.iter).startswith(("range(", "enumerate(")):
        return
    element, index = node.target.value, _fresh(node, ctx)
    if element == "_":
        return
    header = (
        Edit(*ctx.tree.outer[node.target], f"{index}, {element}"),
        Edit(*ctx.tree.outer[node.iter], f"enumerate({ctx.whole(node.iter)})"),
    )
    for statement in _statements(node, ctx)[:6]:
        used = element in {n.value for n in names_in(statement, ctx)}
        match statement.body:
            case [cst.Expr(value=cst.Call(args=[cst.Arg(value=value)])) as small]:
                varied = renamed(statement, ctx, {element: index}) if used else _with_argument(small, index, ctx)
                yield (*header, ctx.insert_after(statement, varied))
                yield (*header, Edit(*ctx.tree.outer[value], index))
                yield (*header, Edit(ctx.tree.outer[value][1], ctx.tree.outer[value][1], f" + {index}"))
            case [cst.AugAssign(target=target, value=value)]:
                yield (*header, ctx.insert_after(statement, f"{ctx.text(target)} += {index}"))
                yield (*header, Edit(*ctx.tree.outer[value], index))
                yield (*header, Edit(ctx.tree.outer[value][1], ctx.tree.outer[value][1], f" + {index}"))
            case [cst.Return(value=cst.Name() as value)] if value.value == element:
                yield (*header, ctx.replace(value, index))
                yield (*header, ctx.replace(value, f"{index}, {element}"))
            case [cst.Assign(value=cst.Name() as value)] if value.value == element:
                yield (*header, ctx.replace(value, index))


def _with_argument(statement: cst.Expr, text: str, ctx: Context) -> str:
    """The text of a call with one argument as a call with another."""
    call = statement.value
    assert isinstance(call, cst.Call)
    return f"{ctx.whole(call.func)}({text})"


@operator(
    name="loop-nested",
    odc="algorithm",
    bug_type="excess logic",
    examples=[
        Example(
            "def f(a):\n    n = 0\n    for x in a:\n        n += 1\n    return n\n",
            "def f(a):\n    n = 0\n    for x in a:\n        for i in range(2):\n            n += 1\n    return n\n",
        ),
        Example(
            "def f(a):\n    n = 0\n    for x in a:\n        n += 1\n    return n\n",
            "def f(a):\n    n = 0\n    for x in a:\n        for i in a:\n            n += 1\n    return n\n",
        ),
    ],
)
def loop_nested(node: cst.For | cst.While, ctx: Context) -> Iterator[Change]:
    """A loop's body runs several times in every round."""
    if not isinstance(node.body, cst.IndentedBlock) or not node.body.body:
        return
    inner = ctx.suite_indentation(node.body)
    text = ctx.body_lines(node.body, inner + ctx.tree.module.default_indent)
    start, end = ctx.lines(node.body.body[0])[0], ctx.lines(node.body.body[-1])[1]
    if text is None or not ctx.source[:end].endswith(("\n", "\r")):
        return
    index = _fresh(node, ctx)
    iterables = [ctx.whole(node.iter)] if isinstance(node, cst.For) else []
    iterables += ["range(2)"]
    iterables += [f"range({b.name})" for b in variables_after(node.body.body[0], ctx) if NUMBER in b.kinds][:1]
    for iterable in dict.fromkeys(iterables):
        yield Edit(start, end, f"{inner}for {index} in {iterable}:{ctx.newline}{text}")


@operator(
    name="comprehension-nested",
    odc="algorithm",
    bug_type="excess logic",
    examples=[Example("x = [a + 1 for a in b]", "x = [a + 1 for a in b for i in b]")],
)
def comprehension_nested(node: cst.CompFor, ctx: Context) -> Iterator[Change]:
    """A comprehension runs over its collection once more for every element."""
    if node.inner_for_in is None:
        end = ctx.end(node)
        yield Edit(end, end, f" for {_fresh(node, ctx)} in {ctx.operand(node.iter)}")
