"""Wrong nesting: what is around what, and whose else an else is."""

from collections.abc import Iterator

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

_Nest = cst.If | cst.For | cst.While | cst.With


@operator(
    name="nesting-exchanged",
    odc="algorithm",
    bug_type="operator misuse",
    inverse="nesting-exchanged",
    examples=[
        Example("for x in y:\n    if z:\n        f()\n", "if z:\n    for x in y:\n        f()\n"),
        Example("for x in y:\n    for z in x:\n        f()\n", "for z in x:\n    for x in y:\n        f()\n"),
    ],
)
def nesting_exchanged(node: cst.If | cst.For | cst.While | cst.With, ctx: Context) -> Iterator[Change]:
    """A statement and the one that is all its body change places: the inner one is outside."""
    inner = ctx.only(node.body)
    if not isinstance(inner, _Nest) or ctx.is_elif(node) or not ctx.block(inner):
        return
    if ctx.last_branch(node) is node and ctx.last_branch(inner) is inner and {type(node), type(inner)} != {cst.If}:
        first, second = ctx.heading(node), ctx.heading(inner)
        yield (
            Edit(first[0], first[1], ctx.source[slice(*second)]),
            Edit(second[0], second[1], ctx.source[slice(*first)]),
        )


@operator(
    name="else-rebound",
    odc="checking",
    bug_type="operator misuse",
    inverse="else-rebound",
    examples=[
        Example(
            "for x in y:\n    if x:\n        f()\n    else:\n        g()\n",
            "for x in y:\n    if x:\n        f()\nelse:\n    g()\n",
        ),
        Example(
            "if x:\n    if y:\n        f()\nelse:\n    g()\n",
            "if x:\n    if y:\n        f()\n    else:\n        g()\n",
        ),
    ],
)
def else_rebound(node: cst.If | cst.For | cst.While, ctx: Context) -> Iterator[Change]:
    """An else belongs to the statement around its if, or to the last if inside."""
    last = node.body.body[-1] if node.body.body else None
    if not isinstance(last, cst.If) or not ctx.block(last):
        return
    branch = ctx.last_branch(last)
    inner, outer = ctx.indentation(last), ctx.indentation(node)
    if isinstance(branch, cst.Else) and node.orelse is None:
        old, new, moved = inner, outer, branch
    elif isinstance(branch, cst.If) and isinstance(node.orelse, cst.Else):
        old, new, moved = outer, inner, node.orelse
    else:
        return
    start, end = ctx.lines_from(moved), ctx.lines(moved)[1]
    text = ctx.reindented(start, end, old, new)
    if text is not None:
        yield Edit(start, end, text if ctx.source[:end].endswith(("\n", "\r")) else text.removesuffix(ctx.newline))


@operator(
    name="joined-as-else",
    odc="checking",
    bug_type="operator misuse",
    examples=[
        Example("if x:\n    f()\ng()\n", "if x:\n    f()\nelse:\n    g()\n"),
    ],
)
def joined_as_else(node: cst.If, ctx: Context) -> Iterator[Change]:
    """What is done in any case after an if is done only if its condition does not hold."""
    following = ctx.following(node)
    if isinstance(following, cst.SimpleStatementLine) and not ctx.chain_leaves(node):
        text = ctx.lines_at(following, following, ctx.indentation(node) + ctx.tree.module.default_indent)
        if text is not None and isinstance(ctx.last_branch(node), cst.If):
            start, end = ctx.lines(following)
            tail = text if ctx.source[:end].endswith(("\n", "\r")) else text.removesuffix(ctx.newline)
            yield Edit(start, end, f"{ctx.indentation(node)}else:{ctx.newline}{tail}")
