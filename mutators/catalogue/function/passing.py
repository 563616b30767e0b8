"""Wrong passing of functions and groups of arguments: stars, nested calls, partial application, lambdas."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.context.scopes import CALLABLE
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

_UNPACKED: Final = (cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.List, cst.ListComp)


@operator(
    name="star-confused",
    odc="interface",
    bug_type="function misuse",
    inverse="star-confused",
    examples=[
        Example("x = f(*a)", "x = f(a)"),
        Example("x = f(**a)", "x = f(*a)"),
        Example("x = f(a)", "x = f(*a)"),
    ],
)
def star_confused(node: cst.Arg, ctx: Context) -> Iterator[Change]:
    """A sequence or mapping is passed whole in place of unpacked, or the contrary."""
    start = ctx.tree.outer[node.value][0]
    if node.star:
        yield Edit(ctx.start(node), start, "")
        yield Edit(ctx.start(node), start, "*" if node.star == "**" else "**")
    elif node.keyword is None and isinstance(ctx.parent(node), cst.Call) and isinstance(node.value, _UNPACKED):
        yield Edit(start, start, "*")


@operator(
    name="arguments-regrouped",
    odc="interface",
    bug_type="function misuse",
    inverse="arguments-regrouped",
    examples=[
        Example("x = f(g(a), b)", "x = f(g(a, b))"),
        Example("x = f(g(a, b))", "x = f(g(a), b)"),
        Example("x = f(a, g(b))", "x = f(g(a, b))"),
        Example("x = f((a, b))", "x = f(a, b)"),
        Example("x = f(a, b)", "x = f((a, b))"),
        Example("x = f(g(a))", "x = g(f(a))"),
    ],
)
def arguments_regrouped(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """An argument is passed to the call within another, or to the one around it; arguments become one, or it them."""
    for index, argument in enumerate(node.args):
        inner = argument.value
        if isinstance(inner, cst.Call) and inner.args:
            end = ctx.end_of_item(inner.args[-1])
            if index + 1 < len(node.args):
                rest = ctx.source[ctx.end_of_item(argument) : ctx.end_of_item(node.args[index + 1])]
                closing = ctx.source[end : ctx.end_of_item(argument)]
                yield Edit(end, ctx.end_of_item(node.args[index + 1]), f"{rest}{closing}")
            if index:
                before = ctx.item_text(node.args[index - 1])
                opening = ctx.source[ctx.start(argument) : ctx.start(inner.args[0])]
                yield Edit(ctx.start(node.args[index - 1]), ctx.start(inner.args[0]), f"{opening}{before}, ")
            if len(inner.args) > 1:
                moved = ctx.item_text(inner.args[-1])
                cut = ctx.end_of_item(inner.args[-2])
                closing = ctx.source[end : ctx.end_of_item(argument)]
                yield Edit(cut, ctx.end_of_item(argument), f"{closing}, {moved}")
            if len(node.args) == 1 and ctx.text(inner.func) != ctx.text(node.func):
                yield ctx.swap(node.func, inner.func)
        elif isinstance(inner, cst.Tuple | cst.List) and len(node.args) == 1 and inner.elements and not argument.star:
            yield Edit(*ctx.tree.outer[inner], ", ".join(ctx.item_text(e) for e in inner.elements))
    plain = [a for a in node.args if not a.star and a.keyword is None]
    if len(plain) == len(node.args) > 1:
        start, end = ctx.start(plain[0]), ctx.end_of_item(plain[-1])
        for left, right in ("()", "[]"):
            yield Edit(start, end, f"{left}{ctx.source[start:end]}{right}")


@operator(
    name="partial-dropped",
    odc="interface",
    bug_type="function misuse",
    examples=[Example("x = partial(f, a)", "x = f"), Example("x = partial(f, a)", "x = f(a)")],
)
def partial_dropped(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A function is called at once, or without what should be passed with it, in place of applied in part."""
    if ctx.text(node.func).rpartition(".")[2] == "partial" and len(node.args) > 1 and not node.args[0].star:
        function = node.args[0].value
        yield ctx.fit(node, function)
        rest = ", ".join(ctx.item_text(a) for a in node.args[1:])
        yield ctx.replace(node, f"{ctx.operand(function)}({rest})")


@operator(
    name="lambda-misuse",
    odc="algorithm",
    bug_type="function misuse",
    examples=[
        Example("f = lambda x: x[1]", "f = lambda x: x"),
        Example("f = lambda x: g(x)", "f = g(x)"),
        Example("f = lambda a, b: a + b", "f = lambda b, a: a + b"),
        Example("f = lambda x: (x.a, x.b)", "f = lambda x: x.a"),
        Example("f = lambda x: x[1]", "f = lambda x: x[0]"),
    ],
)
def lambda_misuse(node: cst.Lambda, ctx: Context) -> Iterator[Change]:
    """A small function returns its argument, part of its result, another element, or is not made at all."""
    params = [p.name.value for p in node.params.params]
    for name in params:
        yield ctx.replace(node.body, name)
        for binding in [b for b in ctx.names(node) if CALLABLE not in b.kinds][:1]:
            yield ctx.replace(node.body, f"{binding.name}[{name}]")
    yield ctx.fit(node, node.body)
    if len(params) == 2:
        left, right = (p.name for p in node.params.params)
        yield ctx.replace(left, right.value), ctx.replace(right, left.value)
    match node.body:
        case cst.Tuple(elements=elements):
            for element in elements:
                yield ctx.fit(node.body, element.value)
            for one, other in pairwise(elements):
                yield ctx.swap(one.value, other.value)
        case cst.Subscript(slice=[cst.SubscriptElement(slice=cst.Index(value=cst.Integer() as index))]):
            for text in ("0", "1", "-1"):
                yield ctx.replace(index, text)
        case cst.Name():
            for form in (f"-{params[0]}", f"{params[0]}[0]", f"{params[0]}[1]", f"len({params[0]})") if params else ():
                yield ctx.replace(node.body, form)
