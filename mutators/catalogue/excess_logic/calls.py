"""Excess logic around values: a function, a method, a slice or an index applied once too often."""

from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.context.plausible import kinds
from mendlab.mutators.context.scopes import FLAG, MAPPING, NUMBER, SEQUENCE, TEXT
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

Value = cst.Name | cst.Attribute | cst.Call | cst.Subscript | cst.ListComp | cst.BinaryOperation
_IDEMPOTENT: Final = frozenset(
    ("abs", "sorted", "list", "set", "tuple", "str", "int", "float", "bool", "dict", "len", "print", "range", "super",
     "isinstance", "enumerate", "zip", "iter")
)  # fmt: skip
_VALUES: Final = (
    cst.Comparison, cst.Return, cst.IfExp, cst.AugAssign, cst.Yield, cst.DictElement, cst.Assign, cst.For, cst.CompFor,
    cst.Element, cst.AnnAssign, cst.FormattedStringExpression, cst.ListComp, cst.GeneratorExp, cst.SetComp, cst.Lambda,
)  # fmt: skip
_SLICES: Final = ("[1:]", "[:-1]", "[::-1]")
_IN_PLACE: Final = (".sort()", ".reverse()", ".sort(reverse=True)", ".append(0)", ".pop()")
_TEXT_STEPS: Final = (".strip()", ".lower()", ".upper()", ".title()", ".capitalize()", ".split()")


def _is_used(node: cst.BaseExpression, ctx: Context) -> bool:
    """Whether the node is a value that is passed on: no target, no callee, no owner of what is taken of it."""
    parent = ctx.parent(node)
    match parent:
        case cst.Arg(star=star):
            return not star and isinstance(ctx.parent(parent), cst.Call)
        case cst.ComparisonTarget(operator=sign):
            return not isinstance(sign, cst.Is | cst.IsNot)
        case cst.BinaryOperation(operator=cst.Add()):
            return True
    return isinstance(parent, _VALUES) and not ctx.is_target(node)


