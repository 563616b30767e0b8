"""Missing logic: a statement, block, guard or return that is not there."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

_KEPT: Final = (cst.Pass, cst.Import, cst.ImportFrom, cst.Global, cst.Nonlocal)
_LONGEST_RUN: Final = 3


@operator(
    name="statement-deleted",
    term="SDL",
    odc="algorithm",
    bug_type="missing logic",
    inverse="statement-repeated",
    examples=[
        Example("def f(x):\n    x += 1\n    return x", "def f(x):\n    return x"),
        Example("if x:\n    f()", "if x:\n    pass"),
        Example("if x: f()", "if x: pass"),
        Example("x = 1; y = 2", "x = 1"),
    ],
)
def statement_deleted(node: cst.SimpleStatementLine | cst.SimpleStatementSuite, ctx: Context) -> Iterator[Change]:
    """A simple statement goes; `pass` stands where nothing else would."""
    if len(node.body) == 1:
        if not isinstance(node.body[0], _KEPT):
            yield ctx.delete(node) if isinstance(node, cst.SimpleStatementLine) else ctx.replace(node, "pass")
        return
    for left, right in pairwise(node.body):
        if not isinstance(left, _KEPT):
            yield Edit(ctx.start(left), ctx.start(right), "")
    if not isinstance(node.body[-1], _KEPT):
        yield Edit(ctx.end(node.body[-2]), ctx.end(node.body[-1]), "")


@operator(
    name="statements-deleted",
    term="SDL",
    odc="algorithm",
    bug_type="missing logic",
    examples=[
        Example("def f(x):\n    a()\n    b()\n    c()\n", "def f(x):\n    c()\n"),
        Example("def f(x):\n    a()\n    b()\n    c()\n    d()\n", "def f(x):\n    a()\n"),
    ],
)
def statements_deleted(node: cst.IndentedBlock, ctx: Context) -> Iterator[Change]:
    """Two or three neighbouring statements go, or all from one on to the end of the block."""
    body = [statement for statement in node.body if statement is not _docstring(node, ctx)]
    for size in range(2, _LONGEST_RUN + 1):
        for index in range(len(body) - size + 1):
            run = body[index : index + size]
            if not any(map(ctx.is_fixed, run)):
                yield ctx.delete_run(run[0], run[-1])
    for index in range(len(body) - _LONGEST_RUN):
        if not any(map(ctx.is_fixed, body[index:])):
            yield ctx.delete_run(body[index], body[-1])


def _docstring(block: cst.IndentedBlock, ctx: Context) -> cst.BaseStatement | None:
    return block.body[0] if block.body and ctx.first_statement(block) is not block.body[0] else None


@operator(
    name="block-deleted",
    term="SDL",
    odc="algorithm",
    bug_type="missing logic",
    pattern="less specific if",
    examples=[
        Example("def f(x):\n    if x:\n        return 0\n    return 1", "def f(x):\n    return 1"),
    ],
)
def block_deleted(
    node: cst.If | cst.For | cst.While | cst.With | cst.Try | cst.Match, ctx: Context
) -> Iterator[Change]:
    """A compound statement goes with all its branches."""
    if not ctx.is_elif(node):
        yield ctx.delete(node)


@operator(
    name="guard-dropped",
    odc="checking",
    bug_type="missing logic",
    pattern="more specific if",
    examples=[
        Example("def f(x):\n    if x:\n        g()\n    h()", "def f(x):\n    g()\n    h()"),
        Example("if x:\n    a()\nelse:\n    b()\n", "a()\n"),
        Example("if x:\n    a()\nelse:\n    b()\n", "b()\n"),
        Example("if x:\n    a()\nelif y:\n    b()\n", "b()\n"),
        Example("with x:\n    a()\n", "a()\n"),
    ],
)
def guard_dropped(node: cst.If | cst.While | cst.For | cst.With, ctx: Context) -> Iterator[Change]:
    """A body runs without its condition, loop or context, or one of the branches always does."""
    if ctx.is_elif(node):
        return
    parts = list(ctx.branches(node)) if isinstance(node, cst.If) else [node]
    suites = [part.body for part in parts]
    if isinstance(node, cst.For | cst.While) and node.orelse is not None:
        suites.append(node.orelse.body)
    for suite in suites:
        edit = ctx.unwrap(node, suite)
        if edit is not None:
            yield edit


@operator(
    name="guards-dropped",
    odc="checking",
    bug_type="missing logic",
    pattern="less specific if",
    examples=[
        Example(
            "def f(x, y):\n    if x:\n        return 0\n    if y:\n        return 1\n    return 2\n",
            "def f(x, y):\n    return 2\n",
        ),
    ],
)
def guards_dropped(node: cst.IndentedBlock, ctx: Context) -> Iterator[Change]:
    """All the guards that follow each other in a block go: ifs that do nothing but leave it."""
    run: list[cst.BaseStatement] = []
    for statement in (*node.body, None):
        if isinstance(statement, cst.If) and statement.orelse is None and ctx.ends_by_leaving(statement.body):
            run.append(statement)
            continue
        if len(run) > 1:
            yield ctx.delete_run(run[0], run[-1])
        run = []


@operator(
    name="return-dropped",
    odc="algorithm",
    bug_type="missing logic",
    examples=[
        Example("def f(x):\n    return g(x)", "def f(x):\n    g(x)"),
        Example("def f(x):\n    return x", "def f(x):\n    return"),
    ],
)
def return_dropped(node: cst.Return, ctx: Context) -> Iterator[Change]:
    """A value is worked out but not returned."""
    if node.value is not None and ctx.text(node.value) != "None":
        yield Edit(ctx.start(node), ctx.tree.outer[node.value][0], "")
        yield Edit(ctx.start(node), ctx.tree.outer[node.value][1], "return")
