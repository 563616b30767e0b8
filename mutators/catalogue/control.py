"""Wrong control flow: branches, conditions, jumps, loop bounds, nesting and order of statements."""

from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

_BARE_UNDER_NOT: Final = (cst.Name, cst.Call, cst.Attribute, cst.Subscript, cst.Comparison)


@operator(
    name="branches-swapped",
    odc="checking",
    bug_type="variable misuse",
    inverse="branches-swapped",
    examples=[
        Example("if x:\n    a()\nelse:\n    b()\n", "if x:\n    b()\nelse:\n    a()\n"),
        Example("x = a if c else b", "x = b if c else a"),
    ],
)
def branches_swapped(node: cst.If | cst.IfExp, ctx: Context) -> Iterator[Change]:
    """The branches of an if change places."""
    if isinstance(node, cst.IfExp):
        yield ctx.swap(node.body, node.orelse)
    elif isinstance(node.orelse, cst.Else):
        left, right = node.body, node.orelse.body
        if type(left) is type(right) and not ctx.is_elif(node):
            first, second = ctx.text(left), ctx.text(right)
            if ctx.suite_indentation(left) == ctx.suite_indentation(right) and first != second:
                yield ctx.replace(left, second), ctx.replace(right, first)


@operator(
    name="condition-negated",
    term="COI",
    odc="checking",
    bug_type="operator misuse",
    pattern="change unary operator",
    inverse="unary-dropped",
    examples=[
        Example("if x:\n    pass", "if not x:\n    pass"),
        Example("while a < b: pass", "while not a < b: pass"),
        Example("x = [i for i in y if a or b]", "x = [i for i in y if not (a or b)]"),
    ],
)
def condition_negated(node: cst.If | cst.While | cst.IfExp | cst.CompIf | cst.Assert, ctx: Context) -> Iterator[Change]:
    """A condition is negated."""
    test = node.test
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        return
    bare = isinstance(test, _BARE_UNDER_NOT) or test.lpar
    before = "" if ctx.source[ctx.tree.outer[test][0] - 1].isspace() else " "
    yield ctx.wrap(test, f"{before}not {'' if bare else '('}", "" if bare else ")")


@operator(
    name="condition-forced",
    odc="checking",
    bug_type="missing logic",
    examples=[Example("if x:\n    pass", "if True:\n    pass"), Example("while x: pass", "while False: pass")],
)
def condition_forced(node: cst.If | cst.While, ctx: Context) -> Iterator[Change]:
    """A branch is always or never taken, a loop never entered."""
    if ctx.text(node.test) not in ("True", "False", "1", "0"):
        if isinstance(node, cst.If):
            yield ctx.replace(node.test, "True")
        yield ctx.replace(node.test, "False")


@operator(
    name="jump-exchanged",
    odc="algorithm",
    bug_type="operator misuse",
    inverse="jump-exchanged",
    examples=[
        Example("for x in y:\n    break", "for x in y:\n    continue"),
        Example("def f(y):\n    for x in y:\n        return x", "def f(y):\n    for x in y:\n        break"),
        Example("def f(y):\n    for x in y:\n        break", "def f(y):\n    for x in y:\n        return"),
    ],
)
def jump_exchanged(node: cst.Break | cst.Continue | cst.Return, ctx: Context) -> Iterator[Change]:
    """break, continue and return stand for each other in a loop."""
    if ctx.loop(node) is None:
        return
    words = {cst.Break: "break", cst.Continue: "continue", cst.Return: "return"}
    for kind, word in words.items():
        if not isinstance(node, kind) and (word != "return" or ctx.function(node) is not None):
            yield ctx.replace(node, word)


@operator(
    name="boolean-returns-flipped",
    odc="algorithm",
    bug_type="operator misuse",
    inverse="boolean-returns-flipped",
    examples=[
        Example(
            "def f(x):\n    if x:\n        return False\n    return True\n",
            "def f(x):\n    if x:\n        return True\n    return False\n",
        )
    ],
)
def boolean_returns_flipped(node: cst.FunctionDef | cst.For | cst.While, ctx: Context) -> Iterator[Change]:
    """A predicate answers the contrary: its True and False returns are exchanged."""
    low, high = ctx.tree.inner[node]
    if not isinstance(node, cst.FunctionDef):
        following = ctx.following(node)
        high = high if following is None else ctx.end(following)
    edits = tuple(
        ctx.replace(r.value, "False" if r.value.value == "True" else "True")
        for r in ctx.of_type(cst.Return)
        if low <= ctx.start(r) < high and isinstance(r.value, cst.Name) and r.value.value in ("True", "False")
    )
    if len(edits) > 1:
        yield edits


