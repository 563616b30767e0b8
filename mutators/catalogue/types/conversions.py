"""Types that no longer agree with their use: conversions, shapes of results, truth for value."""

from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.context.kinds import kinds_of
from mendlab.mutators.context.scopes import CALLABLE, FLAG, MAPPING, NUMBER, SEQUENCE, TEXT
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

Value = cst.Name | cst.Attribute | cst.Call | cst.Subscript | cst.BinaryOperation
_CONVERSIONS: Final = {
    NUMBER: ("str", "float"),
    TEXT: ("int", "list", "len"),
    SEQUENCE: ("list", "set", "len"),
    MAPPING: ("list", "len"),
    FLAG: ("int",),
}
_UNKNOWN: Final = ("str", "int")
_PLACES: Final = (
    cst.Arg, cst.Return, cst.Assign, cst.AugAssign, cst.BinaryOperation, cst.Comparison, cst.ComparisonTarget,
    cst.Element, cst.Index, cst.DictElement, cst.For, cst.CompFor, cst.ListComp, cst.GeneratorExp, cst.IfExp,
    cst.Lambda, cst.FormattedStringExpression,
)  # fmt: skip
_SAME: Final = frozenset(("str", "int", "float", "list", "set", "tuple", "len", "dict", "sorted", "range", "print"))


def _types_for(node: cst.BaseExpression, ctx: Context) -> tuple[str, ...]:
    """The conversions that a person may think the value needs."""
    kinds = kinds_of(node, ctx)
    known = [name for kind, names in _CONVERSIONS.items() if kind in kinds for name in names]
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Divide):
        known.insert(0, "int")
    return tuple(dict.fromkeys(known)) if known or CALLABLE in kinds else _UNKNOWN


@operator(
    name="conversion-added",
    odc="interface",
    bug_type="excess logic",
    inverse="conversion-dropped",
    examples=[
        Example("def f(n):\n    return g(n)", "def f(n):\n    return g(str(n))"),
        Example("x = a + len(b)", "x = a + str(len(b))"),
        Example("def f(a: str):\n    return g(a)", "def f(a: str):\n    return g(a.encode())"),
    ],
)
def conversion_added(node: Value, ctx: Context) -> Iterator[Change]:
    """A value is converted to another type where its own is wanted."""
    parent = ctx.parent(node)
    if not isinstance(parent, _PLACES) or ctx.is_target(node) or (isinstance(node, cst.Name) and not ctx.is_load(node)):
        return
    if isinstance(node, cst.BinaryOperation) and isinstance(parent, cst.BinaryOperation):
        return
    around = ctx.parent(parent) if isinstance(parent, cst.Arg) else None
    taken = ctx.text(around.func) if isinstance(around, cst.Call) else ""
    own = ctx.text(node.func) if isinstance(node, cst.Call) else ""
    if not isinstance(node, cst.Name) and isinstance(parent, cst.For | cst.CompFor):
        return
    for name in _types_for(node, ctx):
        if name != own and not (name == taken and name in _SAME) and not (name == "str" and taken == "print"):
            yield ctx.wrap(node, f"{name}(", ")")
    if (
        isinstance(parent, cst.Arg | cst.Return)
        and TEXT in kinds_of(node, ctx)
        and isinstance(node, cst.Name | cst.Call)
    ):
        yield ctx.wrap(node, "", ".encode()")


