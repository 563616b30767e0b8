"""Wrong texts: emptied, cut, padded, mistyped, of another case, with another separator, bracket or sign."""

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.catalogue.value.constants import constants_around
from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change
from mendlab.mutators.registry import Example, operator

_CHARACTER: Final = re.compile(r"\\(?:N\{[^}]*\}|x..|u.{4}|U.{8}|[0-7]{1,3}|.)|.", re.DOTALL)
_EXCHANGES: Final = (
    "([{<", ")]}>", "<>", "()", "[]", "{}", "+-*/%", "_-", " ,;\t", "./", ":;", "'\"", "!?.", "&|", "=-", "/|", "@#$",
)  # fmt: skip
_SEPARATORS: Final = ("", " ", ",", ", ", "-", "_", "\\n", ":", ".", "/", ";", "\\t", "|")
_LOOKALIKES: Final = (
    "aeiou", "iy", "eé", "ck", "cs", "sz", "mn", "bd", "bp", "dt", "pq", "vw", "uv", "fv", "gj", "gq", "il", "rt", "hn",
    "xz", "ks", "O0", "o0", "l1", "I1", "S5", "Z2", "B8", "AEIOU", "IY", "CK", "MN", "BD", "BP", "VW", "UV", "XY", "xy",
)  # fmt: skip
"""Letters that are taken for each other: alike in sound or shape."""
_LONGEST: Final = 32
"""In a longer text letters are not changed one by one: it is prose, and its words matter."""


def letters(raw: str) -> list[str]:
    """The characters of a literal's inside; an escape is one."""
    return _CHARACTER.findall(raw)


def _exchanged(characters: list[str], index: int, other: str) -> str:
    return "".join([*characters[:index], other, *characters[index + 1 :]])


def _with(node: cst.SimpleString, raw: str) -> str:
    return f"{node.prefix}{node.quote}{raw}{node.quote}"


@operator(
    name="text-emptied",
    term="CRP",
    odc="assignment",
    bug_type="value misuse",
    inverse="separator-changed",
    examples=[Example("x = 'ab'", "x = ''"), Example("x = 'ab'", "x = ' '")],
)
def text_emptied(node: cst.SimpleString, ctx: Context) -> Iterator[Change]:
    """A text becomes empty or blank."""
    if node.raw_value:
        yield ctx.replace(node, _with(node, ""))
        yield ctx.replace(node, _with(node, " "))


