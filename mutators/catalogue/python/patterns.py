"""Python's own mistakes in texts that mean something: regular expressions, formats, encodings, bytes."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

_USERS: Final = frozenset(
    ("compile", "match", "search", "fullmatch", "findall", "finditer", "sub", "subn", "split", "template")
)
_ELEMENTS: Final = re.compile(r"\\.|[*+?]\??|\{\d*,?\d*\}\??|\[\^?|[\^$.|()]|\]")
_QUANTIFIERS: Final = {
    "*": ("+", "*?", "?"), "+": ("*", "+?", ""), "?": ("*", ""), "*?": ("*", "+?"), "+?": ("+", "*?"),
}  # fmt: skip
_CLASSES: Final = {
    "\\d": ("\\w", "\\D"), "\\w": ("\\d", "\\W", "\\S"), "\\s": ("\\S", " "), "\\b": ("", "\\B"), "\\S": ("\\s", "\\w"),
    "\\D": ("\\d",), "\\W": ("\\w",), "\\.": (".",), ".": ("\\.",), "^": ("",), "$": ("", "\\Z"), "[^": ("[",),
    "[": ("[^",), "\\A": ("^", ""), "\\Z": ("$", ""),
}  # fmt: skip
_ENCODINGS: Final = {"utf-8": "ascii", "utf8": "ascii", "ascii": "utf-8", "latin-1": "utf-8", "latin1": "utf-8"}
_ERRORS: Final = {"ignore": "strict", "strict": "ignore", "replace": "strict", "surrogateescape": "strict"}


def _is_pattern(node: cst.SimpleString, ctx: Context) -> bool:
    """Whether a text is the first argument of a function of ``re``, or raw."""
    parent = ctx.parent(node)
    call = ctx.parent(parent) if isinstance(parent, cst.Arg) else None
    if isinstance(call, cst.Call) and call.args and call.args[0] is parent:
        func = call.func
        return isinstance(func, cst.Attribute) and ctx.text(func.value) in ("re", "regex") and func.attr.value in _USERS
    return "r" in node.prefix.lower()


@operator(
    name="pattern-changed",
    term="MRE",
    odc="checking",
    bug_type="value misuse",
    inverse="pattern-changed",
    examples=[
        Example("x = re.match(r'a+$', y)", "x = re.match(r'a*$', y)"),
        Example("x = re.match(r'a+$', y)", "x = re.match(r'a+', y)"),
        Example("x = re.sub(r'\\d', '', y)", "x = re.sub(r'\\w', '', y)"),
        Example("x = re.sub(r'[^a]', '', y)", "x = re.sub(r'[a]', '', y)"),
    ],
)
def pattern_changed(node: cst.SimpleString, ctx: Context) -> Iterator[Change]:
    """A regular expression repeats, anchors, classifies or escapes otherwise."""
    if not _is_pattern(node, ctx) or not ("r" in node.prefix.lower() or "\\" not in node.raw_value):
        return
    start = ctx.start(node) + len(node.prefix) + len(node.quote)
    for found in _ELEMENTS.finditer(node.raw_value):
        for other in (*_QUANTIFIERS.get(found[0], ()), *_CLASSES.get(found[0], ())):
            yield Edit(start + found.start(), start + found.end(), other)


@operator(
    name="pattern-group",
    odc="checking",
    bug_type="value misuse",
    inverse="pattern-group",
    examples=[
        Example("x = re.findall(r'(a|b)c', y)", "x = re.findall(r'(?:a|b)c', y)"),
        Example("x = re.findall(r'(?:a|b)c', y)", "x = re.findall(r'(a|b)c', y)"),
        Example("x = re.match(r'(a)(b)', y)", "x = re.match(r'a(b)', y)"),
    ],
)
def pattern_group(node: cst.SimpleString, ctx: Context) -> Iterator[Change]:
    """A group of a regular expression captures or does not, or is lost."""
    if not _is_pattern(node, ctx):
        return
    start, raw = ctx.start(node) + len(node.prefix) + len(node.quote), node.raw_value
    for found in re.finditer(r"(?<!\\)\(\?:", raw):
        yield Edit(start + found.start(), start + found.end(), "(")
    for found in re.finditer(r"(?<!\\)\((?!\?)([^()]*)\)", raw):
        yield Edit(start + found.start(), start + found.start() + 1, "(?:")
        yield Edit(start + found.start(), start + found.end(), found[1])


@operator(
    name="flag-dropped",
    odc="checking",
    bug_type="missing logic",
    pattern="same function more args",
    examples=[
        Example("x = re.match(a, b, re.I)", "x = re.match(a, b)"),
        Example("x = re.match(a, b, re.I)", "x = re.match(a, b, re.M)"),
        Example("x = re.compile(a, re.I | re.M)", "x = re.compile(a, re.M)"),
    ],
)
def flag_dropped(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A flag of a regular expression is lost, or another is given."""
    if not ctx.text(node.func).startswith(("re.", "regex.")):
        return
    for index, argument in enumerate(node.args):
        value = argument.value
        if isinstance(value, cst.BinaryOperation) and isinstance(value.operator, cst.BitOr):
            yield ctx.fit(value, value.right)
            yield ctx.fit(value, value.left)
        elif isinstance(value, cst.Attribute) and ctx.text(value).startswith("re.") and value.attr.value.isupper():
            yield ctx.drop_item(node.args, index)
            for other in ("I", "M", "S", "X"):
                if not value.attr.value.startswith(other):
                    yield ctx.replace(value.attr, other)