@operator(
    name="loop-once",
    odc="algorithm",
    bug_type="excess logic",
    examples=[Example("for x in y:\n    f(x)\n", "for x in y:\n    f(x)\n    break\n")],
)
def loop_once(node: cst.For | cst.While, ctx: Context) -> Iterator[Change]:
    """A loop ends after its first round."""
    if isinstance(node.body, cst.IndentedBlock) and node.body.body and not ctx.leaves(node.body.body[-1]):
        yield ctx.insert_after(node.body.body[-1], "break")


@operator(
    name="while-to-if",
    odc="algorithm",
    bug_type="missing logic",
    examples=[Example("while x > 1:\n    x -= 1\n", "if x > 1:\n    x -= 1\n")],
)
def while_to_if(node: cst.While, ctx: Context) -> Iterator[Change]:
    """What should be repeated is done once."""
    if not ctx.has_jumps(node) and not isinstance(node.orelse, cst.Else):
        yield Edit(ctx.start(node), ctx.start(node) + len("while"), "if")


@operator(
    name="iteration-changed",
    odc="algorithm",
    bug_type="value misuse",
    inverse="call-unwrapped",
    examples=[
        Example("for x in y:\n    pass", "for x in reversed(y):\n    pass"),
        Example("for x in y: pass", "for x in y[1:]: pass"),
    ],
)
def iteration_changed(node: cst.For | cst.CompFor, ctx: Context) -> Iterator[Change]:
    """A loop runs backwards, or leaves out the first or the last element."""
    ranged = isinstance(node.iter, cst.Call) and isinstance(node.iter.func, cst.Name)
    if node.asynchronous is None and not (ranged and ctx.text(node.iter).startswith("reversed(")):
        yield Edit(*ctx.tree.outer[node.iter], f"reversed({ctx.text(node.iter)})")
    if isinstance(node.iter, cst.Name | cst.Attribute):
        yield ctx.wrap(node.iter, "", "[1:]")
        yield ctx.wrap(node.iter, "", "[:-1]")


