"""One wrong or forgotten step at every place: functions, attributes, operators and calls of a statement or function."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.context.confusables import FUNCTIONS, METHODS
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

_OTHERS: Final = 3
_SIGNS: Final = {
    "+": "-", "-": "+", "*": "/", "/": "//", "//": "/", "%": "//", "**": "*", "==": "!=", "!=": "==", "<": "<=",
    "<=": "<", ">": ">=", ">=": ">", "in": "not in", "not in": "in", "is": "==", "is not": "!=", "and": "or",
    "or": "and", "+=": "-=", "-=": "+=", "*=": "+=", "&": "|", "|": "&",
}  # fmt: skip
_MIRRORED: Final = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_OPERATIONS: Final = (
    cst.BinaryOperation, cst.BooleanOperation, cst.ComparisonTarget, cst.AugAssign, cst.UnaryOperation
)  # fmt: skip
_EXCEPTIONS: Final = {
    "Exception": ("BaseException",), "ValueError": ("TypeError", "Exception"), "TypeError": ("ValueError",),
    "KeyError": ("IndexError", "AttributeError"), "IndexError": ("KeyError", "ValueError"),
    "AttributeError": ("KeyError", "TypeError"), "OSError": ("IOError", "ValueError"), "RuntimeError": ("Exception",),
}  # fmt: skip
_Statement = cst.SimpleStatementLine | cst.If | cst.While | cst.For | cst.FunctionDef


@operator(
    name="function-misuse-throughout",
    odc="interface",
    bug_type="function misuse",
    inverse="function-misuse-throughout",
    examples=[
        Example("x = max(max(a), b)", "x = min(min(a), b)"),
        Example(
            "def f(a, b):\n    a = a.lower()\n    return a == b.lower()",
            "def f(a, b):\n    a = a.upper()\n    return a == b.upper()",
        ),
        Example(
            "def f(a):\n    try: g(a)\n    except ValueError: raise ValueError",
            "def f(a):\n    try: g(a)\n    except TypeError: raise TypeError",
        ),
    ],
)
def function_misuse_throughout(node: _Statement, ctx: Context) -> Iterator[Change]:
    """The same wrong function, method or exception at all its places in a statement or function."""
    low, high = _stretch(node, ctx)
    found: dict[tuple[str, bool], list[cst.Name]] = {}
    for call in ctx.within(low, high, cst.Call):
        if isinstance(call.func, cst.Name):
            found.setdefault((call.func.value, False), []).append(call.func)
        elif isinstance(call.func, cst.Attribute):
            found.setdefault((call.func.attr.value, True), []).append(call.func.attr)
    for (name, of_owner), places in found.items():
        if len(places) > 1:
            others = (METHODS if of_owner else FUNCTIONS).get(name, ())[:_OTHERS]
            siblings = () if of_owner or others else ctx.sibling_functions(name)[:_OTHERS]
            yield from _everywhere(places, [*others, *siblings], ctx)
    for name, alternatives in _EXCEPTIONS.items():
        errors = [n for n in ctx.within(low, high, cst.Name) if n.value == name] if len(found) else []
        if len(errors) > 1:
            yield from _everywhere(errors, alternatives, ctx)


@operator(
    name="attribute-misuse-throughout",
    odc="assignment",
    bug_type="variable misuse",
    examples=[
        Example(
            "def f(n):\n    if n.left:\n        g(n.left)\n    return n.right",
            "def f(n):\n    if n.right:\n        g(n.right)\n    return n.right",
        ),
    ],
)
def attribute_misuse_throughout(node: _Statement, ctx: Context) -> Iterator[Change]:
    """The same wrong attribute of a thing at all its places in a statement or function; two of them exchanged."""
    found: dict[str, list[cst.Attribute]] = {}
    for attribute in ctx.within(*_stretch(node, ctx), cst.Attribute):
        if not ctx.is_called(attribute):
            found.setdefault(ctx.text(attribute), []).append(attribute)
    for places in found.values():
        own, owner = places[0].attr.value, ctx.text(places[0].value).split(".")[-1]
        others = [n for n in ctx.nearest_attributes(owner, places[0], called=False) if n != own][:_OTHERS]
        if len(places) > 1:
            yield from _everywhere([p.attr for p in places], others, ctx)
        for other in others:
            exchanged = found.get(f"{ctx.text(places[0].value)}.{other}", [])
            if exchanged and ctx.start(places[0]) < ctx.start(exchanged[0]):
                edits = [ctx.replace(p.attr, other) for p in places]
                yield (*edits, *(ctx.replace(p.attr, own) for p in exchanged))


@operator(
    name="calls-dropped-throughout",
    odc="algorithm",
    bug_type="missing logic",
    pattern="add function around expression",
    inverse="calls-added-throughout",
    examples=[
        Example("x = int(a), int(b), int(c)", "x = a, b, c"),
        Example("x = a.lower() + g(b.lower())", "x = a + g(b)"),
        Example(
            "def f(a, m):\n    m.add(id(a))\n    return id(a) in m",
            "def f(a, m):\n    m.add(a)\n    return a in m",
        ),
    ],
)
def calls_dropped_throughout(node: _Statement, ctx: Context) -> Iterator[Change]:
    """The same call is forgotten at all its places in a statement or function."""
    found: dict[str, list[tuple[cst.Call, cst.BaseExpression]]] = {}
    for call in ctx.within(*_stretch(node, ctx), cst.Call):
        match call:
            case cst.Call(func=cst.Name(value=name), args=[cst.Arg(value=value, star="", keyword=None)]):
                found.setdefault(name, []).append((call, value))
            case cst.Call(func=cst.Attribute(value=value, attr=cst.Name(value=name))):
                if not isinstance(ctx.parent(call), cst.Expr):
                    found.setdefault(f".{name}", []).append((call, value))
    for places in found.values():
        if len(places) > 1 and _are_apart([call for call, _ in places], ctx):
            yield tuple(ctx.fit(call, value) for call, value in places)


@operator(
    name="calls-added-throughout",
    odc="algorithm",
    bug_type="excess logic",
    inverse="calls-dropped-throughout",
    examples=[
        Example("def f(a, b):\n    x = a\n    y = b\n", "def f(a, b):\n    x = set(a)\n    y = set(b)\n"),
        Example("def f(a, b):\n    return a == b", "def f(a, b):\n    return sorted(a) == sorted(b)"),
    ],
)
def calls_added_throughout(node: cst.SimpleStatementLine | cst.Comparison, ctx: Context) -> Iterator[Change]:
    """Both sides of a comparison, or the values of two assignments, go through the same function."""
    values: list[cst.BaseExpression] = []
    match node:
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(comparator=right)]):
            values = [left, right] if not isinstance(right, cst.BaseNumber | cst.BaseString) else []
        case cst.SimpleStatementLine(body=[cst.Assign(value=first)]):
            match ctx.following(node):
                case cst.SimpleStatementLine(body=[cst.Assign(value=second)]) if type(first) is type(second):
                    values = [first, second]
    kinds = (cst.Name, cst.Attribute, cst.Subscript, cst.Call, cst.ListComp)
    if values and all(isinstance(v, kinds) and ctx.text(v) not in ("None", "True", "False") for v in values):
        for name in ("set", "sorted", "len", "int", "str", "list", "abs"):
            yield tuple(ctx.wrap(v, f"{name}(", ")") for v in values)


@operator(
    name="operator-misuse-throughout",
    odc="algorithm",
    bug_type="operator misuse",
    inverse="operator-misuse-throughout",
    examples=[
        Example("x = a + b + c", "x = a - b - c"),
        Example("if a < b and c < d: pass", "if a > b and c > d: pass"),
        Example("x = -a, -b", "x = a, b"),
    ],
)
def operator_misuse_throughout(node: _Statement, ctx: Context) -> Iterator[Change]:
    """The same wrong operator at all its places in a statement or function; a sign lost at all of them."""
    found: dict[str, list[cst.CSTNode]] = {}
    signed: dict[str, list[cst.UnaryOperation]] = {}
    for operation in ctx.within(*_stretch(node, ctx), *_OPERATIONS):
        match operation:
            case cst.UnaryOperation(operator=sign):
                signed.setdefault(ctx.text(sign), []).append(operation)
            case (
                cst.BinaryOperation(operator=sign)
                | cst.BooleanOperation(operator=sign)
                | cst.ComparisonTarget(operator=sign)
                | cst.AugAssign(operator=sign)
            ):
                found.setdefault(" ".join(ctx.text(sign).split()), []).append(sign)
    for text, places in found.items():
        others = dict.fromkeys(table[text] for table in (_SIGNS, _MIRRORED) if text in table)
        if len(places) > 1:
            for other in others:
                yield tuple(ctx.replace(place, other) for place in places)
    for unary in signed.values():
        if len(unary) > 1 and _are_apart(unary, ctx):
            yield tuple(ctx.fit(place, place.expression) for place in unary)


@operator(
    name="operand-dropped-throughout",
    odc="algorithm",
    bug_type="missing logic",
    examples=[
        Example("x = a % m, b % m", "x = a, b"),
        Example("x = a[i + 1] - b[i + 1]", "x = a[i] - b[i]"),
        Example("x = f(a[1:]) + g(b[1:])", "x = f(a) + g(b)"),
    ],
)
def operand_dropped_throughout(node: _Statement, ctx: Context) -> Iterator[Change]:
    """The same last step (an operator with its operand, an index or slice) is forgotten at all its places."""
    found: dict[str, list[tuple[cst.BaseExpression, cst.BaseExpression]]] = {}
    for place in ctx.within(*_stretch(node, ctx), cst.BinaryOperation, cst.Subscript):
        if isinstance(place, cst.BinaryOperation):
            first = place.left
        elif isinstance(place, cst.Subscript):
            first = place.value
        step = ctx.source[ctx.tree.outer[first][1] : ctx.end(place)]
        found.setdefault(step, []).append((place, first))
    for places in found.values():
        if len(places) > 1 and _are_apart([place for place, _ in places], ctx):
            yield tuple(ctx.fit(place, first) for place, first in places)


@operator(
    name="constant-misuse-throughout",
    odc="assignment",
    bug_type="value misuse",
    inverse="constant-misuse-throughout",
    examples=[
        Example("x = a[1], b[1]", "x = a[0], b[0]"),
        Example("def f(a):\n    a[2] = 1\n    return a[2]", "def f(a):\n    a[1] = 1\n    return a[1]"),
        Example("x = a['p'] + b['p'] + c['q']", "x = a['q'] + b['q'] + c['q']"),
    ],
)
def constant_misuse_throughout(node: _Statement, ctx: Context) -> Iterator[Change]:
    """The same wrong number or text at all its places in a statement or function."""
    found: dict[str, list[cst.Integer | cst.SimpleString]] = {}
    for constant in ctx.within(*_stretch(node, ctx), cst.Integer, cst.SimpleString):
        if isinstance(constant, cst.Integer | cst.SimpleString):
            found.setdefault(constant.value, []).append(constant)
    for text, places in found.items():
        if len(places) > 1:
            is_number = isinstance(places[0], cst.Integer)
            others = [o for o, alike in found.items() if o != text and isinstance(alike[0], type(places[0]))]
            beside = [str(int(text) - 1), str(int(text) + 1)] if is_number and text.isdigit() else []
            yield from _everywhere(places, list(dict.fromkeys(beside + others[:_OTHERS])), ctx)


def _stretch(node: _Statement, ctx: Context) -> tuple[int, int]:
    """A statement or header, or the whole body of a function."""
    if isinstance(node, cst.FunctionDef):
        return ctx.start(node.body), ctx.end(node.body)
    return ctx.reach(node)


def _everywhere(places: Sequence[cst.CSTNode], names: Sequence[str], ctx: Context) -> Iterator[Change]:
    for name in names:
        edits: list[Edit] = [ctx.replace(place, name) for place in places]
        yield tuple(edits)


def _are_apart(places: Sequence[cst.CSTNode], ctx: Context) -> bool:
    """Whether none of the places, which are in order, lies within another."""
    return all(ctx.tree.outer[a][1] <= ctx.tree.outer[b][0] for a, b in pairwise(places))
