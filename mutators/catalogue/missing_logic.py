"""Missing logic: a statement, guard, clause, branch, filter or step of an expression that is not there."""

from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

_DELETABLE: Final = (
    cst.Assign,
    cst.AugAssign,
    cst.AnnAssign,
    cst.Expr,
    cst.Return,
    cst.Assert,
    cst.Del,
    cst.Continue,
    cst.Break,
)


@operator(
    name="statement-deleted",
    term="SDL",
    odc="algorithm",
    bug_type="missing logic",
    inverse="statement-repeated",
    examples=[
        Example("def f(x):\n    x += 1\n    return x", "def f(x):\n    return x"),
        Example("if x:\n    f()", "if x:\n    pass"),
    ],
)
def statement_deleted(node: cst.SimpleStatementLine, ctx: Context) -> Iterator[Change]:
    """A simple statement goes; `pass` stands where nothing else would."""
    if len(node.body) == 1 and isinstance(node.body[0], _DELETABLE):
        yield ctx.delete(node)


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
def block_deleted(node: cst.If | cst.For | cst.While | cst.With | cst.Try, ctx: Context) -> Iterator[Change]:
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
    ],
)
def guard_dropped(node: cst.If | cst.While | cst.For, ctx: Context) -> Iterator[Change]:
    """A body runs without its condition or loop, or only the else branch is left."""
    if ctx.is_elif(node):
        return
    suites = [node.body, *([node.orelse.body] if isinstance(node.orelse, cst.Else) else [])]
    for suite in suites:
        edit = ctx.unwrap(node, suite)
        if edit is not None:
            yield edit


@operator(
    name="branch-dropped",
    odc="checking",
    bug_type="missing logic",
    examples=[
        Example("if x:\n    a()\nelse:\n    b()\n", "if x:\n    a()\n"),
        Example("if x:\n    a()\nelif y:\n    b()\nelse:\n    c()\n", "if x:\n    a()\nelse:\n    c()\n"),
        Example("if x:\n    a()\nelif y:\n    b()\n", "if y:\n    b()\n"),
    ],
)
def branch_dropped(node: cst.If, ctx: Context) -> Iterator[Change]:
    """An else, an elif, or the first branch before an elif goes."""
    orelse = node.orelse
    if orelse is None:
        return
    start = ctx.lines_from(orelse)
    if isinstance(orelse, cst.Else):
        yield Edit(start, ctx.lines(orelse)[1], "")
    else:
        stop = ctx.lines(orelse)[1] if orelse.orelse is None else ctx.lines_from(orelse.orelse)
        yield Edit(start, stop, "")
        if not ctx.is_elif(node):
            yield Edit(ctx.start(node), ctx.start(orelse) + len("el"), "")


@operator(
    name="clause-dropped",
    term="OODL",
    odc="checking",
    bug_type="missing logic",
    pattern="more specific if",
    inverse="clause-added",
    examples=[Example("x = a and b", "x = a"), Example("x = a or b or c", "x = a or c")],
)
def clause_dropped(node: cst.BooleanOperation, ctx: Context) -> Iterator[Change]:
    """A condition loses one of its clauses."""
    yield ctx.fit(node, node.left)
    yield ctx.fit(node, node.right)


@operator(
    name="operand-dropped",
    term="OODL",
    odc="algorithm",
    bug_type="missing logic",
    pattern="change binary operand",
    inverse="term-added",
    examples=[Example("x = a + 1", "x = a"), Example("x = a + b * c", "x = a + c")],
)
def operand_dropped(node: cst.BinaryOperation, ctx: Context) -> Iterator[Change]:
    """An operation loses one of its operands."""
    yield ctx.fit(node, node.left)
    yield ctx.fit(node, node.right)


@operator(
    name="return-dropped",
    odc="algorithm",
    bug_type="missing logic",
    examples=[
        Example("def f(x):\n    return g(x)", "def f(x):\n    g(x)"),
        Example("def f(x):\n    return x", "def f(x):\n    return None"),
    ],
)
def return_dropped(node: cst.Return, ctx: Context) -> Iterator[Change]:
    """A value is worked out but not returned."""
    if node.value is not None and ctx.text(node.value) != "None":
        if isinstance(node.value, cst.Call | cst.Await):
            yield Edit(ctx.start(node), ctx.tree.outer[node.value][0], "")
        yield Edit(*ctx.tree.outer[node.value], "None")


@operator(
    name="filter-dropped",
    odc="checking",
    bug_type="missing logic",
    pattern="more specific if",
    examples=[Example("x = [i for i in y if i > 0]", "x = [i for i in y]")],
)
def filter_dropped(node: cst.CompFor, ctx: Context) -> Iterator[Change]:
    """A comprehension loses a filter."""
    previous: cst.CSTNode = node.iter
    for condition in node.ifs:
        yield Edit(ctx.tree.outer[previous][1], ctx.tree.outer[condition][1], "")
        previous = condition


@operator(
    name="choice-dropped",
    odc="checking",
    bug_type="missing logic",
    examples=[Example("x = a if c else b", "x = a"), Example("x = a if c else b", "x = b")],
)
def choice_dropped(node: cst.IfExp, ctx: Context) -> Iterator[Change]:
    """A conditional expression always has the same branch."""
    yield ctx.fit(node, node.body)
    yield ctx.fit(node, node.orelse)


@operator(
    name="element-unwrapped",
    odc="algorithm",
    bug_type="missing logic",
    inverse="collection-filled",
    examples=[Example("x = y + [z]", "x = y + z")],
)
def element_unwrapped(node: cst.List, ctx: Context) -> Iterator[Change]:
    """A value is used without the list around it."""
    match node.elements:
        case [cst.Element(value=value)] if not ctx.is_target(node):
            yield ctx.fit(node, value)


@operator(
    name="attribute-dropped",
    odc="assignment",
    bug_type="missing logic",
    pattern="add attribute access",
    examples=[Example("x = y.value", "x = y")],
)
def attribute_dropped(node: cst.Attribute, ctx: Context) -> Iterator[Change]:
    """An object is used in place of its attribute."""
    called = isinstance(parent := ctx.parent(node), cst.Call) and parent.func is node
    special = isinstance(parent, cst.Decorator | cst.ImportAlias | cst.ImportFrom | cst.MatchValue)
    if not called and not special and not ctx.is_target(node) and ctx.text(node.value) not in ("self", "cls"):
        yield ctx.fit(node, node.value)
