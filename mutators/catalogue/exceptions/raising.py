"""Wrong raising of exceptions: another one, returned or lost instead, without its cause or what it says."""

from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

_CONFUSED: Final = (
    ("KeyError", "IndexError", "AttributeError", "LookupError"),
    ("ValueError", "TypeError", "KeyError"),
    ("TypeError", "AttributeError"),
    ("StopIteration", "GeneratorExit", "IndexError"),
    ("FileNotFoundError", "PermissionError", "FileExistsError", "OSError"),
    ("RuntimeError", "ValueError"),
    ("NotImplementedError", "TypeError"),
    ("AssertionError", "ValueError"),
    ("IndexError", "ValueError"),
    ("ZeroDivisionError", "OverflowError", "ValueError"),
    ("UnicodeDecodeError", "UnicodeEncodeError"),
    ("ImportError", "AttributeError"),
    ("TimeoutError", "ConnectionError"),
    ("Exception", "ValueError", "RuntimeError"),
)
"""Exceptions that people take for each other."""
_OF_MODULE: Final = 4


def _others(name: str) -> tuple[str, ...]:
    found = dict.fromkeys(other for group in _CONFUSED if name in group for other in group)
    return tuple(other for other in found if other != name)


def _named(node: cst.CSTNode) -> cst.BaseExpression | None:
    """What a handler catches or a raise raises, without the call."""
    name = node.type if isinstance(node, cst.ExceptHandler) else node.exc if isinstance(node, cst.Raise) else None
    return name.func if isinstance(name, cst.Call) else name


@operator(
    name="exception-misuse",
    odc="checking",
    bug_type="function misuse",
    pattern="wrong function name",
    inverse="exception-misuse",
    examples=[
        Example("try:\n    f()\nexcept KeyError:\n    g()", "try:\n    f()\nexcept IndexError:\n    g()"),
        Example("raise ValueError('x')", "raise TypeError('x')"),
        Example("if x:\n    raise A('x')\nraise m.B('y')\n", "if x:\n    raise m.B('x')\nraise m.B('y')\n"),
    ],
)
def exception_misuse(node: cst.ExceptHandler | cst.Raise, ctx: Context) -> Iterator[Change]:
    """Another exception is caught or raised: one that is easily taken for it, or one that the module uses nearby."""
    name = _named(node)
    if not isinstance(name, cst.Name | cst.Attribute):
        return
    own = ctx.text(name)
    near: dict[str, int] = {}
    for other in (*ctx.of_type(cst.ExceptHandler), *ctx.of_type(cst.Raise)):
        named = _named(other)
        if isinstance(named, cst.Name | cst.Attribute) and ctx.text(named).split(".")[-1][:1].isupper():
            distance = abs(ctx.start(other) - ctx.start(node))
            near[ctx.text(named)] = min(distance, near.get(ctx.text(named), distance))
    used = sorted((n for n in near if n != own), key=lambda n: (near[n], n))[:_OF_MODULE]
    for text in dict.fromkeys((*_others(own), *used)):
        yield ctx.replace(name, text)


@operator(
    name="raise-dropped",
    odc="checking",
    bug_type="missing logic",
    examples=[
        Example("def f(x):\n    if not x:\n        raise E(x)", "def f(x):\n    if not x:\n        pass"),
        Example("def f(x):\n    if x:\n        raise E\n    g()", "def f(x):\n    if x:\n        return None\n    g()"),
        Example("def f(x):\n    if not x:\n        raise E(x)", "def f(x):\n    if not x:\n        return False"),
        Example("def f(x):\n    if not x:\n        raise E(x)", "def f(x):\n    if not x:\n        return E(x)"),
        Example("def f(x):\n    if not x:\n        raise E(x)", "def f(x):\n    if not x:\n        E(x)"),
    ],
)
def raise_dropped(node: cst.Raise, ctx: Context) -> Iterator[Change]:
    """Nothing is raised: the exception is made and not raised, returned, or a value is returned in its place."""
    yield ctx.replace(node, "pass")
    if ctx.function(node) is not None:
        yield ctx.replace(node, "return None")
        yield ctx.replace(node, "return False")
    if node.exc is not None:
        exception = ctx.text(node.exc)
        if ctx.function(node) is not None:
            yield ctx.replace(node, f"return {exception}")
        if isinstance(node.exc, cst.Call):
            yield ctx.replace(node, exception)
    if ctx.loop(node) is not None:
        yield ctx.replace(node, "continue")
        yield ctx.replace(node, "break")


@operator(
    name="cause-dropped",
    odc="interface",
    bug_type="missing logic",
    pattern="same function more args",
    examples=[
        Example("raise A(b) from c", "raise A(b)"),
        Example("raise A(b) from c", "raise A(b) from None"),
        Example("raise A(b)", "raise A()"),
        Example("raise A(b)", "raise A"),
    ],
)
def cause_dropped(node: cst.Raise, ctx: Context) -> Iterator[Change]:
    """An exception loses its cause or what it says."""
    if node.exc is not None:
        end = ctx.tree.outer[node.exc][1]
        if node.cause is not None:
            yield Edit(end, ctx.tree.outer[node.cause.item][1], "")
            yield Edit(*ctx.tree.outer[node.cause.item], "None")
        if isinstance(node.exc, cst.Call) and node.exc.args:
            yield ctx.replace(node.exc, f"{ctx.text(node.exc.func)}()")
            yield ctx.fit(node.exc, node.exc.func)


@operator(
    name="exception-rethrown",
    odc="algorithm",
    bug_type="operator misuse",
    examples=[
        Example("try:\n    f()\nexcept A as e:\n    raise B(e)\n", "try:\n    f()\nexcept A as e:\n    raise\n"),
        Example("try:\n    f()\nexcept A as e:\n    raise B(e)\n", "try:\n    f()\nexcept A as e:\n    raise e\n"),
    ],
)
def exception_rethrown(node: cst.Raise, ctx: Context) -> Iterator[Change]:
    """In a handler what was caught is raised again in place of another exception."""
    handler = ctx.nearest(node, cst.ExceptHandler, cst.FunctionDef)
    if isinstance(handler, cst.ExceptHandler):
        if node.exc is not None:
            yield ctx.replace(node, "raise")
        if handler.name is not None:
            yield ctx.replace(node, f"raise {ctx.text(handler.name.name)}")


@operator(
    name="none-to-raise",
    odc="checking",
    bug_type="excess logic",
    examples=[
        Example(
            "def f(x):\n    if not x:\n        return None\n", "def f(x):\n    if not x:\n        raise ValueError(x)\n"
        ),
        Example("def f():\n    if g():\n        return -1\n", "def f():\n    if g():\n        raise ValueError()\n"),
    ],
)
def none_to_raise(node: cst.Return, ctx: Context) -> Iterator[Change]:
    """What should answer that there is nothing raises an exception."""
    guarded = isinstance(ctx.statement(ctx.parent(node)), cst.If | cst.Try)
    if guarded and (node.value is None or ctx.text(node.value) in ("None", "-1", "False", "[]", "''", '""')):
        function = ctx.function(node)
        names = [] if function is None else [p.name.value for p in function.params.params if p.name.value != "self"]
        yield ctx.replace(node, f"raise ValueError({names[0] if len(names) == 1 else ''})")
