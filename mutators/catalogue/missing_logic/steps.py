"""Missing logic inside expressions: an operand or step of a computation that is not there."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

_DEEPEST: Final = 4


@operator(
    name="operand-dropped",
    term="OODL",
    odc="algorithm",
    bug_type="missing logic",
    pattern="change binary operand",
    inverse="term-added",
    examples=[
        Example("x = a + 1", "x = a"),
        Example("x = a + b * c", "x = a + c"),
        Example("x = a - b", "x = -b"),
        Example("x = a + b + c", "x = a"),
    ],
)
def operand_dropped(node: cst.BinaryOperation, ctx: Context) -> Iterator[Change]:
    """An operation loses one of its operands, a chain of operations all but one."""
    yield ctx.fit(node, node.left)
    yield ctx.fit(node, node.right)
    if isinstance(node.operator, cst.Subtract):
        yield Edit(ctx.tree.outer[node.left][0], ctx.tree.outer[node.right][0], "-")
    left = node.left
    while isinstance(left, cst.BinaryOperation):
        yield ctx.fit(node, left.left)
        yield ctx.fit(node, left.right)
        left = left.left


@operator(
    name="element-unwrapped",
    odc="algorithm",
    bug_type="missing logic",
    inverse="collection-filled",
    examples=[Example("x = y + [z]", "x = y + z"), Example("x = y + (z,)", "x = y + z")],
)
def element_unwrapped(node: cst.List | cst.Tuple | cst.Set, ctx: Context) -> Iterator[Change]:
    """A value is used without the collection around it."""
    match node.elements:
        case [cst.Element(value=value)] if not ctx.is_target(node):
            yield ctx.fit(node, value)


@operator(
    name="attribute-dropped",
    odc="assignment",
    bug_type="missing logic",
    pattern="add attribute access",
    examples=[Example("x = y.value", "x = y"), Example("x = y.value.f()", "x = y.f()")],
)
def attribute_dropped(node: cst.Attribute, ctx: Context) -> Iterator[Change]:
    """An object is used in place of its attribute."""
    called = isinstance(parent := ctx.parent(node), cst.Call) and parent.func is node
    special = isinstance(parent, cst.Decorator | cst.ImportAlias | cst.ImportFrom | cst.MatchValue)
    if not called and not special and not ctx.is_target(node) and ctx.text(node.value) not in ("self", "cls"):
        yield ctx.fit(node, node.value)


@operator(
    name="subscript-dropped",
    odc="algorithm",
    bug_type="missing logic",
    examples=[Example("x = y[1:]", "x = y"), Example("x = f(y[0])", "x = f(y)")],
)
def subscript_dropped(node: cst.Subscript, ctx: Context) -> Iterator[Change]:
    """A whole is used in place of its part."""
    if not ctx.is_target(node):
        yield ctx.fit(node, node.value)


@operator(
    name="steps-dropped",
    odc="algorithm",
    bug_type="missing logic",
    pattern="add method call",
    examples=[
        Example("x = y.strip().lower()", "x = y"),
        Example("x = sorted(y.split(' '))", "x = y"),
        Example("x = -abs(y[1:])", "x = y[1:]"),
    ],
)
def steps_dropped(
    node: cst.Call | cst.Subscript | cst.UnaryOperation | cst.BinaryOperation, ctx: Context
) -> Iterator[Change]:
    """Two or more steps of a computation, one around the other, are left out."""
    if isinstance(ctx.parent(node), cst.Expr | cst.Decorator) or ctx.is_target(node):
        return
    inner = _step(node, ctx)
    for _ in range(_DEEPEST - 1):
        inner = None if inner is None else _step(inner, ctx)
        if inner is None:
            return
        yield ctx.fit(node, inner)


def _step(node: cst.BaseExpression, ctx: Context) -> cst.BaseExpression | None:
    """What the last step of a computation is made on; ``None`` if it is none."""
    match node:
        case cst.Call(func=cst.Attribute(value=receiver)) if not _is_module(receiver, ctx):
            return receiver
        case cst.Call(args=[cst.Arg(value=value, star=""), *_]):
            return value
        case cst.Subscript(value=value) | cst.UnaryOperation(expression=value) | cst.BinaryOperation(left=value):
            return value
    return None


def _is_module(node: cst.BaseExpression, ctx: Context) -> bool:
    binding = ctx.scope(node).resolve(node.value) if isinstance(node, cst.Name) else None
    return binding is not None and binding.role == "import"


@operator(
    name="step-dropped-throughout",
    odc="algorithm",
    bug_type="missing logic",
    pattern="add function around expression",
    examples=[
        Example(
            "def f(a, b):\n    if id(a) in b:\n        b.add(id(a))\n",
            "def f(a, b):\n    if a in b:\n        b.add(a)\n",
        ),
        Example("def f(a):\n    return g(a.lower()) + a.lower()\n", "def f(a):\n    return g(a) + a\n"),
    ],
)
def step_dropped_throughout(node: cst.Call | cst.Subscript, ctx: Context) -> Iterator[Change]:
    """A computation that a function makes in several places is left out in all of them."""
    function = ctx.function(node)
    if function is None or ctx.is_target(node) or isinstance(ctx.parent(node), cst.Expr | cst.Decorator):
        return
    text = ctx.text(node)
    kind = cst.Call if isinstance(node, cst.Call) else cst.Subscript
    alike = [n for n in ctx.within(*ctx.tree.inner[function.body], kind) if ctx.text(n) == text]
    if len(alike) < 2 or alike[0] is not node or any(ctx.is_target(n) for n in alike):
        return
    if _step(node, ctx) is not None:
        yield tuple(ctx.fit(n, step) for n in alike if (step := _step(n, ctx)) is not None)


@operator(
    name="function-dropped-throughout",
    odc="algorithm",
    bug_type="missing logic",
    pattern="add function around expression",
    examples=[
        Example("def f(a):\n    a, b = int(a), int(b)\n    return g(a)", "def f(a):\n    a, b = a, b\n    return g(a)"),
        Example("def f(a, b):\n    return a.lower() < b.lower()", "def f(a, b):\n    return a < b"),
    ],
)
def function_dropped_throughout(node: cst.FunctionDef | cst.SimpleStatementLine, ctx: Context) -> Iterator[Change]:
    """A conversion that a statement or a function makes of several values is left out for all of them."""
    groups: dict[str, list[tuple[cst.Call, cst.BaseExpression]]] = {}
    for call in ctx.within(*ctx.tree.inner[node], cst.Call):
        match call:
            case cst.Call(func=cst.Name(value=name), args=[cst.Arg(value=value, star="", keyword=None)]):
                groups.setdefault(name, []).append((call, value))
            case cst.Call(func=cst.Attribute(value=value, attr=attr), args=[]):
                if not isinstance(ctx.parent(call), cst.Expr):
                    groups.setdefault(f".{attr.value}", []).append((call, value))
    for found in groups.values():
        nested = any(ctx.end(left) > ctx.start(right) for (left, _), (right, _) in pairwise(found))
        if len(found) > 1 and not nested:
            yield tuple(ctx.fit(call, value) for call, value in found)


@operator(
    name="default-handling-dropped",
    odc="checking",
    bug_type="missing logic",
    examples=[
        Example("x = defaultdict(list)", "x = {}"),
        Example("x.setdefault(k, []).append(v)", "x[k].append(v)"),
        Example("x = Counter()", "x = {}"),
    ],
)
def default_handling_dropped(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A mapping no longer provides for keys that are missing."""
    match node:
        case cst.Call(func=func) if ctx.text(func).split(".")[-1] == "defaultdict":
            yield ctx.replace(node, "{}")
        case cst.Call(func=func, args=[]) if ctx.text(func).split(".")[-1] == "Counter":
            yield ctx.replace(node, "{}")
        case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name(value="setdefault")), args=[key, _]):
            if not isinstance(ctx.parent(node), cst.Expr):
                yield ctx.replace(node, f"{ctx.whole(owner)}[{ctx.whole(key.value)}]")