@operator(
    name="separator-changed",
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
    odc="assignment",
    bug_type="value misuse",
    inverse="character-doubled",
    examples=[Example("x = 'abc'", "x = 'bc'"), Example("x = 'abc'", "x = 'ab'"), Example("x = 'abc'", "x = 'ac'")],
)
def character_dropped(node: cst.SimpleString, ctx: Context) -> Iterator[Change]:
    """A text loses a character: its last, its first, or one between."""
    characters = letters(node.raw_value)
    count = len(characters)
    if count > 1:
        between = range(1, count - 1) if count <= 2 * _LONGEST else (count // 2,)
        for index in (count - 1, 0, *between):
            yield ctx.replace(node, _with(node, "".join(characters[:index] + characters[index + 1 :])))


@operator(
    name="character-doubled",
    odc="assignment",
    bug_type="excess logic",
    inverse="character-dropped",
    examples=[Example("x = '_'", "x = '__'"), Example("x = 'ab'", "x = 'abb'"), Example("x = 'ab'", "x = 'ab '")],
)
def character_doubled(node: cst.SimpleString, ctx: Context) -> Iterator[Change]:
    """A text gets a character twice, its last, its first or one between, or a blank at an end."""
    characters = letters(node.raw_value)
    if characters:
        raw, count = node.raw_value, len(characters)
        yield ctx.replace(node, _with(node, raw + characters[-1]))
        yield ctx.replace(node, _with(node, characters[0] + raw))
        yield ctx.replace(node, _with(node, raw + " "))
        yield ctx.replace(node, _with(node, " " + raw))
        for index in range(1, count - 1) if count <= _LONGEST else ():
            yield ctx.replace(node, _with(node, "".join(characters[: index + 1] + characters[index:])))


@operator(
    name="characters-swapped",
    odc="assignment",
    bug_type="value misuse",
    inverse="characters-swapped",
    examples=[Example("x = 'form'", "x = 'from'"), Example("x = '<='", "x = '=<'")],
)
def characters_swapped(node: cst.SimpleString, ctx: Context) -> Iterator[Change]:
    """Two neighbouring characters of a text change places."""
    characters = letters(node.raw_value)
    for index in range(len(characters) - 1) if len(characters) <= _LONGEST else ():
        pair = characters[index : index + 2][::-1]
        if pair[0] != pair[1]:
            yield ctx.replace(node, _with(node, "".join(characters[:index] + pair + characters[index + 2 :])))


@operator(
    name="character-mistaken",
    odc="assignment",
    bug_type="value misuse",
    inverse="character-mistaken",
    examples=[
        Example("x = 'seperate'", "x = 'separate'"), Example("x = 'a'", "x = 'b'"), Example("x = '0'", "x = '1'"),
        Example("x = 'utf8'", "x = 'utf9'"),
    ],
)  # fmt: skip
def character_mistaken(node: cst.SimpleString, ctx: Context) -> Iterator[Change]:
    """A letter becomes one that looks or sounds like it; a digit, or a lone letter, one that is next to it."""
    characters = letters(node.raw_value)
    if len(characters) > _LONGEST:
        return
    for index, character in enumerate(characters):
        others = dict.fromkeys("".join(group for group in _LOOKALIKES if character in group))
        if character.isascii() and (character.isdigit() or (character.isalpha() and len(characters) < 3)):
            near = [chr(ord(character) + 1), chr(ord(character) - 1)]
            others = dict.fromkeys([*(n for n in near if n.isalnum()), *others])
        if character == "0":
            others.pop("o", None)
        for other in others:
            if other != character and (other.isascii() or "b" not in node.prefix):
                yield ctx.replace(node, _with(node, _exchanged(characters, index, other)))


@operator(
    name="text-case",
    odc="assignment",
    bug_type="value misuse",
    inverse="text-case",
    examples=[
        Example("x = 'Ab'", "x = 'ab'"), Example("x = 'ab'", "x = 'Ab'"), Example("x = 'ab'", "x = 'AB'"),
        Example("x = 'ab cd'", "x = 'Ab Cd'"),
    ],
)  # fmt: skip
def text_case(node: cst.SimpleString, ctx: Context) -> Iterator[Change]:
    """A text changes between lower case, upper case and capital first letters."""
    raw = node.raw_value
    if raw and "\\" not in raw and len(raw) < 80:
        firsts = (raw[0].upper() + raw[1:], raw[0].lower() + raw[1:])
        for other in dict.fromkeys((raw.lower(), raw.upper(), *firsts, raw.capitalize(), raw.title())):
            if other != raw:
                yield ctx.replace(node, _with(node, other))


@operator(
    name="character-exchanged",
    odc="assignment",
    bug_type="value misuse",
    inverse="character-exchanged",
    examples=[Example("x = '('", "x = '['"), Example("x = '<'", "x = '>'"), Example("x = 'a_b'", "x = 'a-b'")],
)
def character_exchanged(node: cst.SimpleString, ctx: Context) -> Iterator[Change]:
    """A bracket, sign or separator in a text becomes a related one."""
    raw = node.raw_value
    if "\\" in raw or len(raw) > _LONGEST:
        return
    for index, character in enumerate(raw):
        others = dict.fromkeys("".join(group for group in _EXCHANGES if character in group))
        for other in others:
            if other not in (character, node.quote):
                yield ctx.replace(node, _with(node, raw[:index] + other + raw[index + 1 :]))


@operator(
    name="escape-mistaken",
    odc="assignment",
    bug_type="value misuse",
    inverse="escape-mistaken",
    examples=[
        Example(r"x = 'a\n'", r"x = 'a\\n'"), Example(r"x = 'a\n'", "x = 'an'"), Example(r"x = 'a\n'", r"x = 'a\t'"),
        Example(r"x = '\r\n'", r"x = '\n'"),
    ],
)  # fmt: skip
def escape_mistaken(node: cst.SimpleString, ctx: Context) -> Iterator[Change]:
    """An escape loses its backslash, has it twice, or becomes another."""
    characters = letters(node.raw_value)
    if "r" in node.prefix.lower() or len(characters) > 2 * _LONGEST:
        return
    for index, character in enumerate(characters):
        if len(character) == 2 and character[1] in "nrtbf":
            spaces = {"n": ("\\t", "\\r\\n", "\\r"), "t": ("\\n", " "), "r": ("\\n", "")}.get(character[1], ())
            for other in (*spaces, f"\\{character}", character[1], f"/{character[1]}"):
                yield ctx.replace(node, _with(node, _exchanged(characters, index, other)))


@operator(
    name="text-of-scope",
    term="SCR",
    odc="assignment",
    bug_type="value misuse",
    examples=[Example("def f(d):\n    return d['a'] + d['b']", "def f(d):\n    return d['b'] + d['b']")],
)
def text_of_scope(node: cst.SimpleString, ctx: Context) -> Iterator[Change]:
    """A text becomes another text of the same function."""
    if len(node.raw_value) < 40 and not isinstance(ctx.parent(node), cst.ConcatenatedString):
        for other in constants_around(node, ctx, cst.SimpleString):
            if len(other) < 40:
                yield ctx.replace(node, other)
