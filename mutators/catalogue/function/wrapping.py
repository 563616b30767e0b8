"""Calls left out and put in: a step of a computation forgotten, done twice over, done to another part."""

from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.context.scopes import FLAG, MAPPING, NUMBER, SEQUENCE, TEXT, kind_of
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

_WRAPPERS: Final = {
    NUMBER: ("int", "str", "abs", "float", "round", "len", "range"),
    TEXT: ("int", "len", "list", "str", "sorted", "set"),
    SEQUENCE: ("len", "sorted", "list", "set", "sum", "max", "min", "tuple", "reversed", "str"),
    MAPPING: ("len", "sorted", "list", "dict", "max", "sum"),
    FLAG: ("int", "str"),
    None: ("str", "int", "len", "list", "abs", "set", "sorted", "sum", "max", "min", "tuple", "float", "repr"),
}
_METHODS: Final = {
    TEXT: ("strip()", "lower()", "upper()", "split()", "isdigit()"),
    SEQUENCE: ("copy()", "sort()", "pop()", "reverse()", "sort(reverse=True)"),
    MAPPING: ("items()", "keys()", "values()", "copy()"),
    None: (
        "strip()", "lower()", "copy()", "items()", "keys()", "values()", "sort()", "upper()", "reverse()",
        "sort(reverse=True)",
    ),
}  # fmt: skip
_OF_MODULE: Final = 2
_WRAPPERS_OF_NAMES: Final = 7
_WRAPPERS_OF_OTHERS: Final = 4
_VALUES: Final = (
    cst.Arg, cst.Return, cst.Assign, cst.AugAssign, cst.BinaryOperation, cst.Comparison, cst.ComparisonTarget, cst.For,
    cst.CompFor, cst.ListComp, cst.GeneratorExp, cst.SetComp, cst.FormattedStringExpression, cst.Index, cst.Element,
    cst.DictElement, cst.If, cst.While, cst.IfExp, cst.Lambda, cst.Yield,
)  # fmt: skip
_Applied = cst.BinaryOperation | cst.Subscript | cst.Attribute | cst.UnaryOperation | cst.Comparison | cst.Call


