"""Wrong constants: numbers, booleans and None, and constants of the wrong type."""

import re
import warnings
from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change
from mendlab.mutators.registry import Example, operator

Number = cst.Integer | cst.Float
Literal = cst.Integer | cst.Float | cst.SimpleString

NEAREST_CONSTANTS: Final = 8
"""How many other constants of the same function stand in for one."""
PLACES_OF_VALUES: Final = (
    cst.Assign, cst.AnnAssign, cst.Return, cst.Param, cst.IfExp, cst.DictElement, cst.Lambda, cst.Arg,
)  # fmt: skip
"""Where a constant is a value of its own: assigned, returned, passed, a default, a branch, an entry."""
_EXPONENT: Final = re.compile(r"(?i)e([+-]?\d+)$")
_NUMERAL: Final = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?")


def constants_around(node: Literal | cst.Name, ctx: Context, *kinds: type[Literal]) -> list[str]:
    """Texts of the constants of these kinds and of other values in the same function, the nearest first."""
    function = ctx.nearest(node, cst.FunctionDef)
    low, high = (0, len(ctx.source)) if function is None else ctx.tree.inner[function]
    here = ctx.start(node)
    others = ctx.of_type(*kinds)
    first, last = (bisect_left(others, offset, key=ctx.start) for offset in (low, high))
    near = sorted(others[first:last], key=lambda other: abs(ctx.start(other) - here))
    own: dict[tuple[str, object], str] = {} if isinstance(node, cst.Name) else {value_of(node): ""}
    texts = dict(own)
    for other in near:
        if len(texts) > NEAREST_CONSTANTS:
            break
        texts.setdefault(value_of(other), ctx.text(other))
    return list(texts.values())[len(own) :]


def value_of(node: Literal) -> tuple[str, object]:
    """A key that is equal for literals of equal type and value."""
    if isinstance(node, cst.SimpleString) and "\\" not in node.raw_value:
        return ("b" if "b" in node.prefix else "s"), node.raw_value
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        value = node.evaluated_value
    return type(value).__name__, value


def is_negated(node: Number, ctx: Context) -> bool:
    """Whether a minus stands before a number."""
    parent = ctx.parent(node)
    return isinstance(parent, cst.UnaryOperation) and isinstance(parent.operator, cst.Minus)


def _plain(node: Number) -> int | None:
    """The value of a whole number written in decimal digits of ordinary length."""
    return int(node.value) if isinstance(node, cst.Integer) and node.value.isdigit() and len(node.value) < 100 else None


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
    """A number becomes zero, one, its negative, minus one, or two."""
    point = ".0" if isinstance(node, cst.Float) else ""
    for text in (f"0{point}", f"1{point}"):
        if float(text) != node.evaluated_value:
            yield ctx.replace(node, text)
    if not is_negated(node, ctx):
        if node.evaluated_value:
            yield ctx.replace(node, f"-{node.value}")
        yield ctx.replace(node, f"-1{point}")
    yield ctx.replace(node, f"2{point}")