@operator(
    name="conversion-dropped",
    odc="interface",
    bug_type="missing logic",
    pattern="add function around expression",
    inverse="conversion-added",
    examples=[
        Example("x = int(a) + 1", "x = a + 1"), Example("x = a.encode('utf8')", "x = a"),
        Example("x = list(map(str, a))", "x = list(a)"), Example("x = [int(i) for i in a]", "x = a"),
    ],
)  # fmt: skip
def conversion_dropped(
    node: cst.Call | cst.ListComp | cst.GeneratorExp | cst.SetComp, ctx: Context
) -> Iterator[Change]:
    """A value, or every element of a collection, keeps the type that it had."""
    types = ("int", "float", "str", "bool", "list", "set", "tuple", "dict", "bytes", "len", "repr", "chr", "ord")
    match node:
        case cst.Call(func=cst.Name(value=name), args=[cst.Arg(star="", keyword=None, value=value), *_]) if (
            name in types
        ):
            yield ctx.fit(node, value)
        case cst.Call(func=cst.Name(value="map"), args=[cst.Arg(value=cst.Name(value=name)), cst.Arg(value=value)]) if (
            name in types
        ):
            yield ctx.fit(node, value)
        case cst.Call(func=cst.Attribute(value=value, attr=cst.Name(value="encode" | "decode" | "tolist"))):
            yield ctx.fit(node, value)
        case (
            cst.ListComp(elt=elt, for_in=loop)
            | cst.GeneratorExp(elt=elt, for_in=loop)
            | cst.SetComp(elt=elt, for_in=loop)
        ) if loop.inner_for_in is None and not loop.ifs:
            if ctx.text(elt) in (f"{name}({ctx.text(loop.target)})" for name in types):
                yield Edit(*ctx.tree.outer[node], ctx.operand(loop.iter))


@operator(
    name="result-shape",
    odc="interface",
    bug_type="value misuse",
    inverse="result-shape",
    examples=[
        Example("def f(a):\n    return a", "def f(a):\n    return [a]"),
        Example("def f(a):\n    return a + 1", "def f(a):\n    return (a + 1,)"),
        Example("def f(a, b):\n    return a, b", "def f(a, b):\n    return a"),
        Example("def f(a):\n    return [a]", "def f(a):\n    return a"),
        Example("x = f(a)", "x = f(a),"),
    ],
)
def result_shape(node: cst.Return | cst.Assign, ctx: Context) -> Iterator[Change]:
    """What is returned is one in place of several values, or in a list or tuple of its own; a comma is left behind."""
    value = node.value
    if value is None or ctx.text(value) in ("None", "NotImplemented", "self"):
        return
    span = ctx.tree.outer[value]
    if isinstance(node, cst.Assign):
        single = len(node.targets) == 1 and isinstance(node.targets[0].target, cst.Name | cst.Attribute | cst.Subscript)
        if single and not isinstance(value, cst.Tuple):
            yield ctx.wrap(value, "", ",")
        return
    if isinstance(value, cst.Tuple | cst.List) and value.elements:
        for element in value.elements:
            if isinstance(element, cst.Element):
                yield Edit(*span, ctx.whole(element.value))
        if isinstance(value, cst.List):
            yield Edit(*span, f"{ctx.text(value)[1:-1].rstrip().rstrip(',')}")
    if isinstance(value, cst.Tuple):
        return
    whole = ctx.whole(value)
    yield Edit(*span, f"[{whole}]")
    yield Edit(*span, f"({whole},)")
    if isinstance(value, cst.Name | cst.Call | cst.Subscript):
        kinds = kinds_of(value, ctx)
        if kinds & {SEQUENCE, TEXT} or not kinds:
            yield Edit(*span, f"{whole}[0]")


