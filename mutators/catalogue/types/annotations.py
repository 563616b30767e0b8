"""Annotations changed together with their values: a wrong type that a checker of types accepts where it is made."""

from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.catalogue.types.signatures import is_stub
from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change, Edit, apply
from mendlab.mutators.registry import Example, operator

_SPAN: Final = 4_000
"""A change that reaches over more characters is left out."""
_RETYPED: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "int": (("str", "str({})"), ("float", "float({})")),
    "float": (("int", "int({})"), ("str", "str({})")),
    "str": (("bytes", "{}.encode()"), ("list[str]", "[{}]")),
    "bytes": (("str", "{}.decode()"),),
    "bool": (("int", "int({})"), ("str", "str({})")),
    "list": (("tuple", "tuple({})"), ("set", "set({})"), ("Iterator", "iter({})")),
    "List": (("Tuple", "tuple({})"), ("Set", "set({})"), ("Iterator", "iter({})")),
    "tuple": (("list", "list({})"),),
    "Tuple": (("List", "list({})"),),
    "set": (("list", "list({})"),),
    "dict": (("list", "list({})"),),
    "Iterator": (("list", "list({})"),),
    "Iterable": (("list", "list({})"),),
}
"""For an annotation: others, and what makes their values of its values."""


def _head(annotation: cst.BaseExpression) -> cst.Name | None:
    """The name that an annotation begins with, without its arguments."""
    while isinstance(annotation, cst.Subscript):
        annotation = annotation.value
    return annotation if isinstance(annotation, cst.Name) else None


@operator(
    name="result-retyped",
    odc="interface",
    bug_type="value misuse",
    examples=[
        Example("def f(a) -> int:\n    return a", "def f(a) -> str:\n    return str(a)"),
        Example(
            "def f(a) -> list[int]:\n    b = g(a)\n    return b",
            "def f(a) -> set[int]:\n    b = g(a)\n    return set(b)",
        ),
    ],
)
def result_retyped(node: cst.IndentedBlock | cst.SimpleStatementSuite, ctx: Context) -> Iterator[Change]:
    """A function is annotated with another type of result, and makes results of that type everywhere."""
    function = ctx.parent(node)
    annotation = function.returns if isinstance(function, cst.FunctionDef) else None
    if annotation is None or (head := _head(annotation.annotation)) is None or head.value not in _RETYPED:
        return
    low, high = ctx.tree.inner[node]
    returns = [r for r in ctx.of_type(cst.Return) if low <= ctx.start(r) < high and ctx.function(r) is function]
    values = [r.value for r in returns if r.value is not None]
    if not values or len(values) < len(returns) or any(isinstance(v, cst.Tuple) and not v.lpar for v in values):
        return
    start, end = ctx.tree.outer[annotation][0], ctx.tree.outer[values[-1]][1]
    if end - start > _SPAN:
        return
    for name, form in _RETYPED[head.value]:
        edits = [ctx.replace(head, name)]
        for value in values:
            text = ctx.operand(value) if "}." in form else ctx.text(value)
            edits.append(Edit(*ctx.tree.outer[value], form.format(text)))
        moved = (Edit(low - start, high - start, text) for low, high, text in edits)
        yield Edit(start, end, apply(ctx.source[start:end], moved))


_DEFAULTS: Final = {
    "int": {"str": "'{}'", "float": "{}.0", "bool": "bool({})"},
    "float": {"int": "int({})", "str": "'{}'"},
    "bool": {"int": "int({})", "str": "'{}'"},
    "str": {"bytes": "b{}", "list": "[{}]"},
    "list": {"tuple": "()", "set": "set()", "dict": "{{}}"},
    "dict": {"list": "[]"},
    "tuple": {"list": "[]"},
}


@operator(
    name="value-retyped",
    odc="interface",
    bug_type="value misuse",
    pattern="change constant type",
    inverse="value-retyped",
    examples=[
        Example("x: int = 0", "x: str = '0'"), Example("x: list[int] = []", "x: dict[int] = {}"),
        Example("def f(a: int = 2): return a", "def f(a: float = 2.0): return a"),
        Example("def f(a: str = ''): return a", "def f(a: str | None = None): return a"),
        Example("x: Optional[int] = None", "x: int = 0"),
    ],
)  # fmt: skip
def value_retyped(node: cst.AnnAssign | cst.Param, ctx: Context) -> Iterator[Change]:
    """A variable or parameter is annotated with another type, and its initial or default value is of that type."""
    value = node.value if isinstance(node, cst.AnnAssign) else node.default
    if value is None or node.annotation is None:
        return
    if isinstance(node, cst.Param) and is_stub(ctx.parent(node), ctx):
        return
    annotation = node.annotation.annotation
    start, (low, high) = ctx.tree.outer[node.annotation][0], ctx.tree.outer[annotation]
    before = ctx.source[start:low]
    end = ctx.tree.outer[value][1]
    between = ctx.source[high : ctx.tree.outer[value][0]]
    if ctx.text(value) == "None":
        inner = _optional(annotation, ctx)
        fresh = {"int": "0", "str": "''", "float": "0.0", "bool": "False", "list": "[]", "dict": "{}", "List": "[]"}
        if inner is not None and (head := _head(inner)) is not None and head.value in fresh:
            yield Edit(start, end, f"{before}{ctx.text(inner)}{between}{fresh[head.value]}")
        return
    head = _head(annotation)
    if head is None or head.value not in _DEFAULTS:
        return
    rest = ctx.source[ctx.end(head) : high]
    if not isinstance(value, cst.List | cst.Dict | cst.Tuple) or not value.elements:
        for name, form in _DEFAULTS[head.value].items():
            text = ctx.text(value)
            yield Edit(start, end, f"{before}{name}{rest}{between}{form.format(text)}")
    yield Edit(start, end, f"{before}{ctx.source[low:high]} | None{between}None")


def _optional(annotation: cst.BaseExpression, ctx: Context) -> cst.BaseExpression | None:
    """The type beside None in an annotation."""
    match annotation:
        case cst.Subscript(
            value=cst.Name(value="Optional"), slice=[cst.SubscriptElement(slice=cst.Index(value=inner))]
        ):
            return inner
        case cst.BinaryOperation(left=inner, operator=cst.BitOr(), right=cst.Name(value="None")):
            return inner
    return None
