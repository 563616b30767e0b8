"""Constants for variables and expressions, and back."""

from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.catalogue.value.constants import NEAREST_CONSTANTS, PLACES_OF_VALUES, Number, constants_around
from mendlab.mutators.context import Context
from mendlab.mutators.context.kinds import kinds_of, may_be_number
from mendlab.mutators.context.scopes import FLAG, MAPPING, NUMBER, SEQUENCE, TEXT
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

Computed = cst.Call | cst.Subscript | cst.Attribute | cst.BinaryOperation
_PLACES: Final = (
    *PLACES_OF_VALUES, cst.BinaryOperation, cst.ComparisonTarget, cst.Comparison, cst.Index, cst.Slice, cst.AugAssign,
    cst.Element,
)  # fmt: skip
_CONSTANTS_OF_KINDS: Final = {
    TEXT: ("''", "' '"),
    SEQUENCE: ("[]",),
    MAPPING: ("{}",),
    FLAG: ("True", "False"),
}
_NEAREST_SEQUENCES: Final = 2


@operator(
    name="number-for-name",
    term="CSR",
    odc="assignment",
    bug_type="value misuse",
    inverse="name-for-number",
    examples=[
        Example("def f(n, step):\n    return n % step", "def f(n, step):\n    return n % 1"),
        Example("def f(n, m=60):\n    return n - m", "def f(n, m=60):\n    return n - 60"),
    ],
)
def number_for_name(node: cst.Name, ctx: Context) -> Iterator[Change]:
    """A variable that may hold a number becomes 0, 1, or a number of the same function."""
    if ctx.is_load(node) and isinstance(ctx.parent(node), _PLACES) and may_be_number(node, ctx):
        near = constants_around(node, ctx, cst.Integer, cst.Float)[:2]
        if NUMBER not in kinds_of(node, ctx):
            near = []
        yield from (ctx.replace(node, text) for text in dict.fromkeys(("0", "1", *near)))


@operator(
    name="name-for-number",
    term="SCR",
    odc="assignment",
    bug_type="value misuse",
    inverse="number-for-name",
    examples=[Example("def f(n, k=2):\n    return n % k + 5", "def f(n, k=2):\n    return n % k + k")],
)
def name_for_number(node: Number, ctx: Context) -> Iterator[Change]:
    """A number becomes a variable that may hold a number."""
    others = ctx.names(node)
    known = [b for b in others if NUMBER in b.kinds]
    unknown = [b for b in others if not b.kinds]
    for binding in [*known, *unknown[:2]][:NEAREST_CONSTANTS]:
        yield ctx.replace(node, binding.name)


@operator(
    name="constant-for-name",
    term="CSR",
    odc="assignment",
    bug_type="value misuse",
    inverse="name-for-text",
    examples=[
        Example("def f(a: str):\n    return g(a)", "def f(a: str):\n    return g('')"),
        Example("def f(a):\n    b = [a]\n    return b", "def f(a):\n    b = [a]\n    return []"),
    ],
)
def constant_for_name(node: cst.Name, ctx: Context) -> Iterator[Change]:
    """A variable becomes an empty text, list or dictionary, or a fixed truth."""
    if ctx.is_load(node) and isinstance(ctx.parent(node), _PLACES):
        kinds = kinds_of(node, ctx)
        if TEXT in kinds:
            yield from (ctx.replace(node, text) for text in constants_around(node, ctx, cst.SimpleString)[:2])
        for kind, texts in _CONSTANTS_OF_KINDS.items():
            if kind in kinds:
                yield from (ctx.replace(node, text) for text in texts)


@operator(
    name="name-for-text",
    term="SCR",
    odc="assignment",
    bug_type="value misuse",
    inverse="name-quoted",
    examples=[
        Example("def f(key, d):\n    return d['key']", "def f(key, d):\n    return d[key]"),
        Example("def f(a):\n    return a.lower() + '-'", "def f(a):\n    return a.lower() + a"),
    ],
)
def name_for_text(node: cst.SimpleString, ctx: Context) -> Iterator[Change]:
    """A text becomes the variable of that name, or a variable that may hold a text."""
    if isinstance(ctx.parent(node), cst.ConcatenatedString | cst.Expr):
        return
    others = ctx.names(node)
    named = [b for b in others if b.name == node.raw_value]
    texts = [b for b in others if TEXT in b.kinds and b not in named]
    for binding in [*named, *texts, *(b for b in others if not b.kinds and b not in named)][:4]:
        yield ctx.replace(node, binding.name)


