"""Wrong values: numbers, booleans, elements of literals, constants for variables."""

import warnings
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change
from mendlab.mutators.registry import Example, operator
from mendlab.mutators.scopes import NUMBER

Number = cst.Integer | cst.Float
Literal = cst.Integer | cst.Float | cst.SimpleString
Display = cst.List | cst.Tuple | cst.Set

NEAREST_CONSTANTS: Final = 6
"""How many other constants of the same function stand in for one."""


def constants_around(node: Literal, ctx: Context, *kinds: type[Literal]) -> list[str]:
    """Texts of the constants of these kinds and of other values in the same function, the nearest first."""
    function = ctx.nearest(node, cst.FunctionDef)
    low, high = (0, len(ctx.source)) if function is None else ctx.tree.inner[function]
    here = ctx.start(node)
    others = ctx.of_type(*kinds)
    first, last = (bisect_left(others, offset, key=ctx.start) for offset in (low, high))
    near = sorted(others[first:last], key=lambda other: abs(ctx.start(other) - here))
    texts = {value_of(node): ctx.text(node)}
    for other in near:
        if len(texts) > NEAREST_CONSTANTS:
            break
        texts.setdefault(value_of(other), ctx.text(other))
    return list(texts.values())[1:]


def value_of(node: Literal) -> tuple[str, object]:
    """A key that is equal for literals of equal type and value."""
    if isinstance(node, cst.SimpleString) and "\\" not in node.raw_value:
        return ("b" if "b" in node.prefix else "s"), node.raw_value
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        value = node.evaluated_value
    return type(value).__name__, value


@operator(
    name="number-off-by-one",
    term="CRP",
    odc="assignment",
    bug_type="value misuse",
    pattern="change numeric literal",
    inverse="number-off-by-one",
    examples=[Example("x = 3", "x = 4"), Example("x = 3", "x = 2"), Example("x = 0x0f", "x = 0x10")],
)
def number_off_by_one(node: Number, ctx: Context) -> Iterator[Change]:
    """A number becomes one more or one less."""
    if isinstance(node, cst.Float):
        value = float(node.value.replace("_", ""))
        if value.is_integer() and value < 1e15:
            yield ctx.replace(node, repr(value + 1))
            yield ctx.replace(node, repr(value - 1))
        return
    form = hex if node.value[:2] in ("0x", "0X") else bin if node.value[:2] in ("0b", "0B") else str
    number = int(node.value, 0)
    if number.bit_length() > 4096:
        return
    for other in (number + 1, number - 1):
        text = form(other)
        yield ctx.replace(node, text if form is str else text[:2] + text[2:].zfill(len(node.value) - 2))


@operator(
    name="number-replaced",
    term="CRP",
    odc="assignment",
    bug_type="value misuse",
    pattern="change numeric literal",
    examples=[Example("x = 10", "x = 0"), Example("x = 10", "x = 1"), Example("x = 10", "x = -10")],
)
def number_replaced(node: Number, ctx: Context) -> Iterator[Change]:
    """A number becomes zero, one, or its negative."""
    zero, one = ("0.0", "1.0") if isinstance(node, cst.Float) else ("0", "1")
    for value, text in enumerate((zero, one)):
        if value != node.evaluated_value:
            yield ctx.replace(node, text)
    parent = ctx.parent(node)
    negated = isinstance(parent, cst.UnaryOperation) and isinstance(parent.operator, cst.Minus)
    if node.evaluated_value and not negated:
        yield ctx.replace(node, f"-{node.value}")


@operator(
    name="number-of-scope",
    term="SCR",
    odc="assignment",
    bug_type="value misuse",
    pattern="change numeric literal",
    inverse="number-of-scope",
    examples=[Example("def f(x):\n    return x % 60 + 24", "def f(x):\n    return x % 24 + 24")],
)
def number_of_scope(node: cst.Integer, ctx: Context) -> Iterator[Change]:
    """A number becomes another number of the same function."""
    for text in constants_around(node, ctx, cst.Integer, cst.Float):
        yield ctx.replace(node, text)


@operator(
    name="number-for-name",
    term="CSR",
    odc="assignment",
    bug_type="value misuse",
    pattern="change identifier",
    inverse="name-for-number",
    examples=[Example("def f(n, step):\n    return n % step", "def f(n, step):\n    return n % 1")],
)
def number_for_name(node: cst.Name, ctx: Context) -> Iterator[Change]:
    """A variable that holds a number becomes 0 or 1."""
    if ctx.is_load(node) and not isinstance(ctx.parent(node), cst.Arg | cst.Attribute | cst.Subscript):
        binding = ctx.scope(node).resolve(node.value)
        if binding and NUMBER in binding.kinds:
            yield ctx.replace(node, "0")
            yield ctx.replace(node, "1")


@operator(
    name="name-for-number",
    term="SCR",
    odc="assignment",
    bug_type="value misuse",
    pattern="change identifier",
    inverse="number-for-name",
    examples=[Example("def f(n, k=2):\n    return n % k + 5", "def f(n, k=2):\n    return n % k + k")],
)
def name_for_number(node: cst.Integer, ctx: Context) -> Iterator[Change]:
    """A number becomes a variable that holds a number."""
    for binding in ctx.names(node)[:NEAREST_CONSTANTS]:
        if NUMBER in binding.kinds:
            yield ctx.replace(node, binding.name)


