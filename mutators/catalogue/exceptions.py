"""Wrong handling of exceptions: handlers widened, narrowed, emptied, reordered or lost, and what is tried."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

_PARENTS: Final = {
    "Exception": "BaseException", "KeyboardInterrupt": "BaseException", "SystemExit": "BaseException",
    "GeneratorExit": "BaseException", "ArithmeticError": "Exception", "ZeroDivisionError": "ArithmeticError",
    "OverflowError": "ArithmeticError", "AssertionError": "Exception", "AttributeError": "Exception",
    "EOFError": "Exception", "ImportError": "Exception", "ModuleNotFoundError": "ImportError",
    "LookupError": "Exception", "KeyError": "LookupError", "IndexError": "LookupError", "MemoryError": "Exception",
    "NameError": "Exception", "UnboundLocalError": "NameError", "OSError": "Exception", "IOError": "Exception",
    "FileNotFoundError": "OSError", "FileExistsError": "OSError", "PermissionError": "OSError",
    "IsADirectoryError": "OSError", "NotADirectoryError": "OSError", "InterruptedError": "OSError",
    "TimeoutError": "OSError", "BlockingIOError": "OSError", "ConnectionError": "OSError",
    "BrokenPipeError": "ConnectionError", "ConnectionResetError": "ConnectionError",
    "ConnectionRefusedError": "ConnectionError", "RuntimeError": "Exception", "RecursionError": "RuntimeError",
    "NotImplementedError": "RuntimeError", "StopIteration": "Exception", "StopAsyncIteration": "Exception",
    "SyntaxError": "Exception", "TypeError": "Exception", "ValueError": "Exception", "UnicodeError": "ValueError",
    "UnicodeDecodeError": "UnicodeError", "UnicodeEncodeError": "UnicodeError", "JSONDecodeError": "ValueError",
    "Warning": "Exception", "DeprecationWarning": "Warning", "UserWarning": "Warning", "RuntimeWarning": "Warning",
}  # fmt: skip
"""The built-in hierarchy (Python's library reference), as far as programs name it."""
_COMMON: Final = ("ValueError", "KeyError", "TypeError", "OSError", "AttributeError")
"""What people catch where they mean any error."""
_CATCH_ALL: Final = ("Exception", "BaseException")


@operator(
    name="handler-widened",
    odc="checking",
    bug_type="excess logic",
    inverse="handler-narrowed",
    examples=[
        Example("try:\n    f()\nexcept KeyError:\n    g()", "try:\n    f()\nexcept Exception:\n    g()"),
        Example("try:\n    f()\nexcept KeyError:\n    g()", "try:\n    f()\nexcept LookupError:\n    g()"),
        Example("try:\n    f()\nexcept KeyError:\n    g()", "try:\n    f()\nexcept:\n    g()"),
        Example("try:\n    f()\nexcept Exception:\n    g()", "try:\n    f()\nexcept BaseException:\n    g()"),
    ],
)
def handler_widened(node: cst.ExceptHandler, ctx: Context) -> Iterator[Change]:
    """A handler catches more than it should: a wider class, or everything."""
    if node.type is None:
        return
    name = ctx.text(node.type)
    wider = []
    while name in _PARENTS:
        name = _PARENTS[name]
        wider.append(name)
    if not wider:
        wider = list(_CATCH_ALL)
    for name in wider:
        yield Edit(*ctx.tree.outer[node.type], name)
    end = ctx.tree.outer[node.type if node.name is None else node.name.name][1]
    if node.name is None and _is_last(node, ctx):
        yield Edit(ctx.start(node), end, "except")


def _is_last(node: cst.ExceptHandler, ctx: Context) -> bool:
    owner = ctx.parent(node)
    return isinstance(owner, cst.Try) and owner.handlers[-1] is node


@operator(
    name="handler-narrowed",
    odc="checking",
    bug_type="missing logic",
    inverse="handler-widened",
    examples=[
        Example("try:\n    f()\nexcept (A, B):\n    g()", "try:\n    f()\nexcept A:\n    g()"),
        Example("try:\n    f()\nexcept Exception:\n    g()", "try:\n    f()\nexcept ValueError:\n    g()"),
        Example("try:\n    f()\nexcept UnicodeError:\n    g()", "try:\n    f()\nexcept UnicodeEncodeError:\n    g()"),
        Example("try:\n    f()\nexcept:\n    g()", "try:\n    f()\nexcept Exception:\n    g()"),
    ],
)
def handler_narrowed(node: cst.ExceptHandler, ctx: Context) -> Iterator[Change]:
    """A handler catches less than it should: a narrower class, or one class fewer."""
    if node.type is None:
        for name in ("Exception", *_COMMON):
            at = ctx.start(node) + len("except")
            yield Edit(at, at, f" {name}")
    elif isinstance(node.type, cst.Tuple):
        for index in range(len(node.type.elements)):
            if len(node.type.elements) == 2:
                yield Edit(*ctx.tree.outer[node.type], ctx.item_text(node.type.elements[1 - index]))
            elif len(node.type.elements) > 2:
                yield ctx.drop_item(node.type.elements, index)
    else:
        name = ctx.text(node.type)
        narrower = _COMMON if name in _CATCH_ALL else [child for child, parent in _PARENTS.items() if parent == name]
        for other in ("Exception", *narrower) if name == "BaseException" else narrower:
            yield Edit(*ctx.tree.outer[node.type], other)


@operator(
    name="handler-emptied",
    odc="algorithm",
    bug_type="missing logic",
    examples=[
        Example("try:\n    f()\nexcept E:\n    g()\n    raise\n", "try:\n    f()\nexcept E:\n    pass\n"),
        Example(
            "def f():\n    try:\n        f()\n    except E:\n        g()\n",
            "def f():\n    try:\n        f()\n    except E:\n        return None\n",
        ),
    ],
)
def handler_emptied(node: cst.ExceptHandler, ctx: Context) -> Iterator[Change]:
    """A handler swallows the exception: it does nothing, gives None, or goes on with the next round."""
    words = ["pass"]
    if ctx.function(node) is not None:
        words.append("return None")
    if ctx.loop(node) is not None:
        words += ["continue", "break"]
    yield from (ctx.replace(node.body, word) for word in words if ctx.text(node.body) != word)


@operator(
    name="handler-rethrows",
    odc="algorithm",
    bug_type="excess logic",
    examples=[Example("try:\n    f()\nexcept E:\n    g()\n", "try:\n    f()\nexcept E:\n    g()\n    raise\n")],
)
def handler_rethrows(node: cst.ExceptHandler, ctx: Context) -> Iterator[Change]:
    """An exception that is dealt with is raised again."""
    if isinstance(node.body, cst.IndentedBlock) and not ctx.ends_by_leaving(node.body):
        yield ctx.insert_after(node.body.body[-1], "raise")


@operator(
    name="handler-dropped",
    odc="checking",
    bug_type="missing logic",
    examples=[
        Example(
            "try:\n    f()\nexcept A:\n    g()\nexcept B:\n    h()\n",
            "try:\n    f()\nexcept B:\n    h()\n",
        ),
        Example("try:\n    f()\nexcept A:\n    g()\n", "f()\n"),
        Example("try:\n    f()\nfinally:\n    g()\n", "f()\n"),
    ],
)
def handler_dropped(node: cst.Try, ctx: Context) -> Iterator[Change]:
    """A try loses a handler, its else or its finally; without any the body stands alone."""
    parts: list[cst.CSTNode] = [*node.handlers]
    parts += [part for part in (node.orelse, node.finalbody) if part is not None]
    for part in parts:
        yield Edit(ctx.lines_from(part), ctx.lines(part)[1], "")
    edit = ctx.unwrap(node, node.body)
    if edit is not None:
        yield edit


@operator(
    name="handlers-swapped",
    odc="checking",
    bug_type="operator misuse",
    inverse="handlers-swapped",
    examples=[
        Example(
            "try:\n    f()\nexcept A:\n    g()\nexcept B:\n    h()\n",
            "try:\n    f()\nexcept B:\n    h()\nexcept A:\n    g()\n",
        ),
        Example(
            "try:\n    f()\nexcept A:\n    g()\nexcept B:\n    h()\n",
            "try:\n    f()\nexcept B:\n    g()\nexcept A:\n    h()\n",
        ),
    ],
)
def handlers_swapped(node: cst.Try, ctx: Context) -> Iterator[Change]:
    """Two handlers stand in the other order, or deal with each other's exceptions."""
    for left, right in pairwise(node.handlers):
        yield ctx.replace(left, ctx.text(right)), ctx.replace(right, ctx.text(left))
        if left.type is not None and right.type is not None:
            yield ctx.swap(left.type, right.type)


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
