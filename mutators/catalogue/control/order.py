"""Wrong order: statements moved in, out, before and after each other, targets exchanged."""

from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

_AT_ONCE: Final = 3
"""How many statements move together at most."""
_REACH: Final = 2
"""How many statements further on an assignment is looked for that could be confused with another."""
_Nest = cst.If | cst.For | cst.While | cst.With


@operator(
    name="statement-dedented",
    odc="algorithm",
    bug_type="missing logic",
    inverse="statement-indented",
    examples=[
        Example("for x in y:\n    f(x)\n    g()\nh()\n", "for x in y:\n    f(x)\ng()\nh()\n"),
        Example("for x in y:\n    f(x)\n    g()\n    h()\n", "for x in y:\n    f(x)\ng()\nh()\n"),
        Example("if x:\n    f()\n    g()\nelse:\n    h()\n", "if x:\n    f()\nelse:\n    h()\ng()\n"),
        Example("for x in y:\n    f(x)\n    g()\n", "f(x)\nfor x in y:\n    g()\n"),
    ],
)
def statement_dedented(node: cst.IndentedBlock, ctx: Context) -> Iterator[Change]:
    """The last statements of a block stand after it, or its first ones before it."""
    if isinstance(ctx.parent(node), cst.FunctionDef | cst.ClassDef):
        return
    whole = ctx.whole_statement(node)
    start, end = ctx.lines(whole)
    indentation = ctx.indentation(whole)
    for count in range(1, min(_AT_ONCE, len(node.body) - 1) + 1):
        yield from _some(ctx.relocate(node.body[-count], node.body[-1], end, indentation))
    for count in range(1, min(_AT_ONCE, len(node.body))):
        yield from _some(ctx.relocate(node.body[0], node.body[count - 1], start, indentation))
    outside = ctx.parent(whole)
    if isinstance(outside, cst.IndentedBlock) and not isinstance(ctx.parent(outside), cst.FunctionDef | cst.ClassDef):
        further = ctx.whole_statement(outside)
        yield from _some(ctx.relocate(node.body[-1], node.body[-1], ctx.lines(further)[1], ctx.indentation(further)))


def _some(change: Change | None) -> Iterator[Change]:
    if change is not None:
        yield change


@operator(
    name="statement-indented",
    odc="algorithm",
    bug_type="excess logic",
    inverse="statement-dedented",
    examples=[
        Example("for x in y:\n    f(x)\ng()\nh()\n", "for x in y:\n    f(x)\n    g()\nh()\n"),
        Example(
            "def f(y):\n    for x in y:\n        g(x)\n    return y\n",
            "def f(y):\n    for x in y:\n        g(x)\n        return y\n",
        ),
        Example(
            "for x in y:\n    f(x)\ng()\nif h():\n    i()\n",
            "for x in y:\n    f(x)\n    g()\n    if h():\n        i()\n",
        ),
        Example("for x in y:\n    if x:\n        f()\ng()\n", "for x in y:\n    if x:\n        f()\n        g()\n"),
    ],
)
def statement_indented(node: cst.If | cst.For | cst.While | cst.With | cst.Try, ctx: Context) -> Iterator[Change]:
    """Statements after a block stand in it, as its last ones."""
    siblings = ctx.block(node)
    rest = [s for s in siblings if ctx.start(s) > ctx.end(node)]
    for block in _last_blocks(node, ctx):
        for count in range(1, min(_AT_ONCE, len(rest)) + 1):
            text = ctx.lines_at(rest[0], rest[count - 1], ctx.suite_indentation(block))
            if text is not None and not any(map(ctx.is_fixed, rest[:count])):
                yield _moved(rest[0], rest[count - 1], ctx.lines(block.body[-1])[1], text, ctx)


def _last_blocks(node: cst.CSTNode, ctx: Context) -> Iterator[cst.IndentedBlock]:
    """The blocks that a statement can end, from the outside in, and the first of several branches.

    A block that is left before its end is none of them.
    """
    first = node.body if isinstance(node, cst.If) and node.orelse is not None else None
    if isinstance(first, cst.IndentedBlock) and not ctx.ends_by_leaving(first):
        yield first
    block = ctx.last_suite(node)
    while isinstance(block, cst.IndentedBlock) and block.body:
        if not ctx.ends_by_leaving(block):
            yield block
        last = block.body[-1]
        block = ctx.last_suite(last) if isinstance(last, _Nest) else None


def _moved(first: cst.BaseStatement, last: cst.BaseStatement, offset: int, text: str, ctx: Context) -> tuple[Edit, ...]:
    """Whole lines go from where statements stand to an offset at which the lines before or after them end or start."""
    start, end = ctx.lines(first)[0], ctx.lines(last)[1]
    return Edit(start, end, ""), ctx.insert_lines(offset, text)