@operator(
    name="call-unwrapped",
    odc="algorithm",
    bug_type="missing logic",
    pattern="add function around expression",
    inverse="call-wrapped",
    examples=[
        Example("x = abs(a - b)", "x = a - b"),
        Example("x = f(a - b) * c", "x = (a - b) * c"),
        Example("x = f(g(a))", "x = a"),
    ],
)
def call_unwrapped(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A call becomes one of its arguments."""
    for argument in node.args:
        if not argument.star and not isinstance(ctx.parent(node), cst.Decorator):
            yield ctx.fit(node, argument.value)
            inner = argument.value
            while isinstance(inner, cst.Call) and len(inner.args) == 1 and not inner.args[0].star:
                inner = inner.args[0].value
                yield ctx.fit(node, inner)
                yield ctx.fit(argument.value, inner)


@operator(
    name="calls-unwrapped",
    odc="algorithm",
    bug_type="missing logic",
    pattern="add function around expression",
    examples=[Example("x = set(a) == set(b)", "x = a == b"), Example("x = int(a) + int(b)", "x = a + b")],
)
def calls_unwrapped(node: cst.Comparison | cst.BinaryOperation, ctx: Context) -> Iterator[Change]:
    """The same call is left out on both sides of an operator."""
    match node:
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(comparator=right)]):
            pass
        case cst.BinaryOperation(left=left, right=right):
            pass
        case _:
            return
    if isinstance(left, cst.Call) and isinstance(right, cst.Call):
        if ctx.text(left.func) == ctx.text(right.func) and len(left.args) == len(right.args) == 1:
            yield ctx.fit(left, left.args[0].value), ctx.fit(right, right.args[0].value)
        match left.func, right.func:
            case cst.Attribute() as one, cst.Attribute() as other if one.attr.value == other.attr.value:
                yield ctx.fit(left, one.value), ctx.fit(right, other.value)


@operator(
    name="method-unwrapped",
    odc="algorithm",
    bug_type="missing logic",
    pattern="add method call",
    inverse="method-wrapped",
    examples=[Example("x = a.strip()", "x = a"), Example("x = a.b(1).c()", "x = a.c()")],
)
def method_unwrapped(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A method call becomes its receiver; in a chain every stretch of calls may go."""
    if isinstance(ctx.parent(node), cst.Decorator | cst.Expr):
        return
    inner: cst.BaseExpression = node
    while isinstance(inner, cst.Call) and isinstance(inner.func, cst.Attribute):
        inner = inner.func.value
        yield ctx.fit(node, inner)


@operator(
    name="call-wrapped",
    odc="algorithm",
    bug_type="excess logic",
    inverse="call-unwrapped",
    examples=[
        Example("def f(a):\n    return a", "def f(a):\n    return len(a)"),
        Example("def f(a, b):\n    return a - b", "def f(a, b):\n    return abs(a - b)"),
        Example("def f(a):\n    x = g(1)\n    return a", "def f(a):\n    x = g(1)\n    return g(a)"),
    ],
)
def call_wrapped(
    node: cst.Name | cst.Subscript | cst.Attribute | cst.BinaryOperation | cst.BaseComp | cst.Call, ctx: Context
) -> Iterator[Change]:
    """A value is put through a function: one that takes such values, or one that the module uses nearby."""
    if not _is_value(node, ctx) or (isinstance(node, cst.GeneratorExp) and not node.lpar):
        return
    first, last = ctx.tree.outer[node]
    around = ctx.parent(ctx.parent(node)) if isinstance(ctx.parent(node), cst.Arg) else None
    outside = ctx.text(around.func) if isinstance(around, cst.Call) else None
    own = ctx.text(node.func) if isinstance(node, cst.Call) else None
    wrappers = _WRAPPERS[_kind(node, ctx)]
    limit = _WRAPPERS_OF_NAMES if isinstance(node, cst.Name) else _WRAPPERS_OF_OTHERS
    nearby = [n for n in ctx.callables(node)[: _OF_MODULE + 2] if n not in wrappers][:_OF_MODULE]
    for name in dict.fromkeys([*wrappers[:limit], *nearby]):
        if name not in (outside, own):
            yield Edit(first, last, f"{name}({ctx.source[first:last]})")


@operator(
    name="method-wrapped",
    odc="algorithm",
    bug_type="excess logic",
    inverse="method-unwrapped",
    examples=[
        Example("x = a.split(',')\ny = a", "x = a.split(',')\ny = a.strip()"),
        Example("x = f(d)\ny = d", "x = f(d)\ny = d.copy()"),
        Example("x = [a]\ny = x", "x = [a]\ny = x.sort(reverse=True)"),
    ],
)
def method_wrapped(node: cst.Name | cst.Subscript | cst.Attribute | cst.Call, ctx: Context) -> Iterator[Change]:
    """A method is called on a value that should be used as it is."""
    if _is_value(node, ctx) and _kind(node, ctx) not in (NUMBER, FLAG):
        methods = _METHODS[_kind(node, ctx)]
        for method in methods if isinstance(node, cst.Name) else methods[:3]:
            yield ctx.wrap(node, "", f".{method}")


def _is_value(node: cst.BaseExpression, ctx: Context) -> bool:
    if not isinstance(ctx.parent(node), _VALUES) or ctx.is_target(node) or isinstance(ctx.parent(node), cst.Decorator):
        return False
    return not isinstance(node, cst.Name) or ctx.is_load(node)


def _kind(node: cst.BaseExpression, ctx: Context) -> str | None:
    """The only kind of value that the node may have, if there is one."""
    if isinstance(node, cst.Name):
        binding = ctx.scope(node).resolve(node.value)
        kinds = sorted(binding.kinds) if binding else []
        return kinds[0] if len(kinds) == 1 and kinds[0] in _WRAPPERS else None
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Subtract | cst.Divide | cst.FloorDivide):
        return NUMBER
    kind = kind_of(node)
    return kind if kind in _WRAPPERS else None