@operator(
    name="group-number",
    odc="assignment",
    bug_type="value misuse",
    examples=[Example("x = m.group(1)", "x = m.group(0)"), Example("x = m.group()", "x = m.groups()")],
)
def group_number(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """Another group of a match is taken, or all of them."""
    match node:
        case cst.Call(func=cst.Attribute(attr=cst.Name(value="group") as name), args=args):
            yield ctx.replace(name, "groups")
            if len(args) == 1 and isinstance(args[0].value, cst.Integer):
                number = int(args[0].value.value, 0)
                for other in {max(number - 1, 0), number + 1} - {number}:
                    yield ctx.replace(args[0].value, str(other))


@operator(
    name="raw-prefix",
    odc="assignment",
    bug_type="value misuse",
    inverse="raw-prefix",
    examples=[Example("x = r'\\n'", "x = '\\n'"), Example("x = '\\n'", "x = r'\\n'"), Example("x = b'a'", "x = 'a'")],
)
def raw_prefix(node: cst.SimpleString, ctx: Context) -> Iterator[Change]:
    """A text loses or gets the prefix that makes it raw or bytes."""
    prefix, rest = node.prefix, ctx.text(node)[len(node.prefix) :]
    if "\\" in node.raw_value:
        yield ctx.replace(
            node, (prefix.replace("r", "").replace("R", "") if "r" in prefix.lower() else f"r{prefix}") + rest
        )
    if "b" in prefix.lower():
        yield ctx.replace(node, prefix.replace("b", "").replace("B", "") + rest)
    elif isinstance(ctx.parent(node), cst.Arg | cst.ComparisonTarget) and node.raw_value.isascii() and not prefix:
        yield from (ctx.replace(node, f"b{rest}") for _ in range(_is_bytes_near(node, ctx)))


def _is_bytes_near(node: cst.SimpleString, ctx: Context) -> bool:
    """Whether the file has texts of bytes, so that one could be taken for the other."""
    return any("b" in other.prefix.lower() for other in ctx.of_type(cst.SimpleString) if other is not node)


@operator(
    name="encoding-misuse",
    odc="interface",
    bug_type="value misuse",
    inverse="encoding-misuse",
    examples=[
        Example("x = y.encode('utf-8')", "x = y.encode('ascii')"),
        Example("x = y.decode('utf-8', 'ignore')", "x = y.decode('utf-8', 'strict')"),
        Example("x = open(y, encoding='utf-8')", "x = open(y, encoding='ascii')"),
        Example("x = open(y, 'rb')", "x = open(y, 'r')"),
    ],
)
def encoding_misuse(node: cst.Arg, ctx: Context) -> Iterator[Change]:
    """A text is read or written in another encoding, with another way of treating errors, or as bytes."""
    value, call = node.value, ctx.parent(node)
    if not isinstance(value, cst.SimpleString) or not isinstance(call, cst.Call):
        return
    raw, quote = value.raw_value, value.quote
    other = _ENCODINGS.get(raw.lower()) or _ERRORS.get(raw)
    if other is not None:
        yield ctx.replace(value, f"{quote}{other}{quote}")
    if ctx.text(call.func).rpartition(".")[2] == "open" and set(raw) <= set("rwabxt+") and raw:
        for mode in _modes(raw):
            yield ctx.replace(value, f"{quote}{mode}{quote}")


def _modes(mode: str) -> list[str]:
    """Other ways to open a file."""
    binary = mode.replace("b", "") if "b" in mode else mode + "b"
    others = {"r": ("w",), "w": ("a", "r"), "a": ("w",), "x": ("w",)}
    return [binary, *(mode.replace(mode[0], other) for other in others.get(mode[0], ()))]


@operator(
    name="field-changed",
    odc="assignment",
    bug_type="value misuse",
    examples=[
        Example("x = f'{a!r}'", "x = f'{a}'"),
        Example("x = f'{a:.2f}'", "x = f'{a}'"),
        Example("x = f'{a:.2f}'", "x = f'{a:.1f}'"),
        Example("x = f'{a} {b}'", "x = f'{b} {a}'"),
    ],
)
def field_changed(node: cst.FormattedString, ctx: Context) -> Iterator[Change]:
    """A field of an f-string loses its format or conversion, has other digits, or changes places with another."""
    fields = [part for part in node.parts if isinstance(part, cst.FormattedStringExpression)]
    for field in fields:
        end = ctx.tree.outer[field.expression][1]
        close = ctx.end(field) - 1
        if field.conversion or field.format_spec:
            yield Edit(end, close, "")
        if field.format_spec:
            for digit in re.finditer(r"\d+", ctx.source[end:close]):
                for step in (1, -1):
                    if int(digit[0]) + step >= 0:
                        yield Edit(end + digit.start(), end + digit.end(), str(int(digit[0]) + step))
    for left, right in pairwise(fields):
        yield (
            ctx.replace(left.expression, ctx.text(right.expression)),
            ctx.replace(right.expression, ctx.text(left.expression)),
        )