@operator(
    name="number-scaled",
    term="CRP",
    odc="assignment",
    bug_type="value misuse",
    pattern="change numeric literal",
    inverse="number-scaled",
    examples=[
        Example("x = 100", "x = 1000"), Example("x = 100", "x = 50"), Example("x = 0.5", "x = 5.0"),
        Example("x = 1e-6", "x = 1e-7"), Example("x = 5", "x = 3"), Example("x = a ** 2", "x = a ** 0.5"),
    ],
)  # fmt: skip
def number_scaled(node: Number, ctx: Context) -> Iterator[Change]:
    """A number is ten times, a tenth, double or half of what it should be, one over it, or two off."""
    exponent = _EXPONENT.search(node.value) if isinstance(node, cst.Float) else None
    if exponent is not None:
        for step in (1, -1):
            yield ctx.replace(node, f"{node.value[: exponent.start(1)]}{int(exponent[1]) + step}")
    elif isinstance(node, cst.Float):
        value = float(node.value.replace("_", ""))
        if 0 < value < 1e15:
            for other in (value * 10, value / 10, value * 2, value / 2, 1 - value, 1 / value):
                yield ctx.replace(node, f"{other:.12g}" if "." in f"{other:.12g}" else repr(other))
    elif number := _plain(node):
        for scaled in (number * 10, number * 2, number * 100):
            yield ctx.replace(node, str(scaled))
        yield from (ctx.replace(node, str(number // part)) for part in (10, 2) if number % part == 0)
        yield from (ctx.replace(node, str(number + step)) for step in (2, -2) if number + step)
        if number > 1 and 100 % number == 0 and isinstance(ctx.parent(node), cst.BinaryOperation):
            yield ctx.replace(node, f"{1 / number:.12g}")


@operator(
    name="digits-mistyped",
    odc="assignment",
    bug_type="value misuse",
    inverse="digits-mistyped",
    examples=[Example("x = 1024", "x = 124"), Example("x = 360", "x = 306"), Example("x = 12", "x = 112")],
)
def digits_mistyped(node: Number, ctx: Context) -> Iterator[Change]:
    """A number loses a digit, has one twice, or two neighbouring digits change places."""
    digits = node.value
    if 1 < len(digits) < 9 and digits.replace(".", "").isdigit():
        for index in range(len(digits)):
            before, after = digits[:index], digits[index + 1 :]
            yield from (
                ctx.replace(node, text)
                for text in (
                    before + after[:1] + digits[index] + after[1:],
                    before + after,
                    digits[: index + 1] + digits[index:],
                )
                if _NUMERAL.fullmatch(text)
            )


@operator(
    name="number-of-scope",
    term="SCR",
    odc="assignment",
    bug_type="value misuse",
    pattern="change numeric literal",
    examples=[Example("def f(x):\n    return x % 60 + 24", "def f(x):\n    return x % 24 + 24")],
)
def number_of_scope(node: Number, ctx: Context) -> Iterator[Change]:
    """A number becomes another number of the same function."""
    for text in constants_around(node, ctx, cst.Integer, cst.Float):
        yield ctx.replace(node, text)


@operator(
    name="constant-type",
    odc="assignment",
    bug_type="value misuse",
    pattern="change constant type",
    inverse="constant-type",
    examples=[
        Example("x = 5", "x = '5'"), Example("x = '0.5'", "x = 0.5"), Example("x = 5", "x = 5.0"),
        Example("x = 5.0", "x = 5"), Example("x = True", "x = 'True'"), Example("x = b'ab'", "x = 'ab'"),
        Example("return_value = 1", "return_value = True"),
    ],
)  # fmt: skip
def constant_type(node: Literal | cst.Name, ctx: Context) -> Iterator[Change]:
    """A constant becomes its text or a constant of another type that is written alike, and the contrary."""
    match node:
        case cst.Integer(value=digits) if digits.isdigit():
            yield ctx.replace(node, f"'{digits}'")
            yield ctx.replace(node, f"{digits}.0")
            if digits in "01" and isinstance(ctx.parent(node), PLACES_OF_VALUES):
                yield ctx.replace(node, "False" if digits == "0" else "True")
        case cst.Float(value=text):
            if text.endswith(".0") and text[:-2].isdigit():
                yield ctx.replace(node, text[:-2])
            yield ctx.replace(node, f"'{text}'")
        case cst.Name(value="True" | "False" | "None" as word):
            yield ctx.replace(node, f"'{word}'")
            if word != "None":
                yield ctx.replace(node, "1" if word == "True" else "0")
        case cst.SimpleString(raw_value=raw, prefix=prefix):
            if _NUMERAL.fullmatch(raw) or raw in ("True", "False", "None"):
                yield ctx.replace(node, raw)
            start, length = ctx.start(node), len(prefix)
            rest = ctx.source[start + length : ctx.end(node)]
            yield ctx.replace(
                node, prefix.replace("b", "") + rest if "b" in prefix else f"b{prefix.replace('u', '')}{rest}"
            )
            if "r" in prefix:
                yield ctx.replace(node, prefix.replace("r", "") + rest)


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
    node: Literal | cst.List | cst.Tuple | cst.Dict | cst.Set | cst.Name, ctx: Context
) -> Iterator[Change]:
    """A constant that is assigned, returned, passed or a default becomes None."""
    constant = not isinstance(node, cst.Name) or node.value in ("True", "False")
    if constant and isinstance(ctx.parent(node), PLACES_OF_VALUES) and not ctx.is_target(node):
        yield ctx.replace(node, "None")


@operator(
    name="value-for-none",
    odc="assignment",
    bug_type="value misuse",
    pattern="change constant type",
    inverse="none-for-value",
    examples=[
        Example("return_value = None", "return_value = 0"), Example("x = None", "x = []"),
        Example("x = y if z else None", "x = y if z else False"),
    ],
)  # fmt: skip
def value_for_none(node: cst.Name, ctx: Context) -> Iterator[Change]:
    """None that is assigned, returned, passed or a default becomes a value of some type."""
    if node.value == "None" and isinstance(ctx.parent(node), PLACES_OF_VALUES):
        for text in ("0", "False", "''", "[]", "{}", "-1", "True", "1", "()"):
            yield ctx.replace(node, text)


@operator(
    name="empty-confused",
    odc="assignment",
    bug_type="value misuse",
    pattern="change constant type",
    inverse="empty-confused",
    examples=[
        Example("x = 0", "x = []"), Example("x = ''", "x = []"), Example("x = {}", "x = set()"),
        Example("x = y == []", "x = y == ()"),
    ],
)  # fmt: skip
def empty_confused(
    node: cst.Integer | cst.SimpleString | cst.List | cst.Tuple | cst.Dict | cst.Call, ctx: Context
) -> Iterator[Change]:
    """An empty value becomes the empty value of another type."""
    text = ctx.text(node)
    own = "()" if isinstance(node, cst.Tuple) and not node.elements else "''" if text == '""' else text
    if (
        own in _EMPTY
        and not ctx.is_target(node)
        and isinstance(ctx.parent(node), (*PLACES_OF_VALUES, cst.ComparisonTarget))
    ):
        for other in _EMPTY[own]:
            start, end = ctx.tree.outer[node]
            yield ctx.replace(node, other) if own != "()" else ctx.replace(node, other)._replace(start=start, end=end)


_EMPTY: Final = {
    "0": ("''", "[]", "()", "{}"),
    "''": ("[]", "0", "' '", "{}"),
    "[]": ("()", "{}", "''", "set()", "0"),
    "()": ("[]", "''", "{}", "set()", "0"),
    "{}": ("[]", "set()", "()", "0"),
    "set()": ("[]", "{}", "()"),
    "dict()": ("[]", "set()"),
    "list()": ("()", "{}", "set()"),
}