@operator(
    name="statement-into-next",
    odc="algorithm",
    bug_type="excess logic",
    inverse="statement-dedented",
    examples=[
        Example("x = 0\nfor i in y:\n    x += i\n", "for i in y:\n    x = 0\n    x += i\n"),
    ],
)
def statement_into_next(node: cst.If | cst.For | cst.While | cst.With | cst.Try, ctx: Context) -> Iterator[Change]:
    """What is done once before a block is done in it, as its first statement."""
    siblings = ctx.block(node)
    before = [s for s in siblings if ctx.end(s) < ctx.start(node)]
    if not isinstance(node.body, cst.IndentedBlock) or not node.body.body or ctx.is_elif(node):
        return
    first = node.body.body[0]
    for count in range(1, min(_AT_ONCE - 1, len(before)) + 1):
        run = before[-count:]
        text = ctx.lines_at(run[0], run[-1], ctx.indentation(first))
        if text is not None and not any(map(ctx.is_fixed, run)):
            yield _moved(run[0], run[-1], ctx.lines(first)[0], text, ctx)


@operator(
    name="statements-swapped",
    odc="algorithm",
    bug_type="operator misuse",
    inverse="statements-swapped",
    examples=[
        Example("x = 1\nf(x)\n", "f(x)\nx = 1\n"),
        Example("if x:\n    f()\ng()\n", "g()\nif x:\n    f()\n"),
        Example("f()\ng()\nh()\n", "h()\nf()\ng()\n"),
        Example("f()\ng()\nh()\n", "g()\nh()\nf()\n"),
    ],
)
def statements_swapped(node: cst.BaseStatement, ctx: Context) -> Iterator[Change]:
    """Two neighbouring statements change places, or one moves past two others."""
    right = ctx.following(node)
    if right is None or not (_movable(node, ctx) and _movable(right, ctx)):
        return
    if not _independent(node, right, ctx):
        yield ctx.exchange(node, right)
    last = ctx.following(right)
    if last is not None and _movable(last, ctx):
        yield from _some(ctx.relocate(node, node, ctx.lines(last)[1], ctx.indentation(node)))
        yield from _some(ctx.relocate(last, last, ctx.lines(node)[0], ctx.indentation(node)))


def _movable(statement: cst.BaseStatement, ctx: Context) -> bool:
    match statement:
        case cst.SimpleStatementLine(body=[cst.Import() | cst.ImportFrom() | cst.Global() | cst.Nonlocal(), *_]):
            return False
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.SimpleString() | cst.ConcatenatedString()), *_]):
            return False
    return not ctx.is_fixed(statement) and not ctx.leaves(statement)


_COMPUTED: Final = (
    cst.Call, cst.BinaryOperation, cst.Subscript, cst.Attribute, cst.Comparison, cst.BooleanOperation, cst.IfExp,
    cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp, cst.Lambda, cst.Await, cst.Yield, cst.NamedExpr,
    cst.FormattedString, cst.StarredElement,
)  # fmt: skip


def _independent(left: cst.BaseStatement, right: cst.BaseStatement, ctx: Context) -> bool:
    """Whether two statements only give values to different variables, without any computation between them."""
    names: list[set[str]] = []
    for statement in (left, right):
        match statement:
            case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name())], value=value)]):
                if ctx.within(*ctx.tree.outer[value], *_COMPUTED):
                    return False
                names.append({n.value for n in ctx.within(*ctx.tree.inner[statement], cst.Name)})
            case _:
                return False
    return not names[0] & names[1]


@operator(
    name="targets-exchanged",
    odc="assignment",
    bug_type="variable misuse",
    inverse="targets-exchanged",
    examples=[
        Example("x = f(a)\ny = f(b)\n", "y = f(a)\nx = f(b)\n"),
        Example("x += 1\nz()\ny += 2\n", "y += 1\nz()\nx += 2\n"),
    ],
)
def targets_exchanged(node: cst.SimpleStatementLine, ctx: Context) -> Iterator[Change]:
    """The targets of two assignments that stand near each other are exchanged."""
    left, other = _target(node), ctx.following(node)
    for _ in range(_REACH):
        if left is None or other is None:
            return
        right = _target(other)
        if right is not None and ctx.text(left) != ctx.text(right):
            yield ctx.replace(left, ctx.text(right)), ctx.replace(right, ctx.text(left))
        other = ctx.following(other)


def _target(statement: cst.CSTNode) -> cst.BaseExpression | None:
    match statement:
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=target)])]):
            return target
        case cst.SimpleStatementLine(body=[cst.AugAssign(target=target)]):
            return target
    return None


@operator(
    name="pair-serialised",
    odc="algorithm",
    bug_type="missing logic",
    examples=[
        Example("a, b = b, a + b\n", "a = b\nb = a + b\n"),
        Example("a, b = b, a + b\n", "b = a + b\na = b\n"),
    ],
)
def pair_serialised(node: cst.Assign, ctx: Context) -> Iterator[Change]:
    """Values that are given at once are given one after the other, and the second sees the first."""
    line = ctx.parent(node)
    match node:
        case cst.Assign(
            targets=[cst.AssignTarget(target=cst.Tuple(elements=[first, second]))],
            value=cst.Tuple(elements=[cst.Element(value=left), cst.Element(value=right)]),
        ) if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1:
            one = f"{ctx.whole(first.value)} = {ctx.whole(left)}"
            two = f"{ctx.whole(second.value)} = {ctx.whole(right)}"
            between = f"{ctx.newline}{ctx.indentation(line)}"
            yield ctx.replace(node, one + between + two)
            yield ctx.replace(node, two + between + one)
