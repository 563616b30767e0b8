"""Missing logic in branches: an else, elif or case that is not there, or does what another does."""

from collections.abc import Iterator

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator


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
