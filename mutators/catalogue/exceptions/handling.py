"""Wrong handling of exceptions: handlers widened, narrowed, emptied, reordered or lost."""

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
