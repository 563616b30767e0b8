"""Wrong arguments: lost, exchanged, repeated, of another kind, passed by another name or to another call."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

_SWAPPED: Final = 5
_KEYWORDS: Final = 4
_CONSTANTS: Final = ("0", "1", "''")


@operator(
    name="argument-dropped",
    odc="interface",
    bug_type="function misuse",
    pattern="same function more args",
    inverse="argument-added",
    examples=[
        Example("x = f(a, b)", "x = f(a)"),
        Example("x = f(a, b)", "x = f(b)"),
        Example("x = f(a)", "x = f()"),
        Example("x = f(a, b, c)", "x = f(a)"),
    ],
)
def argument_dropped(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A call loses one positional argument, all that follow the first, or its only one."""
    for index, argument in enumerate(node.args):
        if argument.keyword is None:
            yield ctx.drop_item(node.args, index)
    for index in range(1, len(node.args) - 1):
        yield Edit(ctx.end_of_item(node.args[index - 1]), ctx.end_of_item(node.args[-1]), "")


@operator(
    name="keyword-dropped",
    odc="interface",
    bug_type="missing logic",
    pattern="same function more args",
    inverse="keyword-added",
    examples=[Example("x = sorted(a, key=b)", "x = sorted(a)"), Example("x = f(a=1)", "x = f()")],
)
def keyword_dropped(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A call loses one keyword argument, or all of them."""
    keywords = [index for index, argument in enumerate(node.args) if argument.keyword is not None]
    for index in keywords:
        yield ctx.drop_item(node.args, index)
    if len(keywords) > 1 and keywords[0] > 0:
        start, end = ctx.end_of_item(node.args[keywords[0] - 1]), ctx.end_of_item(node.args[keywords[-1]])
        yield Edit(start, end, "")


@operator(
    name="arguments-swapped",
    odc="interface",
    bug_type="variable misuse",
    pattern="same function swap args",
    inverse="arguments-swapped",
    examples=[
        Example("x = f(a, b)", "x = f(b, a)"),
        Example("x = f(a, b, c)", "x = f(c, b, a)"),
        Example("x = f(a, b, c)", "x = f(b, c, a)"),
    ],
)
def arguments_swapped(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """Two arguments of a call change places, or three move round."""
    plain = [a.value for a in node.args if not a.star]
    for index, left in enumerate(plain[:_SWAPPED]):
        for right in plain[index + 1 : _SWAPPED]:
            if ctx.whole(left) != ctx.whole(right):
                yield ctx.swap(left, right)
    if len(plain) == 3:
        for order in ((1, 2, 0), (2, 0, 1)):
            yield tuple(ctx.fit(plain[place], plain[source]) for place, source in enumerate(order))


@operator(
    name="argument-repeated",
    odc="interface",
    bug_type="variable misuse",
    examples=[Example("x = f(a, g(b))", "x = f(a, a)"), Example("x = f(g(a), b)", "x = f(g(a), g(a))")],
)
def argument_repeated(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """An argument is passed in place of its neighbour too."""
    plain = [a.value for a in node.args if not a.star]
    for left, right in pairwise(plain):
        yield ctx.fit(left, right)
        yield ctx.fit(right, left)


@operator(
    name="argument-none",
    odc="interface",
    bug_type="value misuse",
    examples=[
        Example("x = f(a, k=b)", "x = f(a, k=None)"),
        Example("x = f(a, b)", "x = f(None, b)"),
        Example("x = f(a, b)", "x = f(a, 0)"),
    ],
)
def argument_none(node: cst.Arg, ctx: Context) -> Iterator[Change]:
    """An argument becomes None, or another constant that stands for nothing."""
    if not isinstance(ctx.parent(node), cst.Call) or node.star or ctx.text(node.value) in ("None", "True", "False"):
        return
    yield Edit(*ctx.tree.outer[node.value], "None")
    if isinstance(node.value, cst.Name | cst.Attribute | cst.Subscript | cst.Call):
        for constant in _CONSTANTS:
            yield Edit(*ctx.tree.outer[node.value], constant)


@operator(
    name="argument-quoted",
    odc="interface",
    bug_type="value misuse",
    examples=[
        Example("x = f(a)", "x = f('a')"),
        Example("x = f(a.encode('ascii'))", "x = f('a')"),
        Example("x = f(a.b)", "x = f('b')"),
        Example("x = f('a')", "x = f(a)"),
    ],
)
def argument_quoted(node: cst.Arg, ctx: Context) -> Iterator[Change]:
    """The name of a variable is passed as text for the variable or for what is made of it, or the contrary."""
    if not isinstance(ctx.parent(node), cst.Call) or node.star:
        return
    inner = node.value
    if isinstance(inner, cst.SimpleString):
        word = inner.value.strip("'\"")
        if word.isidentifier():
            yield Edit(*ctx.tree.outer[inner], word)
        return
    if isinstance(inner, cst.Attribute):
        yield Edit(*ctx.tree.outer[inner], f"'{inner.attr.value}'")
    while isinstance(inner, cst.Call | cst.Attribute | cst.Subscript):
        if isinstance(inner, cst.Call):
            inner = inner.args[0].value if isinstance(inner.func, cst.Name) and inner.args else inner.func
        else:
            inner = inner.value
    if isinstance(inner, cst.Name) and inner.value not in ("None", "True", "False", "self", "cls"):
        yield Edit(*ctx.tree.outer[node.value], f"'{inner.value}'")


@operator(
    name="keyword-misuse",
    odc="interface",
    bug_type="function misuse",
    pattern="change keyword argument used",
    inverse="keyword-misuse",
    examples=[
        Example("x = f(a=1, b=2)", "x = f(b=1, a=2)"),
        Example("x = f(a=1)\ny = f(b=2)", "x = f(b=1)\ny = f(b=2)"),
        Example("x = f(a=1)", "x = f(1)"),
        Example("def f(a, b=0): pass\nx = f(1, 2)", "def f(a, b=0): pass\nx = f(1, a=2)"),
    ],
)
def keyword_misuse(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """An argument is passed by the name of another, by its place, or by a name for its place."""
    keywords = [a.keyword for a in node.args if a.keyword is not None]
    for left, right in pairwise(keywords):
        yield ctx.replace(left, right.value), ctx.replace(right, left.value)
    known = _parameters_of(node, ctx)
    used = {k.value for k in keywords}
    others = [k for k in dict.fromkeys([*known, *_keywords_of_calls(node, ctx)]) if k not in used][:_KEYWORDS]
    for argument in node.args:
        if argument.keyword is not None:
            yield Edit(ctx.start(argument.keyword), ctx.tree.outer[argument.value][0], "")
            for name in others:
                yield ctx.replace(argument.keyword, name)
    if len(keywords) > 1:
        yield tuple(
            Edit(ctx.start(a.keyword), ctx.tree.outer[a.value][0], "") for a in node.args if a.keyword is not None
        )
    last = next((a for a in reversed(node.args) if a.keyword is None), None)
    if last is not None and not last.star and known:
        for name in known[:_KEYWORDS]:
            yield Edit(ctx.start(last), ctx.start(last), f"{name}=")


def _parameters_of(node: cst.Call, ctx: Context) -> list[str]:
    """The parameters of the function called, if the module defines one of that name."""
    name = node.func.attr.value if isinstance(node.func, cst.Attribute) else ctx.text(node.func)
    return [n for n in ctx.parameters_of(name) if n not in ("self", "cls")]


def _keywords_of_calls(node: cst.Call, ctx: Context) -> list[str]:
    """The keywords with which the same function is called in the module."""
    return list(ctx.keywords_of(ctx.text(node.func)))


@operator(
    name="keyword-added",
    odc="interface",
    bug_type="excess logic",
    pattern="same function less args",
    inverse="keyword-dropped",
    examples=[
        Example("x = sorted(a)", "x = sorted(a, reverse=True)"),
        Example("x = a.split()", "x = a.split(' ')"),
        Example("x = f(1)\ny = f(2, b=3)", "x = f(1, b=3)\ny = f(2, b=3)"),
    ],
)
def keyword_added(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A call passes an option that it should leave out: a usual one, or that of another call of the function."""
    name = node.func.attr.value if isinstance(node.func, cst.Attribute) else ctx.text(node.func)
    used = {a.keyword.value for a in node.args if a.keyword is not None}
    others = ctx.keywords_of(ctx.text(node.func))
    options = [(k, f"{k}={value}") for k, value in list(others.items())[:_KEYWORDS]]
    options += [(text.partition("=")[0], text) for text in _OPTIONS.get(name, ())]
    end = ctx.end_of_item(node.args[-1]) if node.args else ctx.end(node) - 1
    for keyword, text in options:
        positional = "=" not in text
        if keyword not in used and not (positional and used):
            yield Edit(end, end, f", {text}" if node.args else text)


_OPTIONS: Final = {
    "sorted": ("reverse=True", "key=len", "key=str", "key=abs"),
    "sort": ("reverse=True", "key=len"),
    "max": ("key=len", "default=0"),
    "min": ("key=len", "default=0"),
    "split": ("' '", "','", "1"),
    "rsplit": ("' '", "1"),
    "strip": ("' '", "'\\n'"),
    "round": ("1", "2"),
    "sum": ("1", "[]"),
    "range": ("2", "-1"),
    "enumerate": ("1", "start=1"),
    "int": ("2", "10"),
    "pop": ("0", "-1"),
    "get": ("0", "None"),
    "replace": ("1",),
    "count": ("1",),
    "index": ("1",),
    "find": ("1",),
    "zip": ("strict=True",),
    "print": ("end=''",),
    "join": (),
    "open": ("'w'", "'rb'"),
}
"""Options that are often passed to functions and methods of these names, after the other arguments."""
