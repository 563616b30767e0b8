"""Wrong texts: emptied, cut, padded, of another case, with another separator, bracket or prefix."""

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.catalogue.value import constants_around
from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change
from mendlab.mutators.registry import Example, operator

_CHARACTER: Final = re.compile(r"\\(?:N\{[^}]*\}|x..|u.{4}|U.{8}|[0-7]{1,3}|.)|.", re.DOTALL)
_EXCHANGES: Final = ("([{<", ")]}>", "<>", "()", "[]", "{}", "+-*/", "_-", " ,;\t", "./", "'\"")
_SEPARATORS: Final = ("", " ", ",", ", ", "-", "_")


def _with(node: cst.SimpleString, raw: str) -> str:
    return f"{node.prefix}{node.quote}{raw}{node.quote}"


@operator(
    name="text-emptied",
    family="value",
    term="CRP",
    odc="assignment",
    bug_type="value misuse",
    inverse="separator-changed",
    examples=[Example("x = 'ab'", "x = ''")],
)
def text_emptied(node: cst.SimpleString, ctx: Context) -> Iterator[Change]:
    """A text becomes empty."""
    if node.raw_value:
        yield ctx.replace(node, _with(node, ""))


@operator(
    name="separator-changed",
    family="value",
    odc="assignment",
    bug_type="value misuse",
    inverse="separator-changed",
    examples=[Example("x = ''.join(y)", "x = ' '.join(y)"), Example("x = y.split(',')", "x = y.split(' ')")],
)
def separator_changed(node: cst.SimpleString, ctx: Context) -> Iterator[Change]:
    """A separator, or an empty text, becomes another separator."""
    if node.raw_value in _SEPARATORS:
        for other in _SEPARATORS:
            if other != node.raw_value:
                yield ctx.replace(node, _with(node, other))


@operator(
    name="character-dropped",
    family="value",
    odc="assignment",
    bug_type="value misuse",
    inverse="character-doubled",
    examples=[Example("x = 'abc'", "x = 'bc'"), Example("x = 'abc'", "x = 'ab'"), Example("x = 'abc'", "x = 'ac'")],
)
def character_dropped(node: cst.SimpleString, ctx: Context) -> Iterator[Change]:
    """A text loses its first, middle or last character."""
    characters = _CHARACTER.findall(node.raw_value)
    if len(characters) > 1:
        for index in (0, len(characters) // 2, len(characters) - 1):
            yield ctx.replace(node, _with(node, "".join(characters[:index] + characters[index + 1 :])))


@operator(
    name="character-doubled",
    family="value",
    odc="assignment",
    bug_type="excess logic",
    inverse="character-dropped",
    examples=[Example("x = '_'", "x = '__'"), Example("x = 'ab'", "x = 'abb'"), Example("x = 'ab'", "x = 'ab '")],
)
def character_doubled(node: cst.SimpleString, ctx: Context) -> Iterator[Change]:
    """A text gets its first or last character twice, or a blank at an end."""
    characters = _CHARACTER.findall(node.raw_value)
    if characters:
        yield ctx.replace(node, _with(node, characters[0] + node.raw_value))
        yield ctx.replace(node, _with(node, node.raw_value + characters[-1]))
        yield ctx.replace(node, _with(node, " " + node.raw_value))
        yield ctx.replace(node, _with(node, node.raw_value + " "))


@operator(
    name="text-case",
    family="value",
    odc="assignment",
    bug_type="value misuse",
    inverse="text-case",
    examples=[Example("x = 'Ab'", "x = 'ab'"), Example("x = 'ab'", "x = 'Ab'"), Example("x = 'ab'", "x = 'AB'")],
)
def text_case(node: cst.SimpleString, ctx: Context) -> Iterator[Change]:
    """A text changes between lower case, upper case and a capital first letter."""
    raw = node.raw_value
    if raw and "\\" not in raw and len(raw) < 80:
        for other in (raw.lower(), raw.upper(), raw[0].upper() + raw[1:]):
            if other != raw:
                yield ctx.replace(node, _with(node, other))


@operator(
    name="character-exchanged",
    family="value",
    odc="assignment",
    bug_type="value misuse",
    inverse="character-exchanged",
    examples=[Example("x = '('", "x = '['"), Example("x = '<'", "x = '>'"), Example("x = 'a_b'", "x = 'a-b'")],
)
def character_exchanged(node: cst.SimpleString, ctx: Context) -> Iterator[Change]:
    """A bracket, sign or separator in a short text becomes a related one."""
    raw = node.raw_value
    if "\\" in raw or len(raw) > 20:
        return
    for index, character in enumerate(raw):
        others = dict.fromkeys("".join(group for group in _EXCHANGES if character in group))
        for other in others:
            if other != character and other != node.quote:
                yield ctx.replace(node, _with(node, raw[:index] + other + raw[index + 1 :]))


@operator(
    name="text-of-scope",
    family="value",
    term="SCR",
    odc="assignment",
    bug_type="value misuse",
    inverse="text-of-scope",
    examples=[Example("def f(d):\n    return d['a'] + d['b']", "def f(d):\n    return d['b'] + d['b']")],
)
def text_of_scope(node: cst.SimpleString, ctx: Context) -> Iterator[Change]:
    """A text becomes another text of the same function."""
    if len(node.raw_value) < 40 and not isinstance(ctx.parent(node), cst.ConcatenatedString):
        for other in constants_around(node, ctx, cst.SimpleString):
            if len(other) < 40:
                yield ctx.replace(node, other)


@operator(
    name="name-quoted",
    family="value",
    odc="assignment",
    bug_type="value misuse",
    pattern="change constant type",
    examples=[Example("def f(text):\n    return g(text)", "def f(text):\n    return g('text')")],
)
def name_quoted(node: cst.Name, ctx: Context) -> Iterator[Change]:
    """A variable in an argument becomes the text of its name."""
    if isinstance(ctx.parent(node), cst.Arg) and ctx.is_load(node) and node.value not in ("self", "cls"):
        yield ctx.replace(node, f"'{node.value}'")
