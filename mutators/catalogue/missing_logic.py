"""Missing logic: a statement, block, guard, branch, case or return that is not there."""

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
    name="branch-dropped",
    odc="checking",
    bug_type="missing logic",
    examples=[
        Example("if x:\n    a()\nelse:\n    b()\n", "if x:\n    a()\n"),
        Example("if x:\n    a()\nelif y:\n    b()\nelse:\n    c()\n", "if x:\n    a()\nelse:\n    c()\n"),
        Example("if x:\n    a()\nelif y:\n    b()\n", "if y:\n    b()\n"),
        Example("if x:\n    a()\nelif y:\n    b()\nelse:\n    c()\n", "if x:\n    a()\n"),
    ],
)
def branch_dropped(node: cst.If, ctx: Context) -> Iterator[Change]:
    """An else, an elif, all branches from one on, or the first branch before an elif goes."""
    orelse = node.orelse
    if orelse is None:
        return
    start, end = ctx.lines_from(orelse), ctx.lines(ctx.last_branch(node))[1]
    if isinstance(orelse, cst.If):
        yield Edit(start, end if orelse.orelse is None else ctx.lines_from(orelse.orelse), "")
        if not ctx.is_elif(node):
            yield Edit(ctx.start(node), ctx.start(orelse) + len("el"), "")
    yield Edit(start, end, "")


@operator(
    name="branches-merged",
    odc="checking",
    bug_type="missing logic",
    examples=[
        Example("if x:\n    a()\nelse:\n    b()\n", "if x:\n    a()\nb()\n"),
        Example("if x:\n    a()\nelif y:\n    b()\n", "if x:\n    a()\nelse:\n    b()\n"),
        Example("if x:\n    a()\nelif y:\n    b()\nelse:\n    c()\n", "if x:\n    a()\nelse:\n    b()\n"),
        Example("if x:\n    a()\n    b()\nelse:\n    c()\n", "if x:\n    pass\nelse:\n    c()\n"),
    ],
)
def branches_merged(node: cst.If, ctx: Context) -> Iterator[Change]:
    """What one branch does is done by another too: an elif without its condition, an else without its else."""
    orelse = node.orelse
    if isinstance(orelse, cst.Else):
        body = ctx.body_lines(orelse.body, ctx.indentation(node))
        if body is not None and not ctx.ends_by_leaving(node.body):
            yield Edit(ctx.lines_from(orelse), ctx.lines(orelse)[1], body)
    elif orelse is not None and (orelse.orelse is None or isinstance(orelse.orelse, cst.Else)):
        edit = Edit(ctx.start(orelse), ctx.tree.outer[orelse.test][1], "else")
        last = orelse.orelse
        yield edit if last is None else (edit, Edit(ctx.lines_from(last), ctx.lines(last)[1], ""))
    for branch in (node, orelse):
        if branch is not None and isinstance(branch.body, cst.IndentedBlock) and len(branch.body.body) > 1:
            yield ctx.replace(branch.body, "pass")


@operator(
    name="case-dropped",
    odc="checking",
    bug_type="missing logic",
    examples=[
        Example(
            "match x:\n    case 1:\n        a()\n    case 2:\n        b()\n", "match x:\n    case 1:\n        a()\n"
        ),
        Example("match x:\n    case y if y > 1:\n        a()\n", "match x:\n    case y:\n        a()\n"),
    ],
)
def case_dropped(node: cst.MatchCase, ctx: Context) -> Iterator[Change]:
    """A match loses a case, or a case its guard."""
    owner = ctx.parent(node)
    if node.guard is not None:
        yield Edit(ctx.tree.outer[node.pattern][1], ctx.tree.outer[node.guard][1], "")
    if isinstance(owner, cst.Match) and len(owner.cases) > 1:
        yield Edit(*ctx.lines(node), "")


@operator(
    name="loop-else-dropped",
    odc="checking",
    bug_type="missing logic",
    examples=[Example("for x in y:\n    f()\nelse:\n    g()\n", "for x in y:\n    f()\n")],
)
def loop_else_dropped(node: cst.For | cst.While, ctx: Context) -> Iterator[Change]:
    """What a loop does when it is not left by break is not done."""
    if node.orelse is not None:
        yield Edit(ctx.lines_from(node.orelse), ctx.lines(node.orelse)[1], "")


@operator(
    name="return-dropped",
    odc="algorithm",
    bug_type="missing logic",
    examples=[
        Example("def f(x):\n    return g(x)", "def f(x):\n    g(x)"),
        Example("def f(x):\n    return x", "def f(x):\n    return None"),
        Example("def f(x):\n    return x", "def f(x):\n    return"),
    ],
)
def return_dropped(node: cst.Return, ctx: Context) -> Iterator[Change]:
    """A value is worked out but not returned."""
    if node.value is not None and ctx.text(node.value) != "None":
        yield Edit(ctx.start(node), ctx.tree.outer[node.value][0], "")
        yield Edit(ctx.start(node), ctx.tree.outer[node.value][1], "return")
        yield Edit(*ctx.tree.outer[node.value], "None")


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
