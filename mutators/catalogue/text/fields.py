"""Wrong f-strings: fields dropped, exchanged or formatted otherwise, and the text between them."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import libcst as cst

from mendlab.mutators.catalogue.value.texts import letters
from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

_SPEC: Final = re.compile(r"(.?[<>^=])?([-+ ]?)(#?)(0?)(\d*)(,?)(\.\d+)?([bcdeEfFgGnosxX%]?)")
_BETWEEN: Final = ("", " ", ", ", ",", ": ", "-", "_", "/", "\\n")


def _fields(node: cst.FormattedString) -> list[cst.FormattedStringExpression]:
    return [part for part in node.parts if isinstance(part, cst.FormattedStringExpression)]


@operator(
    name="field-dropped",
    odc="assignment",
    bug_type="missing logic",
    examples=[
        Example("x = f'{a}-{b}'", "x = f'{a}-'"), Example("x = f'{a}-{b}'", "x = f'{a}'"),
        Example("x = f'a {b}'", "x = f'a b'"),
    ],
)  # fmt: skip
def field_dropped(node: cst.FormattedString, ctx: Context) -> Iterator[Change]:
    """An f-string loses a field, with or without the text before it, or the braces around it."""
    before: cst.BaseFormattedStringContent | None = None
    for part in node.parts:
        if isinstance(part, cst.FormattedStringExpression):
            yield ctx.replace(part, ctx.text(part.expression))
            yield ctx.replace(part, "")
            if isinstance(before, cst.FormattedStringText):
                yield Edit(ctx.start(before), ctx.end(part), "")
        before = part


@operator(
    name="field-misuse",
    odc="assignment",
    bug_type="variable misuse",
    inverse="field-misuse",
    examples=[
        Example("x = f'{a}-{b}'", "x = f'{b}-{a}'"), Example("x = f'{a}-{b}'", "x = f'{a}-{a}'"),
        Example("x = f'{a.b}-{c}'", "x = f'{c}-{a.b}'"),
    ],
)  # fmt: skip
def field_misuse(node: cst.FormattedString, ctx: Context) -> Iterator[Change]:
    """Two fields of an f-string change places, or one stands in the place of the other."""
    values = [field.expression for field in _fields(node)]
    for index, left in enumerate(values[:5]):
        for right in values[index + 1 : 5]:
            one, other = ctx.whole(left), ctx.whole(right)
            if one != other:
                first, second = Edit(*ctx.tree.outer[left], other), Edit(*ctx.tree.outer[right], one)
                yield first, second
                yield first
                yield second


@operator(
    name="field-format",
    odc="assignment",
    bug_type="value misuse",
    inverse="field-format",
    examples=[
        Example("x = f'{a:.2f}'", "x = f'{a}'"), Example("x = f'{a:.2f}'", "x = f'{a:.1f}'"),
        Example("x = f'{a!r}'", "x = f'{a}'"), Example("x = f'{a}'", "x = f'{a!r}'"),
        Example("x = f'{a:>10}'", "x = f'{a:<10}'"), Example("x = f'{a:02d}'", "x = f'{a:2d}'"),
    ],
)  # fmt: skip
def field_format(node: cst.FormattedStringExpression, ctx: Context) -> Iterator[Change]:
    """A field of an f-string is converted or formatted otherwise."""
    end = ctx.tree.outer[node.expression][1] if node.equal is None else None
    stop = ctx.end(node) - 1
    if end is None:
        return
    match node.format_spec:
        case None | []:
            conversion = "" if node.conversion else "!r"
            yield Edit(end, stop, conversion)
            if not node.conversion:
                yield Edit(end, stop, ":.2f")
                yield Edit(end, stop, "=")
        case [cst.FormattedStringText(value=spec) as text]:
            for other in other_specs(spec):
                yield ctx.replace(text, other) if other else Edit(ctx.start(text) - 1, ctx.end(text), "")


def other_specs(spec: str) -> Iterator[str]:
    """Format specifications that a person may write for this one, without its colon."""
    yield ""
    match = _SPEC.fullmatch(spec)
    if match is None:
        return
    align, sign, alternate, zero, width, comma, precision, kind = (part or "" for part in match.groups())

    def joined(
        align: str = align, zero: str = zero, width: str = width, precision: str = precision, kind: str = kind
    ) -> str:
        return f"{align}{sign}{alternate}{zero}{width}{comma}{precision}{kind}"

    if precision:
        digits = int(precision[1:])
        yield from (joined(precision=f".{other}") for other in (digits + 1, digits - 1) if other >= 0)
        yield joined(precision="")
    if align:
        yield from (joined(align=align[:-1] + other) for other in "<>^" if other != align[-1])
    if width:
        yield from (joined(width=str(int(width) + step)) for step in (1, -1) if int(width) + step > 0)
        yield joined(zero="" if zero else "0")
    for other in {"f": "gde", "d": "f", "x": "Xdo", "X": "x", "b": "xd", "o": "x", "%": "f", "e": "f", "g": "f"}.get(
        kind, ""
    ):
        yield joined(kind=other)
    if kind and len(spec) > 1:
        yield joined(kind="")


@operator(
    name="template-text",
    odc="assignment",
    bug_type="value misuse",
    inverse="template-text",
    examples=[
        Example("x = f'{a}, {b}'", "x = f'{a},{b}'"), Example("x = f'{a} b.'", "x = f'{a} b'"),
        Example("x = f'{a}{b}'", "x = f'{a} {b}'"), Example("x = f'my name {a}'", "x = f'name {a}'"),
        Example("x = f'{a}.txt'", "x = f'/{a}.txt'"),
    ],
)  # fmt: skip
def template_text(node: cst.FormattedString, ctx: Context) -> Iterator[Change]:
    """The text between the fields of an f-string is another."""
    for part in node.parts:
        if isinstance(part, cst.FormattedStringText):
            yield from (ctx.replace(part, other) for other in _other_texts(part.value))
    if node.parts and isinstance(node.parts[0], cst.FormattedStringExpression):
        at = ctx.start(node.parts[0])
        yield from (Edit(at, at, text) for text in ("/", " ", ".", "-"))
    if node.parts and isinstance(node.parts[-1], cst.FormattedStringExpression):
        at = ctx.end(node.parts[-1])
        yield from (Edit(at, at, text) for text in ("/", " ", ".", "-", "\\n"))
    for left, right in pairwise(node.parts):
        if isinstance(left, cst.FormattedStringExpression) and isinstance(right, cst.FormattedStringExpression):
            at = ctx.end(left)
            yield from (Edit(at, at, text) for text in _BETWEEN if text)


def _other_texts(raw: str) -> Iterator[str]:
    characters = letters(raw)
    yield ""
    if raw in _BETWEEN:
        yield from (other for other in _BETWEEN if other != raw)
    yield from (raw.strip(), raw.lstrip(), raw.rstrip(), f"{raw} ", f" {raw}", raw.lower(), raw.upper())
    if len(characters) <= 24:
        yield from ("".join(characters[:index] + characters[index + 1 :]) for index in reversed(range(len(characters))))
    words = raw.split(" ")
    if 1 < len(words) <= 12:
        yield from (" ".join(words[:index] + words[index + 1 :]) for index in range(len(words)))