@operator(
    name="constant-type",
    odc="assignment",
    bug_type="value misuse",
    pattern="change constant type",
    inverse="constant-type",
    examples=[Example("x = 5", "x = '5'"), Example("x = '5'", "x = 5"), Example("x = 5", "x = 5.0")],
)
def constant_type(node: cst.Integer | cst.SimpleString, ctx: Context) -> Iterator[Change]:
    """A number becomes its text or a float, a text of digits becomes its number."""
    if isinstance(node, cst.Integer):
        if node.value.isdigit():
            yield ctx.replace(node, f"'{node.value}'")
            yield ctx.replace(node, f"{node.value}.0")
    elif (digits := node.raw_value).isdigit() and digits.isascii() and str(int(digits)) == digits:
        yield ctx.replace(node, digits)


@operator(
    name="boolean-flipped",
    term="CRP",
    odc="assignment",
    bug_type="value misuse",
    pattern="change boolean literal",
    inverse="boolean-flipped",
    examples=[Example("x = True", "x = False"), Example("f(y=False)", "f(y=True)")],
)
def boolean_flipped(node: cst.Name, ctx: Context) -> Iterator[Change]:
    """True becomes False and False becomes True."""
    if node.value in ("True", "False"):
        yield ctx.replace(node, "False" if node.value == "True" else "True")


@operator(
    name="none-for-value",
    odc="assignment",
    bug_type="value misuse",
    pattern="change constant type",
    inverse="value-for-none",
    examples=[Example("x = 0", "x = None"), Example("def f(a='b'): pass", "def f(a=None): pass")],
)
def none_for_value(
    node: cst.Integer | cst.Float | cst.SimpleString | cst.List | cst.Dict | cst.Name, ctx: Context
) -> Iterator[Change]:
    """A constant that is assigned, returned or a default becomes None."""
    constant = not isinstance(node, cst.Name) or node.value in ("True", "False")
    if constant and isinstance(ctx.parent(node), cst.Assign | cst.Return | cst.Param):
        yield ctx.replace(node, "None")


@operator(
    name="value-for-none",
    odc="assignment",
    bug_type="value misuse",
    pattern="change constant type",
    inverse="none-for-value",
    examples=[Example("return_value = None", "return_value = 0"), Example("x = None", "x = []")],
)
def value_for_none(node: cst.Name, ctx: Context) -> Iterator[Change]:
    """None that is assigned, returned or a default becomes an empty value of some type."""
    if node.value == "None" and isinstance(ctx.parent(node), cst.Assign | cst.Return | cst.Param):
        for text in ("0", "''", "[]", "False"):
            yield ctx.replace(node, text)


@operator(
    name="element-dropped",
    odc="assignment",
    bug_type="value misuse",
    pattern="add elements to iterable",
    inverse="element-added",
    examples=[Example("x = [1, 2, 3]", "x = [1, 3]"), Example("x = (1, 2)", "x = (1,)")],
)
def element_dropped(node: Display | cst.Dict, ctx: Context) -> Iterator[Change]:
    """A literal loses one of its elements."""
    elements: Sequence[cst.BaseElement | cst.BaseDictElement] = node.elements
    if ctx.is_target(node) or len(elements) < 2:
        return
    for index in range(len(elements)):
        edit = ctx.drop_item(elements, index)
        if isinstance(node, cst.Tuple) and len(elements) == 2:
            left = elements[1 - index]
            yield ctx.replace(node, _rebuilt(node, f"{ctx.item_text(left)},", ctx))
        else:
            yield edit


def _rebuilt(node: cst.Tuple, inside: str, ctx: Context) -> str:
    """The inner text of a tuple around other elements: a tuple's parentheses are outside its inner text."""
    return inside if node.lpar or isinstance(ctx.parent(node), cst.Assign | cst.Return) else f"({inside})"


@operator(
    name="collection-emptied",
    odc="assignment",
    bug_type="value misuse",
    pattern="add elements to iterable",
    examples=[Example("x = [1, 2]", "x = []"), Example("x = {'a': 1}", "x = {}")],
)
def collection_emptied(node: cst.List | cst.Dict, ctx: Context) -> Iterator[Change]:
    """A list or dictionary literal becomes empty."""
    if node.elements and not ctx.is_target(node):
        yield ctx.replace(node, "[]" if isinstance(node, cst.List) else "{}")


@operator(
    name="collection-filled",
    odc="assignment",
    bug_type="value misuse",
    inverse="collection-emptied",
    examples=[Example("x = []", "x = [0]"), Example("x = []", "x = [[]]")],
)
def collection_filled(node: cst.List, ctx: Context) -> Iterator[Change]:
    """An empty list starts with an element."""
    if not node.elements and not ctx.is_target(node):
        for text in ("[0]", "[1]", "[[]]", "['']"):
            yield ctx.replace(node, text)


@operator(
    name="elements-swapped",
    odc="assignment",
    bug_type="variable misuse",
    pattern="change identifier",
    inverse="elements-swapped",
    examples=[Example("return_pair = (a, b)", "return_pair = (b, a)"), Example("a, b = f()", "b, a = f()")],
)
def elements_swapped(node: cst.Tuple | cst.List, ctx: Context) -> Iterator[Change]:
    """Two neighbouring elements of a tuple or list change places."""
    for left, right in zip(node.elements, node.elements[1:], strict=False):
        plain = isinstance(left, cst.Element) and isinstance(right, cst.Element)
        if plain and ctx.whole(left.value) != ctx.whole(right.value):
            yield ctx.swap(left.value, right.value)
