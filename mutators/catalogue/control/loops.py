"""Wrong control flow in loops: how often, over what, in which direction and from where to where they run."""

from collections.abc import Iterator, Sequence
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.context.scopes import MAPPING, NUMBER, SEQUENCE
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

_LAZY: Final = ("range", "enumerate", "zip", "reversed", "map", "filter", "iter", "items", "keys", "values")
_OTHER_BOUNDS: Final = 3


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
        Example("for x in f(y): pass", "for x in f(y)[:-1]: pass"),
        Example("for x in y: pass", "for x in []: pass"),
    ],
)
def iteration_changed(node: cst.For | cst.CompFor, ctx: Context) -> Iterator[Change]:
    """A loop leaves out the first or the last element, runs backwards, or not at all."""
    name = ctx.text(node.iter.func).split(".")[-1] if isinstance(node.iter, cst.Call) else ""
    if node.asynchronous is not None:
        return
    if isinstance(node.iter, cst.Name | cst.Attribute | cst.Subscript | cst.Call) and name not in _LAZY:
        yield ctx.wrap(node.iter, "", "[1:]")
        yield ctx.wrap(node.iter, "", "[:-1]")
    if name != "reversed":
        yield Edit(*ctx.tree.outer[node.iter], f"reversed({ctx.text(node.iter)})")
    if isinstance(node, cst.For):
        yield Edit(*ctx.tree.outer[node.iter], "[]")


@operator(
    name="elements-for-indices",
    odc="algorithm",
    bug_type="variable misuse",
    inverse="elements-for-indices",
    examples=[
        Example("for x in y: pass", "for x in range(len(y)): pass"),
        Example("for i in range(len(y)): pass", "for i in y: pass"),
        Example("for i in range(1, len(y) - 1): pass", "for i in y: pass"),
        Example("for i, x in enumerate(y): pass", "for i in range(len(y)): pass"),
        Example("for i, x in enumerate(y): pass", "for x in y: pass"),
        Example("for i, x in enumerate(y): pass", "for x, i in enumerate(y): pass"),
        Example("for i, x in enumerate(y): pass", "for i, x in enumerate(y, 1): pass"),
        Example("for x in y: pass", "for x in enumerate(y): pass"),
    ],
)
def elements_for_indices(node: cst.For | cst.CompFor, ctx: Context) -> Iterator[Change]:
    """A loop goes over indices for elements, over elements for indices, or over pairs of both."""
    source = node.iter
    match source:
        case cst.Call(func=cst.Name(value="range"), args=args):
            for sized in _sizes(args, ctx):
                yield ctx.fit(source, sized)
        case cst.Call(func=cst.Name(value="enumerate"), args=[cst.Arg(value=value, star=""), *rest]):
            match node.target:
                case cst.Tuple(elements=[cst.Element(value=index), cst.Element(value=element)]):
                    low, high = ctx.tree.outer[node.target][0], ctx.tree.outer[source][1]
                    yield Edit(low, high, f"{ctx.whole(element)} in {ctx.whole(value)}")
                    yield Edit(low, high, f"{ctx.whole(index)} in range(len({ctx.text(value)}))")
                    yield Edit(low, high, f"{ctx.whole(index)} in {ctx.whole(value)}")
                    yield ctx.swap(index, element)
            if not rest:
                yield Edit(ctx.tree.outer[value][1], ctx.tree.outer[value][1], ", 1")
        case cst.Name() | cst.Attribute() | cst.Subscript() if isinstance(node.target, cst.Name):
            yield ctx.replace(source, f"range(len({ctx.text(source)}))")
            yield ctx.replace(source, f"enumerate({ctx.text(source)})")
            binding = ctx.scope(node).resolve(source.value) if isinstance(source, cst.Name) else None
            if binding is not None and MAPPING in binding.kinds:
                yield ctx.wrap(source, "", ".values()")
                yield ctx.wrap(source, "", ".items()")


def _sizes(args: Sequence[cst.Arg], ctx: Context) -> Iterator[cst.BaseExpression]:
    """What ``len`` is taken of in the bounds of a range."""
    for argument in args[:2]:
        low, high = ctx.tree.outer[argument]
        for call in ctx.within(low, high, cst.Call):
            if ctx.text(call.func) == "len" and len(call.args) == 1:
                yield call.args[0].value