@operator(
    name="aggregate-replaced",
    odc="algorithm",
    bug_type="function misuse",
    examples=[
        Example("x = sum(a)", "x = a[-1]"),
        Example("x = max(a)", "x = a[0]"),
        Example("x = sum(f(i) for i in a)", "x = [f(i) for i in a][-1]"),
        Example("x = min(f(i) for i in a)", "x = sorted(f(i) for i in a)"),
    ],
)
def aggregate_replaced(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """One element is taken for the aggregate of a sequence, or the sequence in order for its extreme."""
    match node:
        case cst.Call(
            func=cst.Name(value="sum" | "max" | "min" | "len" | "any" | "all" | "sorted" | "prod" as name),
            args=[cst.Arg(value=value, star="", keyword=None)],
        ):
            inner = ctx.text(value)
            base = f"[{inner}]" if isinstance(value, cst.GeneratorExp) else ctx.operand(value)
            for form in (f"{base}[-1]", f"{base}[0]"):
                yield ctx.replace(node, form)
            for other in ("len", "sorted", "sum", "max", "min"):
                if other != name:
                    yield ctx.replace(node, f"{other}({base if other == 'len' else inner})")


@operator(
    name="comprehension-form-changed",
    odc="algorithm",
    bug_type="function misuse",
    inverse="comprehension-form-changed",
    examples=[
        Example("x = sum([i for i in y])", "x = sum(i for i in y)"),
        Example("x = f(i for i in y)", "x = f([i for i in y])"),
        Example("x = (i for i in y)", "x = [i for i in y]"),
        Example("x = {i for i in y}", "x = (i for i in y)"),
        Example("x = list(map(f, y))", "x = map(f, y)"),
    ],
)
def comprehension_form_changed(
    node: cst.ListComp | cst.SetComp | cst.GeneratorExp | cst.Call, ctx: Context
) -> Iterator[Change]:
    """A list, set or generator is another of the three; a lazy sequence is used for a list."""
    if isinstance(node, cst.Call):
        match node:
            case cst.Call(
                func=cst.Name(value="list" | "tuple"),
                args=[cst.Arg(value=cst.Call(func=cst.Name(value="map" | "filter" | "zip" | "range")) as lazy)],
            ):
                yield ctx.fit(node, lazy)
        return
    parent = ctx.parent(node)
    around = ctx.parent(parent) if isinstance(parent, cst.Arg) else None
    alone = isinstance(around, cst.Call) and len(around.args) == 1
    is_lazy = isinstance(node, cst.GeneratorExp)
    low, high = ctx.tree.outer[node]
    inside = ctx.text(node) if is_lazy else ctx.text(node)[1:-1]
    if not is_lazy:
        yield Edit(low, high, inside if alone else f"({inside})")
    for left, right in ("[]", "{}"):
        yield Edit(low, high, f"{left}{inside}{right}")


@operator(
    name="operand-regrouped",
    odc="algorithm",
    bug_type="function misuse",
    inverse="operand-regrouped",
    examples=[
        Example("x = f(a * r)", "x = f(a) * r"),
        Example("x = f(a) * r", "x = f(a * r)"),
        Example("x = r + f(a)", "x = f(r + a)"),
        Example("x = f(r - a)", "x = r - f(a)"),
        Example("x = f(a)[0]", "x = f(a[0])"),
        Example("x = f(a.strip())", "x = f(a).strip()"),
        Example("x = not f(a)", "x = f(not a)"),
    ],
)
def operand_regrouped(node: _Applied, ctx: Context) -> Iterator[Change]:
    """What is done to the result of a call is done to its argument, or the contrary."""
    begin, end = ctx.start(node), ctx.end(node)
    for part in _parts(node, ctx):
        match part:
            case cst.Call(args=[*_, cst.Arg(value=argument, star="")]):
                low, high = ctx.tree.outer[argument]
                first, last = ctx.tree.outer[part]
                inside = f"{ctx.source[begin:first]}{ctx.operand(argument)}{ctx.source[last:end]}"
                yield Edit(begin, end, f"{ctx.source[first:low]}{inside}{ctx.source[high:last]}")
    call = ctx.parent(ctx.parent(node))
    if isinstance(ctx.parent(node), cst.Arg) and isinstance(call, cst.Call) and len(call.args) == 1:
        begin, end = ctx.tree.outer[node]
        opening, closing = ctx.source[ctx.start(call) : begin], ctx.source[end : ctx.end(call)]
        for part in _parts(node, ctx):
            low, high = ctx.tree.outer[part]
            inside = f"{ctx.source[begin:low]}{opening}{ctx.whole(part)}{closing}{ctx.source[high:end]}"
            yield Edit(ctx.start(call), ctx.end(call), inside)


def _parts(node: _Applied, ctx: Context) -> tuple[cst.BaseExpression, ...]:
    """The operands of an operation, or what an element, an attribute or a method is taken of."""
    match node:
        case cst.BinaryOperation():
            return node.left, node.right
        case cst.UnaryOperation():
            return (node.expression,)
        case cst.Comparison():
            return (node.left,)
        case cst.Call(func=cst.Attribute(value=owner)):
            return (owner,)
        case cst.Subscript() if not ctx.is_target(node):
            return (node.value,)
        case cst.Attribute() if not ctx.is_called(node) and not ctx.is_target(node):
            return (node.value,)
    return ()
