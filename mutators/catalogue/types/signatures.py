"""Signatures that no longer agree with their callers: parameters dropped, added, moved, renamed, of another kind."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

_NEAREST_NAMES: Final = 3
_DEFAULTS: Final = ("None", "0", "1", "''", "[]", "True", "False")


def is_stub(node: cst.CSTNode, ctx: Context) -> bool:
    """Whether what these are the parameters of is no function, or one that only declares its signature."""
    function = ctx.parent(node)
    if not isinstance(function, cst.FunctionDef):
        return True
    match function.body:
        case cst.SimpleStatementSuite(body=[cst.Pass() | cst.Expr(value=cst.Ellipsis())]):
            return True
        case cst.IndentedBlock() as block:
            first = ctx.first_statement(block)
            return first is None or ctx.text(first) in ("pass", "...", "raise NotImplementedError")
    return False


def _named(params: cst.Parameters) -> list[cst.Param]:
    return [*params.posonly_params, *params.params, *params.kwonly_params]


def _names_of_others(node: cst.Parameters, ctx: Context) -> list[str]:
    """Names of the parameters of other functions, the nearest function first."""
    own = {param.name.value for param in _named(node)} | {"self", "cls"}
    functions = [f for f in ctx.of_type(cst.FunctionDef) if f.params is not node]
    near = sorted(functions, key=lambda other: abs(ctx.start(other) - ctx.start(node)))
    names = (param.name.value for other in near for param in _named(other.params))
    return list(dict.fromkeys(name for name in names if name not in own))[:_NEAREST_NAMES]


@operator(
    name="parameter-dropped",
    odc="interface",
    bug_type="function misuse",
    inverse="parameter-added",
    examples=[
        Example("def f(a, b):\n    return a + b", "def f(a):\n    return a + b"),
        Example("class A:\n    def f(self, b):\n        return b", "class A:\n    def f(b):\n        return b"),
        Example("def f(a, **b):\n    return g(a, **b)", "def f(a):\n    return g(a, **b)"),
    ],
)
def parameter_dropped(node: cst.Parameters, ctx: Context) -> Iterator[Change]:
    """A parameter goes from a signature; the body and the callers keep it."""
    if is_stub(node, ctx):
        return
    for group in (node.params, node.posonly_params, node.kwonly_params):
        if len(group) > 1 or (len(group) == 1 and group is node.params and _is_alone(node)):
            yield from (_drop(group, index, ctx) for index in reversed(range(len(group))))
    star, low = node.star_kwarg, _end_before_kwargs(node, ctx)
    if star is not None and low is not None:
        yield Edit(low, ctx.end_of_item(star), "")


def _drop(group: Sequence[cst.Param], index: int, ctx: Context) -> Edit:
    if index + 1 < len(group):
        return Edit(ctx.start(group[index]), ctx.start(group[index + 1]), "")
    start = ctx.end_of_item(group[index - 1]) if index else ctx.start(group[index])
    return Edit(start, ctx.end_of_item(group[index]), "")


def _is_alone(params: cst.Parameters) -> bool:
    others = (params.posonly_params, params.kwonly_params, params.star_kwarg)
    return not any(others) and not isinstance(params.star_arg, cst.Param | cst.ParamStar)


def _end_before_kwargs(params: cst.Parameters, ctx: Context) -> int | None:
    """Offset after the last parameter before ``**``."""
    star = [params.star_arg] if isinstance(params.star_arg, cst.Param) else []
    before = [*params.posonly_params, *params.params, *star, *params.kwonly_params]
    return ctx.end_of_item(before[-1]) if before else None


@operator(
    name="parameter-added",
    odc="interface",
    bug_type="excess logic",
    inverse="parameter-dropped",
    examples=[
        Example("def f(a): return a\ndef g(b, c): return c", "def f(a, b): return a\ndef g(b, c): return c"),
        Example("def f(a): return a\ndef g(b, c): return c", "def f(b, a): return a\ndef g(b, c): return c"),
        Example("def f(a):\n    return a", "def f(self, a):\n    return a"),
    ],
)
def parameter_added(node: cst.Parameters, ctx: Context) -> Iterator[Change]:
    """A signature has a parameter that no caller passes, named as one of another function."""
    params = node.params
    if not params or is_stub(node, ctx):
        return
    first, last = ctx.start(params[0]), ctx.end_of_item(params[-1])
    method = params[0].name.value in ("self", "cls")
    for name in _names_of_others(node, ctx):
        if params[-1].default is None:
            yield Edit(last, last, f", {name}")
        if not method:
            yield Edit(first, first, f"{name}, ")
    if not method:
        yield Edit(first, first, "self, ")


@operator(
    name="parameters-reordered",
    odc="interface",
    bug_type="variable misuse",
    inverse="parameters-reordered",
    examples=[
        Example("def f(a, b):\n    return a - b", "def f(b, a):\n    return a - b"),
        Example("def f(a, b=1, c=2):\n    return a", "def f(a, c=2, b=1):\n    return a"),
    ],
)
def parameters_reordered(node: cst.Parameters, ctx: Context) -> Iterator[Change]:
    """Two parameters change places in a signature; callers keep their order."""
    if is_stub(node, ctx):
        return
    for group in (node.posonly_params, node.params):
        plain = [param for param in group if param.name.value not in ("self", "cls")]
        for distance in range(1, min(len(plain), 4)):
            for left, right in zip(plain, plain[distance:], strict=False):
                one, other = _own_text(left, ctx), _own_text(right, ctx)
                yield Edit(*_own_span(left, ctx), other), Edit(*_own_span(right, ctx), one)


def _own_span(param: cst.Param, ctx: Context) -> tuple[int, int]:
    return ctx.start(param), ctx.end_of_item(param)


def _own_text(param: cst.Param, ctx: Context) -> str:
    start, end = _own_span(param, ctx)
    return ctx.source[start:end]


@operator(
    name="parameter-renamed",
    odc="interface",
    bug_type="variable misuse",
    inverse="parameter-renamed",
    examples=[
        Example(
            "def f(day): return day\ndef g(date): return date", "def f(date): return day\ndef g(date): return date"
        ),
        Example("def f(items):\n    return items", "def f(item):\n    return items"),
    ],
)
def parameter_renamed(node: cst.Parameters, ctx: Context) -> Iterator[Change]:
    """A parameter has another name in the signature than in the body: of another function, or without its plural."""
    if is_stub(node, ctx):
        return
    others = _names_of_others(node, ctx)
    own = {param.name.value for param in _named(node)}
    for param in _named(node):
        name = param.name.value
        if name not in ("self", "cls"):
            plural = name[:-1] if len(name) > 3 and name.endswith("s") else f"{name}s"
            for other in dict.fromkeys((*others, plural)):
                if other not in own and other.isidentifier():
                    yield ctx.replace(param.name, other)


@operator(
    name="keyword-only-confused",
    odc="interface",
    bug_type="function misuse",
    inverse="keyword-only-confused",
    examples=[
        Example("def f(a, *, b=1):\n    return a", "def f(a, b=1):\n    return a"),
        Example("def f(a, b=1):\n    return a", "def f(a, *, b=1):\n    return a"),
        Example("def f(a, *b):\n    return a", "def f(a, b):\n    return a"),
        Example("def f(a):\n    return a", "def f(*a):\n    return a"),
    ],
)
def keyword_only_confused(node: cst.Parameters, ctx: Context) -> Iterator[Change]:
    """A star or slash of a signature goes, or stands where there is none."""
    if is_stub(node, ctx):
        return
    if isinstance(node.star_arg, cst.ParamStar) and node.kwonly_params:
        yield Edit(ctx.start(node.star_arg), ctx.start(node.kwonly_params[0]), "")
    elif isinstance(node.star_arg, cst.Param):
        start = ctx.start(node.star_arg)
        yield Edit(start, ctx.start(node.star_arg.name), "")
    elif not node.kwonly_params and node.params:
        for param in node.params:
            if param.default is not None and param is not node.params[0]:
                yield Edit(ctx.start(param), ctx.start(param), "*, ")
        last = node.params[-1]
        if last.default is None and last.name.value not in ("self", "cls"):
            yield Edit(ctx.start(last), ctx.start(last), "*")


@operator(
    name="default-changed",
    odc="interface",
    bug_type="value misuse",
    inverse="default-changed",
    examples=[
        Example("def f(a, b=1):\n    return a", "def f(a, b):\n    return a"),
        Example("def f(a, b):\n    return a", "def f(a, b=None):\n    return a"),
        Example("def f(a=1, b=2):\n    return a", "def f(a=2, b=1):\n    return a"),
    ],
)
def default_changed(node: cst.Parameters, ctx: Context) -> Iterator[Change]:
    """A parameter loses its default, gets one, or has that of its neighbour."""
    if is_stub(node, ctx):
        return
    params = node.params
    for index, param in enumerate(params):
        name_end = ctx.end(param.name) if param.annotation is None else ctx.tree.outer[param.annotation][1]
        if param.default is None:
            following = index + 1 == len(params) or params[index + 1].default is not None
            if following and param.name.value not in ("self", "cls"):
                sign = "=" if param.annotation is None else " = "
                yield from (Edit(name_end, name_end, sign + text) for text in _DEFAULTS)
            continue
        if index == 0 or params[index - 1].default is None:
            yield Edit(name_end, ctx.tree.outer[param.default][1], "")
    for left, right in pairwise(params):
        if (
            left.default is not None
            and right.default is not None
            and ctx.whole(left.default) != ctx.whole(right.default)
        ):
            yield ctx.swap(left.default, right.default)


@operator(
    name="packing-confused",
    odc="interface",
    bug_type="function misuse",
    inverse="packing-confused",
    examples=[
        Example("x = f(*a)", "x = f(a)"), Example("x = f(a, b)", "x = f((a, b))"), Example("x = f(a)", "x = f(*a)"),
        Example("x = f([a, b])", "x = f(a, b)"), Example("x = f(a)", "x = f([a])"),
        Example("x = f(a, b)", "x = f([a, b])"), Example("x = f(a, k=b)", "x = f(a, b)"),
        Example("x = f(**a)", "x = f(*a)"),
    ],
)  # fmt: skip
def packing_confused(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """Arguments are passed as one collection, or the elements of a collection as arguments; a name or star is lost."""
    if not node.args or isinstance(ctx.parent(node), cst.Decorator):
        return
    for arg in node.args:
        start, end = ctx.start(arg), ctx.tree.outer[arg.value][0]
        if arg.star:
            yield Edit(start, end, "")
            if arg.star == "**":
                yield Edit(start, end, "*")
        elif arg.keyword is not None:
            yield Edit(start, end, "")
        elif isinstance(arg.value, cst.Name | cst.Attribute | cst.Call | cst.Subscript):
            yield Edit(end, end, "*")
            yield ctx.wrap(arg.value, "[", "]")
    plain = all(not arg.star and arg.keyword is None for arg in node.args)
    low, high = ctx.tree.outer[node.args[0].value][0], ctx.tree.outer[node.args[-1].value][1]
    inside = ctx.source[low:high]
    if plain and len(node.args) > 1:
        yield Edit(low, high, f"({inside})")
        yield Edit(low, high, f"[{inside}]")
    only = node.args[0].value
    if plain and len(node.args) == 1 and isinstance(only, cst.List | cst.Tuple) and len(only.elements) > 1:
        first, last = only.elements[0], only.elements[-1]
        yield Edit(low, high, ctx.source[ctx.tree.outer[first][0] : ctx.end_of_item(last)])
