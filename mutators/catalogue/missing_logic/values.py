"""Missing logic around values: a variable that is not computed, a context that is not entered."""

from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

_MOST: Final = 3
"""How many statements a computation has at most that is left out whole."""


@operator(
    name="local-dropped",
    odc="algorithm",
    bug_type="missing logic",
    pattern="add function around expression",
    examples=[
        Example(
            "def f(a):\n    b = a.replace('%', '')\n    return g(b)\n",
            "def f(a):\n    return g(a)\n",
        ),
        Example(
            "def f(a):\n    b = {k: iter(v) for k, v in a.items()}\n    return b[0]\n",
            "def f(a):\n    return a[0]\n",
        ),
    ],
)
def local_dropped(node: cst.SimpleStatementLine, ctx: Context) -> Iterator[Change]:
    """A variable that holds a computed value is not there; what it was computed from is used in its place."""
    match node.body:
        case [cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as target)], value=value)]:
            pass
        case _:
            return
    function = ctx.function(node)
    if function is None or len(ctx.block(node)) < 2:
        return
    uses = [n for n in ctx.within(*ctx.tree.inner[function], cst.Name) if n.value == target.value and n is not target]
    if not uses or not all(ctx.is_load(use) and ctx.start(use) > ctx.end(node) for use in uses):
        return
    for source in _sources(value):
        yield ctx.delete(node), *(ctx.fit(use, source) for use in uses)


def _sources(value: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """What a value is computed from: receiver, arguments, operands, or what a comprehension goes through."""
    match value:
        case cst.Call(func=func, args=args):
            if isinstance(func, cst.Attribute):
                yield func.value
            yield from (argument.value for argument in args[:2] if not argument.star)
        case cst.Subscript(value=source) | cst.Attribute(value=source) | cst.Await(expression=source):
            yield source
        case cst.BinaryOperation(left=left, right=right):
            yield left
            yield right
        case cst.IfExp(body=body, orelse=orelse):
            yield body
            yield orelse
        case cst.ListComp() | cst.SetComp() | cst.GeneratorExp() | cst.DictComp():
            source = value.for_in.iter
            yield source
            if isinstance(source, cst.Call) and isinstance(source.func, cst.Attribute) and not source.args:
                yield source.func.value


@operator(
    name="computation-dropped",
    odc="algorithm",
    bug_type="missing logic",
    examples=[
        Example(
            "def f(a):\n    n = g(a)\n    h()\n    if n:\n        a.pop()\n    return a\n",
            "def f(a):\n    h()\n    return a\n",
        )
    ],
)
def computation_dropped(node: cst.SimpleStatementLine, ctx: Context) -> Iterator[Change]:
    """A variable is neither computed nor used: all statements of a block that name it go, where no others do."""
    function, siblings = ctx.function(node), ctx.block(node)
    match node.body:
        case [cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))])] if function is not None:
            uses = [n for n in ctx.within(*ctx.tree.inner[function], cst.Name) if n.value == name]
        case _:
            return
    naming = [s for s in siblings if any(ctx.start(s) <= ctx.start(use) < ctx.end(s) for use in uses)]
    inside = all(ctx.start(siblings[0]) <= ctx.start(use) < ctx.end(siblings[-1]) for use in uses)
    kept = any(ctx.leaves(statement) or ctx.is_fixed(statement) for statement in naming)
    if inside and not kept and 1 < len(naming) <= _MOST and naming[0] is node and len(naming) < len(siblings):
        yield tuple(ctx.delete(statement) for statement in naming)


@operator(
    name="context-unmanaged",
    odc="algorithm",
    bug_type="missing logic",
    examples=[
        Example("with open(p) as f:\n    x = f.read()\n", "f = open(p)\nx = f.read()\n"),
        Example("with a, b:\n    f()\n", "with b:\n    f()\n"),
    ],
)
def context_unmanaged(node: cst.With, ctx: Context) -> Iterator[Change]:
    """What a with opens is opened and never closed, or one of several contexts is not entered."""
    for index in range(len(node.items) if len(node.items) > 1 else 0):
        start = ctx.start(node.items[index])
        if index + 1 < len(node.items):
            yield Edit(start, ctx.start(node.items[index + 1]), "")
        else:
            yield Edit(_end(node.items[index - 1], ctx), _end(node.items[index], ctx), "")
    match node.items:
        case [cst.WithItem(item=opened, asname=cst.AsName(name=name))] if node.asynchronous is None:
            body = ctx.body_lines(node.body, ctx.indentation(node))
            if body is not None:
                start, end = ctx.lines(node)
                text = f"{ctx.indentation(node)}{ctx.whole(name)} = {ctx.whole(opened)}{ctx.newline}{body}"
                tail = text if ctx.source[:end].endswith(("\n", "\r")) else text.removesuffix(ctx.newline)
                yield Edit(start, end, tail)


def _end(item: cst.WithItem, ctx: Context) -> int:
    """Offset after a context of a with, before its comma."""
    return ctx.tree.outer[item.item if item.asname is None else item.asname.name][1]