@operator(
    name="call-repeated",
    odc="algorithm",
    bug_type="excess logic",
    inverse="call-unwrapped",
    examples=[
        Example("x = f(a)", "x = f(f(a))"),
        Example("x = f(a, b)", "x = f(f(a, b), b)"),
        Example("x = a.replace(b, c)", "x = a.replace(b, c).replace(b, c)"),
    ],
)
def call_repeated(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A function is applied to its own result."""
    if isinstance(ctx.parent(node), cst.Expr | cst.Await | cst.Decorator):
        return
    method = isinstance(node.func, cst.Attribute)
    if isinstance(node.func, cst.Attribute) and node.args and not isinstance(ctx.parent(node), cst.Attribute):
        yield ctx.wrap(node, "", ctx.source[ctx.end(node.func.value) : ctx.end(node)])
    plain = bool(node.args) and not node.args[0].star and node.args[0].keyword is None
    if plain and ctx.text(node.func) not in _IDEMPOTENT and not (method and len(node.args) > 1):
        yield Edit(*ctx.tree.outer[node.args[0].value], ctx.whole(node))


@operator(
    name="value-wrapped",
    odc="algorithm",
    bug_type="excess logic",
    inverse="call-unwrapped",
    examples=[
        Example("def f(a):\n    a.append(1)\n    return a", "def f(a):\n    a.append(1)\n    return sorted(a)"),
        Example("x = [i for i in y]", "x = set([i for i in y])"),
        Example("x = a.strip()", "x = len(a.strip())"),
        Example("def f(a):\n    return g(a)", "def f(a):\n    return [g(a)]"),
    ],
)
def value_wrapped(node: Value, ctx: Context) -> Iterator[Change]:
    """A collection or text goes through a function too many."""
    if not _is_used(node, ctx) or ctx.text(node) in ("True", "False", "None", "self", "cls"):
        return
    found, text = kinds(node, ctx), ctx.text(node)
    if found & {NUMBER, FLAG} and not found & {SEQUENCE, TEXT}:
        return
    parent = ctx.parent(node)
    looped = isinstance(parent, cst.For | cst.CompFor)
    argument = isinstance(parent, cst.Arg)
    outer = ctx.text(ctx.parent(parent).func) if argument else ""  # type: ignore[attr-defined]  # an Arg of a Call
    functions: tuple[str, ...] = ()
    if SEQUENCE in found or TEXT in found or looped:
        functions = (
            ("sorted", "set", "list", "reversed") if looped or argument else ("sorted", "set", "list", "len", "tuple")
        )
    elif isinstance(parent, cst.Return | cst.Assign):
        functions = ("sorted", "list", "set", "len")
    own = ctx.text(node.func) if isinstance(node, cst.Call) else "list" if isinstance(node, cst.ListComp) else ""
    for name in functions:
        if name not in (own, outer):
            yield Edit(*ctx.tree.outer[node], f"{name}({text})")
    if isinstance(parent, cst.Return | cst.Arg | cst.Element | cst.Assign) and not isinstance(node, cst.ListComp):
        yield Edit(*ctx.tree.outer[node], f"[{text}]")


@operator(
    name="slice-added",
    odc="algorithm",
    bug_type="excess logic",
    examples=[
        Example("def f(a):\n    b = [a]\n    return b", "def f(a):\n    b = [a]\n    return b[1:]"),
        Example("for x in a.b: pass", "for x in a.b[:-1]: pass"),
        Example("x = sorted(a)", "x = sorted(a)[::-1]"),
        Example("x = a.split()", "x = a.split()[0]"),
    ],
)
def slice_added(node: Value, ctx: Context) -> Iterator[Change]:
    """A part of a collection or text is used for the whole, or it is turned round."""
    if not _is_used(node, ctx) or isinstance(node, cst.BinaryOperation):
        return
    found, parent = kinds(node, ctx), ctx.parent(node)
    looped = isinstance(parent, cst.For | cst.CompFor)
    if not (found & {SEQUENCE, TEXT} or (looped and not found)):
        if not found and isinstance(parent, cst.Return | cst.Assign) and not isinstance(node, cst.Name):
            yield from (ctx.wrap(node, "", text) for text in ("[0]", "[::-1]"))
        return
    for text in _SLICES:
        yield ctx.wrap(node, "", text)
    if not looped:
        for text in ("[0]", "[-1]"):
            yield ctx.wrap(node, "", text)


@operator(
    name="method-added",
    odc="algorithm",
    bug_type="excess logic",
    inverse="method-unwrapped",
    examples=[
        Example("def f(b):\n    return 'a' + b", "def f(b):\n    return 'a' + b.lower()"),
        Example("def f(b):\n    return b.split()", "def f(b):\n    return b.lower().split()"),
        Example("def f(a):\n    b = [a]\n    return b", "def f(a):\n    b = [a]\n    return b.sort(reverse=True)"),
        Example("def f(a):\n    b = str(a)\n    return b", "def f(a):\n    b = str(a)\n    return b.strip()"),
    ],
)
def method_added(node: Value, ctx: Context) -> Iterator[Change]:
    """A text or list goes through a method too many; if that works in place, the value is None."""
    chained = isinstance(ctx.parent(node), cst.Attribute) and isinstance(node, cst.Name)
    if not (chained or _is_used(node, ctx)) or isinstance(node, cst.BinaryOperation | cst.ListComp):
        return
    found, parent = kinds(node, ctx), ctx.parent(node)
    if chained:
        yield from (ctx.wrap(node, "", step) for step in _TEXT_STEPS[:3] if TEXT in found)
        return
    steps: tuple[str, ...] = ()
    returned = isinstance(parent, cst.Return)
    if (SEQUENCE in found or (not found and isinstance(node, cst.Name))) and isinstance(
        parent, cst.Return | cst.Assign
    ):
        steps += _IN_PLACE if returned else _IN_PLACE[:2]
    if TEXT in found:
        steps += _TEXT_STEPS if isinstance(parent, cst.Return | cst.Assign) else _TEXT_STEPS[:3]
    if MAPPING in found:
        steps += (".keys()", ".values()", ".items()", ".copy()")
    owner = node.func.attr.value if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) else ""
    for step in steps:
        if step[1:].partition("(")[0] != owner:
            yield ctx.wrap(node, "", step)
