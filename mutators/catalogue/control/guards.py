"""Wrong guards and choices: a guard inverted, asserted instead, or an assertion turned into one."""

from collections.abc import Iterator

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator


@operator(
    name="guard-inverted",
    odc="checking",
    bug_type="missing logic",
    examples=[
        Example(
            "def f(x):\n    if x:\n        raise E\n    return g(x)\n",
            "def f(x):\n    if not x:\n        return g(x)\n",
        ),
    ],
)
def guard_inverted(node: cst.If, ctx: Context) -> Iterator[Change]:
    """What follows a guard runs under its contrary, and what the guard did instead is lost."""
    siblings = ctx.block(node)
    if node.orelse is not None or not siblings or siblings[-1] is node:
        return
    leaving = ctx.only(node.body)
    rest = [s for s in siblings if ctx.start(s) > ctx.end(node)]
    if isinstance(leaving, cst.Raise | cst.Return) and len(rest) <= 4:
        inside = ctx.lines_at(rest[0], rest[-1], ctx.indentation(node) + ctx.tree.module.default_indent)
        neutral = isinstance(leaving, cst.Return) and leaving.value is None
        if inside is not None and not neutral:
            text = f"{ctx.indentation(node)}if {ctx.contrary(node.test)}:{ctx.newline}{inside}"
            end = ctx.lines(rest[-1])[1]
            if not ctx.source[:end].endswith(("\n", "\r")):
                text = text.removesuffix(ctx.newline)
            yield Edit(ctx.lines(node)[0], end, text)


@operator(
    name="assert-for-guard",
    odc="checking",
    bug_type="function misuse",
    inverse="guard-for-assert",
    examples=[
        Example("if not x:\n    raise E(x)\n", "assert x\n"),
        Example("def f(x):\n    if x < 0:\n        return None\n", "def f(x):\n    assert not x < 0\n"),
    ],
)
def assert_for_guard(node: cst.If, ctx: Context) -> Iterator[Change]:
    """What a guard lets pass is asserted."""
    if node.orelse is None and isinstance(ctx.only(node.body), cst.Raise | cst.Return) and not ctx.is_elif(node):
        yield ctx.replace(node, f"assert {ctx.contrary(node.test)}")


@operator(
    name="guard-for-assert",
    odc="checking",
    bug_type="function misuse",
    inverse="assert-for-guard",
    examples=[
        Example("def f(x):\n    assert x\n", "def f(x):\n    if not x:\n        return\n"),
        Example("def f(x):\n    assert x, 'm'\n", "def f(x):\n    if not x:\n        raise ValueError('m')\n"),
    ],
)
def guard_for_assert(node: cst.Assert, ctx: Context) -> Iterator[Change]:
    """What is asserted only makes a function give up, or raises another exception."""
    line = ctx.parent(node)
    if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1:
        inside = f"{ctx.newline}{ctx.indentation(line)}{ctx.tree.module.default_indent}"
        message = "" if node.msg is None else ctx.whole(node.msg)
        leaving = [f"raise ValueError({message})", *(["return"] if ctx.function(node) is not None else [])]
        for text in leaving:
            yield ctx.replace(node, f"if {ctx.contrary(node.test)}:{inside}{text}")


@operator(
    name="choice-to-statement",
    odc="checking",
    bug_type="missing logic",
    examples=[
        Example("x = a if c else b\n", "if c:\n    x = a\n"),
        Example("x = y + (a if c else b)\n", "x = y + a if c else b\n"),
    ],
)
def choice_to_statement(node: cst.IfExp, ctx: Context) -> Iterator[Change]:
    """A choice between values is made only if the condition holds, or reaches further than it should."""
    parent = ctx.parent(node)
    if isinstance(parent, cst.BinaryOperation) and node.lpar:
        yield Edit(*ctx.tree.outer[node], ctx.text(node))
    line = ctx.tree.parents.get(parent)
    if (
        isinstance(parent, cst.Assign | cst.Return)
        and isinstance(line, cst.SimpleStatementLine)
        and len(line.body) == 1
    ):
        before = ctx.source[ctx.start(parent) : ctx.tree.outer[node][0]]
        inside = f"{ctx.newline}{ctx.indentation(line)}{ctx.tree.module.default_indent}"
        yield ctx.replace(parent, f"if {ctx.whole(node.test)}:{inside}{before}{ctx.whole(node.body)}")