@operator(
    name="range-bounds",
    odc="algorithm",
    bug_type="value misuse",
    pattern="same function more args",
    inverse="range-bounds",
    examples=[
        Example("x = range(n)", "x = range(1, n)"),
        Example("x = range(n)", "x = range(n + 1)"),
        Example("x = range(a, b)", "x = range(b)"),
        Example("x = range(a, b)", "x = range(a + 1, b)"),
        Example("x = range(a, b)", "x = range(1, b)"),
        Example("x = range(a, b, 2)", "x = range(a, b)"),
        Example("x = range(a, b, -2)", "x = range(a, b, 2)"),
        Example("x = range(n)", "x = range(n, 0, -1)"),
        Example("x = range(n)", "x = range(0, n, 2)"),
    ],
)
def range_bounds(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A range begins, ends or steps otherwise."""
    if ctx.text(node.func) != "range" or not node.args or any(a.star or a.keyword for a in node.args):
        return
    values = [argument.value for argument in node.args]
    if len(values) == 1:
        yield ctx.wrap(values[0], "1, ", "")
    for value in values[1::-1]:
        if not isinstance(value, cst.Integer):
            yield ctx.wrap(value, "", " + 1")
            yield ctx.wrap(value, "", " - 1")
    if len(values) == 1:
        yield ctx.wrap(values[0], "2, ", "")
        yield ctx.wrap(values[0], "0, ", ", 2")
        yield ctx.wrap(values[0], "", ", 0, -1")
    if len(values) == 2:
        yield ctx.drop_item(node.args, 0)
        yield Edit(*ctx.tree.outer[values[0]], "1")
        yield ctx.wrap(values[1], "", ", 2")
        yield ctx.wrap(values[1], "", ", -1")
    if len(values) == 3:
        yield ctx.drop_item(node.args, 2)
        for start in ("0", "1"):
            yield Edit(*ctx.tree.outer[values[0]], start)
        negative = isinstance(values[2], cst.UnaryOperation)
        yield Edit(*ctx.tree.outer[values[2]], ctx.text(values[2])[1:] if negative else f"-{ctx.operand(values[2])}")


@operator(
    name="range-of-other",
    odc="algorithm",
    bug_type="variable misuse",
    pattern="change identifier",
    examples=[
        Example(
            "def f(a, n):\n    n += 1\n    for i in range(len(a)): pass",
            "def f(a, n):\n    n += 1\n    for i in range(n): pass",
        ),
        Example(
            "def f(a, n):\n    a.append(n)\n    for i in range(n): pass",
            "def f(a, n):\n    a.append(n)\n    for i in range(len(a)): pass",
        ),
    ],
)
def range_of_other(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A range ends with a number for the size of a collection, or with the size of one for a number."""
    if ctx.text(node.func) != "range" or not 0 < len(node.args) < 3:
        return
    end = node.args[-1].value
    own = {n.value for n in ctx.within(*ctx.tree.outer[end], cst.Name)}
    near = [binding for binding in ctx.names(node) if binding.name not in own]
    if "len" in own:
        numbers = [b.name for b in near if NUMBER in b.kinds and not b.kinds & {SEQUENCE, MAPPING}]
        for name in numbers[:_OTHER_BOUNDS]:
            yield Edit(*ctx.tree.outer[end], name)
    else:
        sized = [b.name for b in near if b.kinds & {SEQUENCE, MAPPING}]
        for name in sized[:_OTHER_BOUNDS]:
            yield Edit(*ctx.tree.outer[end], f"len({name})")


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
    name="answered-too-early",
    odc="algorithm",
    bug_type="excess logic",
    examples=[
        Example(
            "def f(y):\n    for x in y:\n        if x:\n            return x\n    return 0\n",
            "def f(y):\n    for x in y:\n        if x:\n            return x\n        else:\n            return 0\n",
        ),
        Example(
            "def f(y):\n  for x in y:\n    if x:\n      return x\n    else:\n      continue\n  return 0\n",
            "def f(y):\n  for x in y:\n    if x:\n      return x\n    else:\n      return 0\n",
        ),
    ],
)
def answered_too_early(node: cst.For | cst.While, ctx: Context) -> Iterator[Change]:
    """What follows a loop is the else of its last if, as if the first element that fails decided."""
    following = ctx.following(node)
    last = node.body.body[-1] if node.body.body else None
    if not isinstance(following, cst.SimpleStatementLine) or not isinstance(last, cst.If) or node.orelse is not None:
        return
    branch = ctx.last_branch(last)
    inside = ctx.indentation(last) + ctx.tree.module.default_indent
    text = ctx.lines_at(following, following, inside)
    if text is None:
        return
    start, end = ctx.lines(following)
    if isinstance(branch, cst.If):
        place = ctx.lines(last)[1]
        header = f"{ctx.indentation(last)}else:{ctx.newline}"
        yield Edit(start, end, ""), ctx.insert_lines(place, header + text)
        yield ctx.insert_lines(place, header + text)
    elif isinstance(branch, cst.Else) and isinstance(ctx.only(branch.body), cst.Pass | cst.Continue):
        yield Edit(start, end, ""), ctx.replace(branch.body, ctx.text(following))
        yield ctx.replace(branch.body, ctx.text(following))


@operator(
    name="guard-into-loop",
    odc="algorithm",
    bug_type="operator misuse",
    examples=[
        Example(
            "def f(y):\n  if not y:\n    return 0\n  for x in y:\n    if x:\n      return 1\n",
            "def f(y):\n  for x in y:\n    if not y:\n      return 0\n    elif x:\n      return 1\n",
        ),
    ],
)
def guard_into_loop(node: cst.For | cst.While, ctx: Context) -> Iterator[Change]:
    """A guard before a loop is tried in every round, as the first branch of the loop's first if."""
    guard = ctx.preceding(node)
    first = node.body.body[0] if node.body.body else None
    if (
        not isinstance(guard, cst.If)
        or not isinstance(first, cst.If)
        or guard.orelse is not None
        or not ctx.block(first)
    ):
        return
    text = ctx.lines_at(guard, guard, ctx.indentation(first))
    if text is not None:
        at = ctx.start(first)
        yield ctx.delete_run(guard, guard), Edit(ctx.lines(first)[0], at, f"{text}{ctx.indentation(first)}el")
