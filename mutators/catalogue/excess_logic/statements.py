"""Excess logic in statements: one made again, as it is, for other variables, or copied to another block."""

from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.context.plausible import lines_before, names_in, renamed, statements_in, variables_after
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

_OTHERS: Final = 3
_COPIES: Final = 5
_LONGEST: Final = 120


def _has_effect(node: cst.CSTNode) -> bool:
    """Whether a statement is one assignment or call on a line of its own."""
    match node:
        case cst.SimpleStatementLine(body=[cst.AugAssign() | cst.Assign() | cst.Expr(value=cst.Call())]):
            return True
    return False


def _target(node: cst.SimpleStatementLine) -> str | None:
    """The variable that a statement assigns, if it is one."""
    match node.body:
        case [cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))])]:
            return name
        case [cst.AugAssign(target=cst.Name(value=name))]:
            return name
    return None


@operator(
    name="accumulator-repeated",
    odc="algorithm",
    bug_type="excess logic",
    inverse="operand-dropped",
    examples=[
        Example("x += y", "x += x + y"),
        Example("x *= y", "x *= x * y"),
        Example("x = 0\nx = y - 1", "x = 0\nx = x + y - 1"),
    ],
)
def accumulator_repeated(node: cst.AugAssign | cst.Assign, ctx: Context) -> Iterator[Change]:
    """The variable that is updated stands on the right too."""
    start = ctx.tree.outer[node.value][0]
    end = ctx.tree.outer[node.value][1]
    match node:
        case cst.AugAssign(operator=cst.AddAssign() | cst.MultiplyAssign() | cst.SubtractAssign()):
            sign = "*" if isinstance(node.operator, cst.MultiplyAssign) else "+"
            yield Edit(start, start, f"{ctx.text(node.target)} {sign} ")
            yield Edit(end, end, f" {sign} {ctx.text(node.target)}")
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))]):
            binding = ctx.scope(node).resolve(name)
            if binding is not None and binding.first < ctx.start(node):
                yield Edit(start, start, f"{name} + ")


@operator(
    name="statement-repeated",
    odc="algorithm",
    bug_type="excess logic",
    inverse="statement-deleted",
    examples=[
        Example("if a:\n    x += 1\n", "if a:\n    x += 1\n    x += 1\n"),
        Example("x = x * y\n", "x = x * y\nx = x * y\n"),
    ],
)
def statement_repeated(node: cst.SimpleStatementLine, ctx: Context) -> Iterator[Change]:
    """A statement with an effect is made twice."""
    match node.body:
        case [cst.AugAssign() | cst.Expr(value=cst.Call())]:
            yield ctx.insert_after(node, ctx.text(node))
        case [cst.Assign()]:
            target = _target(node)
            if target is not None and [n.value for n in names_in(node, ctx)].count(target) > 1:
                yield ctx.insert_after(node, ctx.text(node))


@operator(
    name="statement-varied",
    odc="algorithm",
    bug_type="excess logic",
    inverse="statement-deleted",
    examples=[
        Example(
            "for i, x in enumerate(y):\n    z.append(x)\n",
            "for i, x in enumerate(y):\n    z.append(x)\n    z.append(i)\n",
        ),
        Example("def f(a, b):\n    a += 1\n", "def f(a, b):\n    a += 1\n    b += 1\n"),
        Example("def f(a):\n    b = g(a)\n", "def f(a):\n    b = g(a)\n    a = g(b)\n"),
    ],
)
def statement_varied(node: cst.SimpleStatementLine, ctx: Context) -> Iterator[Change]:
    """A statement with an effect is made again for another variable, or with two variables exchanged."""
    if not _has_effect(node) or ctx.end(node) - ctx.start(node) > _LONGEST:
        return
    used = list({n.value: n for n in names_in(node, ctx)}.values())[:4]
    there = {n.value for n in used}
    for name in used:
        own = ctx.scope(node).resolve(name.value)
        assert own is not None
        others = [
            b.name for b in variables_after(node, ctx)
            if b.name not in there and (not (own.kinds and b.kinds) or own.kinds & b.kinds)
        ]  # fmt: skip
        for other in others[:_OTHERS]:
            yield ctx.insert_after(node, renamed(node, ctx, {name.value: other}))
    for index, left in enumerate(used):
        for right in used[index + 1 :]:
            exchange = {left.value: right.value, right.value: left.value}
            yield ctx.insert_after(node, renamed(node, ctx, exchange))
            for old, new in exchange.items():
                yield ctx.insert_after(node, renamed(node, ctx, {old: new}))