@operator(
    name="name-quoted",
    odc="assignment",
    bug_type="value misuse",
    pattern="change constant type",
    inverse="name-for-text",
    examples=[
        Example("def f(text):\n    return g(text)", "def f(text):\n    return g('text')"),
        Example("def f(d, key):\n    return d[key]", "def f(d, key):\n    return d['key']"),
        Example("def f(text):\n    return g(text.strip())", "def f(text):\n    return g('text')"),
    ],
)
def name_quoted(node: cst.Name | cst.Attribute | cst.Call, ctx: Context) -> Iterator[Change]:
    """A variable, or what is taken of it, becomes the text of the variable's name."""
    root: cst.BaseExpression = node
    while isinstance(root, cst.Attribute | cst.Call):
        root = root.value if isinstance(root, cst.Attribute) else root.func
    if isinstance(root, cst.Name) and ctx.is_load(root) and root.value not in ("self", "cls"):
        called = isinstance(node, cst.Call) and node.func is root
        places = (*_PLACES, cst.CompFor, cst.For) if node is root else (cst.Arg,)
        if not called and isinstance(ctx.parent(node), places) and ctx.scope(root).resolve(root.value):
            yield ctx.replace(node, f"'{root.value}'")


@operator(
    name="constant-for-expression",
    term="CSR",
    odc="assignment",
    bug_type="value misuse",
    inverse="expression-for-number",
    examples=[
        Example("def f(a):\n    m = a[0]\n    return m", "def f(a):\n    m = 0\n    return m"),
        Example("x = f(y) + g(z)", "x = f(y) + 1"),
        Example("def f(a):\n    return str(a)", "def f(a):\n    return ''"),
    ],
)
def constant_for_expression(node: Computed, ctx: Context) -> Iterator[Change]:
    """A value that is worked out, an initial one for instance, becomes a constant."""
    if isinstance(ctx.parent(node), _PLACES) and not ctx.is_target(node):
        span = ctx.tree.outer[node]
        kinds = kinds_of(node, ctx)
        texts = ["0", "1"] if may_be_number(node, ctx) else []
        if isinstance(node, cst.Call | cst.BinaryOperation) and isinstance(ctx.parent(node), PLACES_OF_VALUES):
            texts += [text for kind, group in _CONSTANTS_OF_KINDS.items() if kind in kinds for text in group]
        yield from (Edit(*span, text) for text in texts)


@operator(
    name="expression-for-number",
    odc="assignment",
    bug_type="value misuse",
    inverse="constant-for-expression",
    examples=[
        Example("def f(a):\n    m = 0\n    return m + a[1]", "def f(a):\n    m = a[0]\n    return m + a[1]"),
        Example("def f(a):\n    n = 1\n    return a[n]", "def f(a):\n    n = len(a)\n    return a[n]"),
    ],
)
def expression_for_number(node: cst.Integer, ctx: Context) -> Iterator[Change]:
    """A number, an initial one for instance, becomes the length or the first element of a sequence of the scope."""
    if isinstance(ctx.parent(node), (*PLACES_OF_VALUES, cst.ComparisonTarget, cst.BinaryOperation)):
        sequences = [b.name for b in ctx.names(node) if b.kinds & {SEQUENCE, TEXT}]
        for name in sequences[:_NEAREST_SEQUENCES]:
            yield ctx.replace(node, f"len({name})")
            yield ctx.replace(node, f"{name}[0]")


@operator(
    name="extreme-confused",
    odc="assignment",
    bug_type="value misuse",
    inverse="extreme-confused",
    examples=[
        Example("x = float('inf')", "x = float('-inf')"),
        Example("x = -math.inf", "x = math.inf"),
        Example("x = float('inf')", "x = 0"),
    ],
)
def extreme_confused(node: cst.Call | cst.Attribute | cst.UnaryOperation, ctx: Context) -> Iterator[Change]:
    """The largest value is taken for the smallest, or a plain number for either."""
    match node:
        case cst.Call(func=cst.Name(value="float"), args=[cst.Arg(value=cst.SimpleString(raw_value=raw) as text)]):
            word = raw.lstrip("+-")
            if word not in ("inf", "infinity", "Infinity"):
                return
            yield ctx.replace(text, f"{text.quote}{'' if raw.startswith('-') else '-'}{word}{text.quote}")
            yield ctx.replace(node, "0")
        case cst.Attribute(value=cst.Name(), attr=cst.Name(value="inf" | "maxsize")):
            if not isinstance(ctx.parent(node), cst.UnaryOperation):
                yield ctx.wrap(node, "-", "")
                yield ctx.replace(node, "0")
        case cst.UnaryOperation(operator=cst.Minus(), expression=cst.Attribute(attr=cst.Name(value="inf" | "maxsize"))):
            yield ctx.fit(node, node.expression)
            yield ctx.replace(node, "0")