@operator(
    name="range-bounds",
    odc="algorithm",
    bug_type="value misuse",
    pattern="same function more args",
    inverse="range-bounds",
    examples=[
        Example("x = range(n)", "x = range(1, n)"),
        Example("x = range(a, b)", "x = range(b)"),
        Example("x = range(a, b)", "x = range(a + 1, b)"),
        Example("x = range(a, b, 2)", "x = range(a, b)"),
        Example("x = range(a, b, -1)", "x = range(a, b, 1)"),
    ],
)
def range_bounds(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A range begins, ends or steps otherwise."""
    if ctx.text(node.func) != "range" or any(a.star for a in node.args):
        return
    if len(node.args) == 1:
        start = ctx.start(node.args[0])
        yield Edit(start, start, "1, ")
        yield Edit(start, start, "2, ")
    for argument in node.args[:2]:
        for step in (" + 1", " - 1"):
            if not isinstance(argument.value, cst.Integer):
                yield ctx.wrap(argument.value, "", step)
    if len(node.args) == 2:
        yield ctx.drop_item(node.args, 0)
    if len(node.args) == 3:
        yield ctx.drop_item(node.args, 2)
        step_node = node.args[2].value
        negative = isinstance(step_node, cst.UnaryOperation)
        yield Edit(*ctx.tree.outer[step_node], ctx.text(step_node)[1:] if negative else f"-{ctx.operand(step_node)}")


@operator(
    name="statement-dedented",
    odc="algorithm",
    bug_type="missing logic",
    inverse="statement-indented",
    examples=[
        Example("for x in y:\n    f(x)\n    g()\nh()\n", "for x in y:\n    f(x)\ng()\nh()\n"),
    ],
)
def statement_dedented(node: cst.IndentedBlock, ctx: Context) -> Iterator[Change]:
    """The last statement of a block stands after the block."""
    owner = ctx.parent(node)
    if not isinstance(owner, cst.If | cst.For | cst.While | cst.With) or len(node.body) < 2 or ctx.is_elif(owner):
        return
    if getattr(owner, "orelse", None) is None:
        yield from ctx.move(node.body[-1], ctx.indentation(owner))


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
    ],
)
def statement_indented(node: cst.If | cst.For | cst.While | cst.With, ctx: Context) -> Iterator[Change]:
    """The statement after a block stands in it, as its last."""
    following = ctx.following(node)
    block = ctx.last_suite(node)
    if isinstance(following, cst.SimpleStatementLine) and isinstance(block, cst.IndentedBlock) and block.body:
        yield from ctx.move(following, ctx.indentation(block.body[0]))


@operator(
    name="statements-swapped",
    odc="algorithm",
    bug_type="operator misuse",
    inverse="statements-swapped",
    examples=[Example("x = 1\nf(x)\n", "f(x)\nx = 1\n")],
)
def statements_swapped(node: cst.SimpleStatementLine, ctx: Context) -> Iterator[Change]:
    """Two statements one after the other change places."""
    following = ctx.following(node)
    movable = (cst.Assign, cst.AugAssign, cst.Expr)
    if (
        isinstance(following, cst.SimpleStatementLine)
        and isinstance(following.body[0], movable)
        and isinstance(node.body[0], movable)
    ):
        first, second = ctx.text(node), ctx.text(following)
        if first != second:
            yield ctx.replace(node, second), ctx.replace(following, first)


@operator(
    name="elif-to-if",
    odc="checking",
    bug_type="operator misuse",
    inverse="if-to-elif",
    examples=[Example("if a:\n    f()\nelif b:\n    g()\n", "if a:\n    f()\nif b:\n    g()\n")],
)
def elif_to_if(node: cst.If, ctx: Context) -> Iterator[Change]:
    """A branch is tried although an earlier one was taken."""
    if ctx.is_elif(node):
        yield Edit(ctx.start(node), ctx.start(node) + len("elif"), "if")


@operator(
    name="if-to-elif",
    odc="checking",
    bug_type="operator misuse",
    inverse="elif-to-if",
    examples=[Example("if a:\n    f()\nif b:\n    g()\n", "if a:\n    f()\nelif b:\n    g()\n")],
)
def if_to_elif(node: cst.If, ctx: Context) -> Iterator[Change]:
    """A second condition is tried only if the first does not hold."""
    following = ctx.following(node)
    if isinstance(following, cst.If) and isinstance(ctx.last_branch(node), cst.If):
        yield Edit(ctx.start(following), ctx.start(following), "el")


@operator(
    name="loop-else-joined",
    odc="checking",
    bug_type="missing logic",
    examples=[Example("for x in y:\n    f()\nelse:\n    g()\n", "for x in y:\n    f()\ng()\n")],
)
def loop_else_joined(node: cst.For | cst.While, ctx: Context) -> Iterator[Change]:
    """What a loop does when it is not left by break, it always does."""
    if node.orelse is not None:
        body = ctx.body_lines(node.orelse.body, ctx.indentation(node))
        if body is not None:
            yield Edit(ctx.lines_from(node.orelse), ctx.lines(node.orelse)[1], body)


@operator(
    name="size-test-confused",
    odc="checking",
    bug_type="operator misuse",
    inverse="size-test-confused",
    examples=[Example("x = len(a) <= 1", "x = len(a) == 0"), Example("x = len(a) > 1", "x = len(a) > 0")],
)
def size_test_confused(node: cst.Comparison, ctx: Context) -> Iterator[Change]:
    """A test of a size against a number becomes a test whether there is anything."""
    match node:
        case cst.Comparison(
            left=cst.Call(func=cst.Name(value="len")) as size,
            comparisons=[cst.ComparisonTarget(comparator=cst.Integer())],
        ):
            yield ctx.replace(node, f"{ctx.text(size)} == 0")
            yield ctx.replace(node, f"{ctx.text(size)} > 0")
