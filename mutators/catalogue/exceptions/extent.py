"""Wrong extent of a try: too little or too much in it, what belongs to its else or finally, loops around and in it."""

from collections.abc import Iterator

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator


@operator(
    name="finally-joined",
    odc="algorithm",
    bug_type="missing logic",
    examples=[
        Example("try:\n    f()\nfinally:\n    g()\n", "f()\ng()\n"),
        Example("try:\n    f()\nexcept E:\n    g()\nfinally:\n    h()\n", "try:\n    f()\nexcept E:\n    g()\nh()\n"),
    ],
)
def finally_joined(node: cst.Try, ctx: Context) -> Iterator[Change]:
    """What must happen in any case happens only if all went well, or the exception was dealt with."""
    if node.finalbody is None:
        return
    indentation = ctx.indentation(node)
    body, last = ctx.body_lines(node.body, indentation), ctx.body_lines(node.finalbody.body, indentation)
    if last is not None and node.handlers:
        yield Edit(ctx.lines_from(node.finalbody), ctx.lines(node.finalbody)[1], last)
    elif last is not None and body is not None:
        yield Edit(*ctx.lines(node), body + last)


@operator(
    name="try-else-joined",
    odc="algorithm",
    bug_type="excess logic",
    examples=[
        Example(
            "try:\n    f()\nexcept E:\n    g()\nelse:\n    h()\n",
            "try:\n    f()\n    h()\nexcept E:\n    g()\n",
        ),
        Example("try:\n    f()\nexcept E:\n    g()\nelse:\n    h()\n", "try:\n    f()\nexcept E:\n    g()\nh()\n"),
    ],
)
def try_else_joined(node: cst.Try, ctx: Context) -> Iterator[Change]:
    """What is done if nothing was raised is tried too, or done in any case."""
    inside = ctx.suite_indentation(node.body)
    if node.orelse is None or not inside:
        return
    start, end = ctx.lines_from(node.orelse), ctx.lines(node.orelse)[1]
    tried, after = ctx.body_lines(node.orelse.body, inside), ctx.body_lines(node.orelse.body, ctx.indentation(node))
    if tried is not None:
        yield ctx.insert_lines(ctx.lines(node.body.body[-1])[1], tried), Edit(start, end, "")
    if after is not None and node.finalbody is None:
        yield Edit(start, end, after)


@operator(
    name="try-body-changed",
    odc="algorithm",
    bug_type="operator misuse",
    inverse="try-body-changed",
    examples=[
        Example("try:\n    f()\n    g()\nexcept E:\n    h()\n", "f()\ntry:\n    g()\nexcept E:\n    h()\n"),
        Example("try:\n    f()\n    g()\nexcept E:\n    h()\n", "try:\n    f()\nexcept E:\n    h()\ng()\n"),
        Example(
            "try:\n    f()\n    g()\nexcept E:\n    h()\n",
            "try:\n    f()\nexcept E:\n    h()\nelse:\n    g()\n",
        ),
        Example("f()\ntry:\n    g()\nexcept E:\n    h()\n", "try:\n    f()\n    g()\nexcept E:\n    h()\n"),
        Example("try:\n    f()\nexcept E:\n    h()\ng()\n", "try:\n    f()\n    g()\nexcept E:\n    h()\n"),
    ],
)
def try_body_changed(node: cst.Try, ctx: Context) -> Iterator[Change]:
    """Too little or too much is tried: a statement stands before, after or in the try."""
    body = node.body.body
    inside, outside = ctx.suite_indentation(node.body), ctx.indentation(node)
    if not inside or not isinstance(node.body, cst.IndentedBlock):
        return
    start, end = ctx.lines(node)
    last = body[-1]
    moves = [ctx.relocate(node.body.body[0], node.body.body[0], start, outside)]
    moves.append(ctx.relocate(node.body.body[-1], node.body.body[-1], end, outside))
    yield from (move for move in moves if move is not None)
    text = ctx.lines_at(node.body.body[-1], node.body.body[-1], inside)
    if len(body) > 1 and text is not None and node.handlers and node.orelse is None:
        place = ctx.lines(node.handlers[-1])[1]
        yield (
            ctx.delete_run(node.body.body[-1], node.body.body[-1]),
            ctx.insert_lines(place, f"{outside}else:{ctx.newline}{text}"),
        )
    for neighbour, place in ((ctx.preceding(node), ctx.lines(body[0])[0]), (ctx.following(node), ctx.lines(last)[1])):
        if neighbour is not None and not ctx.is_fixed(neighbour):
            text = ctx.lines_at(neighbour, neighbour, inside)
            if text is not None:
                yield Edit(*ctx.lines(neighbour), ""), ctx.insert_lines(place, text)


@operator(
    name="try-around-loop",
    odc="algorithm",
    bug_type="operator misuse",
    inverse="try-in-loop",
    examples=[
        Example(
            "for x in y:\n    try:\n        f(x)\n    except E:\n        pass\n",
            "try:\n    for x in y:\n        f(x)\nexcept E:\n    pass\n",
        ),
    ],
)
def try_around_loop(node: cst.For | cst.While | cst.If | cst.With, ctx: Context) -> Iterator[Change]:
    """The first exception ends a loop that should go on: what is tried in every round is the loop."""
    inner = ctx.only(node.body)
    if isinstance(inner, cst.Try) and ctx.last_branch(node) is node and not ctx.is_elif(node) and ctx.block(inner):
        yield from _turned(node, inner, ctx)


@operator(
    name="try-in-loop",
    odc="algorithm",
    bug_type="operator misuse",
    inverse="try-around-loop",
    examples=[
        Example(
            "try:\n    for x in y:\n        f(x)\nexcept E:\n    pass\n",
            "for x in y:\n    try:\n        f(x)\n    except E:\n        pass\n",
        ),
    ],
)
def try_in_loop(node: cst.Try, ctx: Context) -> Iterator[Change]:
    """An exception that should end a loop ends only one round: the body is tried, not the loop."""
    inner = ctx.only(node.body)
    if isinstance(inner, cst.For | cst.While | cst.If | cst.With) and ctx.last_branch(inner) is inner:
        yield from _turned(node, inner, ctx)


_Outer = cst.Try | cst.For | cst.While | cst.If | cst.With


def _turned(outer: _Outer, inner: _Outer, ctx: Context) -> Iterator[Change]:
    """A try and the only statement around or in it change places; the handlers go with the try."""
    try_, owner = (outer, inner) if isinstance(outer, cst.Try) else (inner, outer)
    if not isinstance(try_, cst.Try) or not ctx.block(inner):
        return
    old, new = ctx.indentation(try_), ctx.indentation(owner)
    rest = next(part for part in (*try_.handlers, try_.orelse, try_.finalbody) if part is not None)
    start, end = ctx.lines_from(rest), ctx.lines(try_)[1]
    handlers = ctx.reindented(start, end, old, new)
    if handlers is not None:
        if not ctx.source[:end].endswith(("\n", "\r")):
            handlers = handlers.removesuffix(ctx.newline)
        heads = [(ctx.start(part), ctx.tree.outer[part.body][0]) for part in (outer, inner)]
        texts = [ctx.source[low:high] for low, high in heads]
        yield Edit(*heads[0], texts[1]), Edit(*heads[1], texts[0]), Edit(start, end, handlers)