@operator(
    name="result-made-lazy",
    odc="interface",
    bug_type="function misuse",
    inverse="result-made-lazy",
    examples=[
        Example("def f(a):\n    return list(a)", "def f(a):\n    return iter(a)"),
        Example("def f(a):\n    b = [a]\n    return b", "def f(a):\n    b = [a]\n    return iter(b)"),
        Example("def f(a):\n    return a + 1", "def f(a):\n    yield a + 1"),
        Example("def f(a):\n    return a + 1", "def f(a):\n    print(a + 1)"),
        Example("def f(a):\n    yield a", "def f(a):\n    return a"),
        Example("def f(a):\n    yield from a", "def f(a):\n    yield a"),
        Example("def f(a):\n    return (i for i in a)", "def f(a):\n    return [i for i in a]"),
    ],
)
def result_made_lazy(node: cst.Return | cst.Yield | cst.GeneratorExp, ctx: Context) -> Iterator[Change]:
    """A list, an iterator, a generator and a printed text are taken for each other as results."""
    match node:
        case cst.GeneratorExp():
            if isinstance(ctx.parent(node), cst.Return | cst.Assign) and node.lpar:
                yield Edit(*ctx.tree.outer[node], f"[{ctx.text(node)}]")
        case cst.Yield() | cst.Return() if (
            function := ctx.function(node)
        ) is None or function.asynchronous is not None:
            return  # a value returned and one yielded do not go together in a coroutine
        case cst.Yield(value=cst.From(item=item)):
            yield Edit(ctx.start(node), ctx.tree.outer[item][0], "yield ")
            yield Edit(ctx.start(node), ctx.tree.outer[item][0], "return ")
        case cst.Yield(value=cst.BaseExpression() as value):
            if isinstance(ctx.parent(node), cst.Expr):
                yield Edit(ctx.start(node), ctx.tree.outer[value][0], "return ")
                yield Edit(ctx.start(node), ctx.tree.outer[value][0], "yield from ")
        case cst.Return(value=cst.BaseExpression() as value) if ctx.text(value) not in ("None", "self"):
            span = ctx.tree.outer[value]
            match value:
                case cst.Call(func=cst.Name(value="list" | "tuple" | "sorted" as name), args=[cst.Arg(value=inner)]):
                    yield Edit(*span, f"iter({ctx.text(inner)})" if name != "sorted" else f"iter({ctx.text(value)})")
                case _ if SEQUENCE in kinds_of(value, ctx):
                    yield ctx.wrap(value, "iter(", ")")
            yield Edit(ctx.start(node), span[0], "yield ")
            yield Edit(ctx.start(node), ctx.end(node), f"print({ctx.text(value)})")


@operator(
    name="truth-for-value",
    odc="checking",
    bug_type="value misuse",
    inverse="value-for-truth",
    examples=[
        Example("def f(a):\n    return a", "def f(a):\n    return bool(a)"),
        Example("def f(a):\n    b = a[0]\n    return b", "def f(a):\n    b = a[0]\n    return b is not None"),
    ],
)
def truth_for_value(node: cst.Return, ctx: Context) -> Iterator[Change]:
    """Whether there is a value is returned for the value."""
    value = node.value
    if isinstance(value, cst.Name | cst.Attribute | cst.Call | cst.Subscript | cst.BooleanOperation):
        if ctx.text(value) in ("None", "True", "False", "self") or FLAG in kinds_of(value, ctx):
            return
        yield Edit(*ctx.tree.outer[value], f"bool({ctx.text(value)})")
        if not isinstance(value, cst.BooleanOperation):
            yield ctx.wrap(value, "", " is not None")


@operator(
    name="value-for-truth",
    odc="checking",
    bug_type="value misuse",
    inverse="truth-for-value",
    examples=[
        Example("def f(a, b):\n    return a > b", "def f(a, b):\n    return a"),
        Example("def f(a):\n    return bool(a)", "def f(a):\n    return a"),
        Example("if a % 2 == 0:\n    f()", "if a % 2:\n    f()"),
        Example("x = a == True", "x = a"),
    ],
)
def value_for_truth(node: cst.Comparison | cst.Call, ctx: Context) -> Iterator[Change]:
    """A value stands for the result of the comparison that was to be made with it."""
    match node:
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(comparator=right)]):
            yield ctx.fit(node, left)
            if not isinstance(right, cst.Integer | cst.Float | cst.SimpleString | cst.Tuple | cst.List | cst.Set):
                yield ctx.fit(node, right)
        case cst.Call(func=cst.Name(value="bool" | "any" | "all" | "len"), args=[cst.Arg(value=value, star="")]):
            if not isinstance(value, cst.GeneratorExp):
                yield ctx.fit(node, value)
