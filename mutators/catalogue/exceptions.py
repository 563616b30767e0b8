"""Wrong exceptions: handlers widened, narrowed, emptied or lost, raises changed or lost."""

from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

_NARROWER: Final = {
    "Exception": ("ValueError", "KeyError"),
    "BaseException": ("Exception",),
    "LookupError": ("KeyError", "IndexError"),
    "OSError": ("FileNotFoundError",),
    "ArithmeticError": ("ZeroDivisionError",),
    "ImportError": ("ModuleNotFoundError",),
}
_WIDER: Final = {
    "KeyError": "LookupError",
    "IndexError": "LookupError",
    "FileNotFoundError": "OSError",
    "PermissionError": "OSError",
    "ZeroDivisionError": "ArithmeticError",
    "OverflowError": "ArithmeticError",
    "UnicodeDecodeError": "ValueError",
    "ModuleNotFoundError": "ImportError",
    "RecursionError": "RuntimeError",
    "NotImplementedError": "RuntimeError",
    "Exception": "BaseException",
}
_CONFUSED: Final = (
    ("KeyError", "IndexError", "AttributeError"),
    ("ValueError", "TypeError", "KeyError"),
    ("TypeError", "AttributeError"),
    ("StopIteration", "GeneratorExit"),
    ("FileNotFoundError", "PermissionError"),
    ("RuntimeError", "ValueError"),
    ("NotImplementedError", "TypeError"),
    ("AssertionError", "ValueError"),
    ("IndexError", "ValueError"),
)


def _others(name: str) -> tuple[str, ...]:
    found = dict.fromkeys(other for group in _CONFUSED if name in group for other in group)
    return tuple(other for other in found if other != name)


@operator(
    name="handler-widened",
    odc="checking",
    bug_type="excess logic",
    inverse="handler-narrowed",
    examples=[
        Example("try:\n    f()\nexcept KeyError:\n    g()", "try:\n    f()\nexcept Exception:\n    g()"),
        Example("try:\n    f()\nexcept KeyError:\n    g()", "try:\n    f()\nexcept LookupError:\n    g()"),
    ],
)
def handler_widened(node: cst.ExceptHandler, ctx: Context) -> Iterator[Change]:
    """A handler catches more than it should."""
    if node.type is not None and ctx.text(node.type) not in ("Exception", "BaseException"):
        if isinstance(node.type, cst.Name) and node.type.value in _WIDER:
            yield ctx.replace(node.type, _WIDER[node.type.value])
        yield Edit(*ctx.tree.outer[node.type], "Exception")


@operator(
    name="handler-narrowed",
    odc="checking",
    bug_type="missing logic",
    inverse="handler-widened",
    examples=[
        Example("try:\n    f()\nexcept (A, B):\n    g()", "try:\n    f()\nexcept A:\n    g()"),
        Example("try:\n    f()\nexcept Exception:\n    g()", "try:\n    f()\nexcept ValueError:\n    g()"),
    ],
)
def handler_narrowed(node: cst.ExceptHandler, ctx: Context) -> Iterator[Change]:
    """A handler catches less than it should."""
    if isinstance(node.type, cst.Name):
        for name in _NARROWER.get(node.type.value, ()):
            yield ctx.replace(node.type, name)
    elif isinstance(node.type, cst.Tuple):
        for index, element in enumerate(node.type.elements):
            if len(node.type.elements) == 2:
                yield Edit(*ctx.tree.outer[node.type], ctx.item_text(node.type.elements[1 - index]))
            elif len(node.type.elements) > 2:
                assert element is not None
                yield ctx.drop_item(node.type.elements, index)


@operator(
    name="exception-misuse",
    odc="checking",
    bug_type="function misuse",
    pattern="wrong function name",
    inverse="exception-misuse",
    examples=[
        Example("try:\n    f()\nexcept KeyError:\n    g()", "try:\n    f()\nexcept IndexError:\n    g()"),
        Example("raise ValueError('x')", "raise TypeError('x')"),
    ],
)
def exception_misuse(node: cst.ExceptHandler | cst.Raise, ctx: Context) -> Iterator[Change]:
    """Another exception is caught or raised, one that is easily taken for it."""
    name = node.type if isinstance(node, cst.ExceptHandler) else node.exc
    if isinstance(name, cst.Call):
        name = name.func
    if isinstance(name, cst.Name):
        for other in _others(name.value):
            yield ctx.replace(name, other)


@operator(
    name="handler-emptied",
    odc="algorithm",
    bug_type="missing logic",
    examples=[Example("try:\n    f()\nexcept E:\n    g()\n    raise\n", "try:\n    f()\nexcept E:\n    pass\n")],
)
def handler_emptied(node: cst.ExceptHandler, ctx: Context) -> Iterator[Change]:
    """A handler swallows the exception and does nothing."""
    if ctx.text(node.body) != "pass":
        yield ctx.replace(node.body, "pass")


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
    name="finally-joined",
    odc="algorithm",
    bug_type="missing logic",
    examples=[Example("try:\n    f()\nfinally:\n    g()\n", "f()\ng()\n")],
)
def finally_joined(node: cst.Try, ctx: Context) -> Iterator[Change]:
    """What must happen in any case happens only if all went well."""
    if node.finalbody is not None and not node.handlers:
        indentation = ctx.indentation(node)
        body, last = ctx.body_lines(node.body, indentation), ctx.body_lines(node.finalbody.body, indentation)
        if body is not None and last is not None:
            yield Edit(*ctx.lines(node), body + last)


@operator(
    name="raise-dropped",
    odc="checking",
    bug_type="missing logic",
    examples=[
        Example("def f(x):\n    if not x:\n        raise E(x)", "def f(x):\n    if not x:\n        pass"),
        Example("def f(x):\n    if not x:\n        raise E(x)", "def f(x):\n    if not x:\n        return None"),
    ],
)
def raise_dropped(node: cst.Raise, ctx: Context) -> Iterator[Change]:
    """Nothing is raised, or None is returned."""
    yield ctx.replace(node, "pass")
    if ctx.function(node) is not None:
        yield ctx.replace(node, "return None")


@operator(
    name="cause-dropped",
    odc="interface",
    bug_type="missing logic",
    examples=[Example("raise A(b) from c", "raise A(b)"), Example("raise A(b)", "raise A()")],
)
def cause_dropped(node: cst.Raise, ctx: Context) -> Iterator[Change]:
    """An exception loses its cause or what it says."""
    if node.exc is not None:
        end = ctx.tree.outer[node.exc][1]
        if node.cause is not None:
            yield Edit(end, ctx.tree.outer[node.cause.item][1], "")
        if isinstance(node.exc, cst.Call) and node.exc.args:
            yield ctx.replace(node.exc, f"{ctx.text(node.exc.func)}()")