@operator(
    name="pair-repeated",
    odc="algorithm",
    bug_type="excess logic",
    examples=[
        Example(
            "def f(a):\n    b = g(a)\n    c = h(a)\n",
            "def f(a):\n    b = g(a)\n    c = h(a)\n    c = h(b)\n    b = g(c)\n",
        ),
        Example(
            "def f(a):\n    b = g(a)\n    c = h(a)\n",
            "def f(a):\n    b = g(a)\n    c = h(a)\n    c = h(b)\n    b = h(c)\n",
        ),
    ],
)
def pair_repeated(node: cst.SimpleStatementLine, ctx: Context) -> Iterator[Change]:
    """Two assignments in a row are made again, each from what the other gave; or only the second is, both ways."""
    following = ctx.following(node)
    if not isinstance(following, cst.SimpleStatementLine) or not (_has_effect(node) and _has_effect(following)):
        return
    first, second = _target(node), _target(following)
    if first is None or second is None or first == second:
        return
    read = {n.value for n in names_in(node, ctx)} & {n.value for n in names_in(following, ctx)} - {first, second}
    for source in sorted(read):
        from_second = renamed(node, ctx, {source: second})
        from_first = renamed(following, ctx, {source: first})
        crossed = renamed(following, ctx, {source: second, second: first})
        copied = renamed(node, ctx, {source: first, first: second})
        for texts in (
            (from_first, from_second),
            (from_second, from_first),
            (from_first, crossed),
            (from_second, copied),
            (from_first,),
            (from_second,),
        ):
            yield ctx.insert_after(following, f"{ctx.newline}{ctx.indentation(node)}".join(texts))


@operator(
    name="statement-copied",
    odc="algorithm",
    bug_type="excess logic",
    inverse="statement-deleted",
    examples=[
        Example(
            "def f(a):\n    n = 0\n    for b in a:\n        n += b\n    return n\n",
            "def f(a):\n    n = 0\n    for b in a:\n        n = 0\n        n += b\n    return n\n",
        ),
        Example(
            "def f(a):\n    n = 0\n    for b in a:\n        n += b\n    return n\n",
            "def f(a):\n    n = 0\n    for b in a:\n        n += b\n        n = 0\n    return n\n",
        ),
        Example(
            "def f(a, n):\n    if a:\n        n += 1\n    else:\n        g(n)\n",
            "def f(a, n):\n    if a:\n        n += 1\n    else:\n        g(n)\n        n += 1\n",
        ),
    ],
)
def statement_copied(node: cst.IndentedBlock, ctx: Context) -> Iterator[Change]:
    """A statement of the function stands in another of its blocks too: at the end, or at the start of a loop's body."""
    function = ctx.function(node)
    if function is None or not node.body or isinstance(ctx.parent(node), cst.ClassDef):
        return
    first, last = ctx.first_statement(node), node.body[-1]
    if first is None:
        return
    copies = [s for s in _nearest(function, node, ctx) if s not in node.body][:_COPIES]
    for statement in copies:
        text = ctx.text(statement)
        if ctx.leaves(last):
            yield lines_before(last, ctx, text)
        else:
            yield ctx.insert_after(last, text)
        if isinstance(ctx.parent(node), cst.For | cst.While):
            yield lines_before(first, ctx, text)


def _nearest(function: cst.FunctionDef, block: cst.IndentedBlock, ctx: Context) -> list[cst.SimpleStatementLine]:
    """Statements with an effect whose variables the block may use, the nearest to it first."""
    known = {b.name for b in variables_after(block.body[-1], ctx)}
    place = ctx.start(block.body[0])
    found = [
        s for s in statements_in(function, ctx)
        if _has_effect(s) and ctx.function(s) is function and ctx.end(s) - ctx.start(s) <= _LONGEST
        and all(n.value in known for n in names_in(s, ctx))
    ]  # fmt: skip
    return sorted(found, key=lambda s: abs(ctx.start(s) - place))
