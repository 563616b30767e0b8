"""Excess logic in lists of things: an element, a member or an argument too many."""

from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.context.plausible import names_of, variables
from mendlab.mutators.context.scopes import CALLABLE, NUMBER
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

_LONGEST: Final = 24
_OPTIONS: Final = {
    "sorted": ("reverse=True", "key=len", "key=str"),
    "sort": ("reverse=True", "key=len", "key=str"),
    "max": ("key=len", "default=0"),
    "min": ("key=len", "default=0"),
    "split": ("' '", "','"),
    "strip": ("' '",),
    "round": ("2", "1"),
    "enumerate": ("1", "start=1"),
    "sum": ("1",),
    "int": ("2",),
    "pop": ("0", "-1"),
    "print": ("end=''",),
    "open": ("'w'",),
    "zip": ("strict=True",),
    "dumps": ("indent=2",),
}
"""Arguments that people give to well-known functions and methods, which change what these do."""


@operator(
    name="element-added",
    odc="assignment",
    bug_type="excess logic",
    inverse="element-dropped",
    examples=[
        Example("x = (1, 3)", "x = (1, 2, 3)"),
        Example("x = [a, b]", "x = [a, b, b]"),
        Example("x = [a, b]", "x = [a, a, b]"),
        Example("x = {'a', 'c'}", "x = {'a', 'b', 'c'}"),
        Example("def f(a, b):\n    return [a]", "def f(a, b):\n    return [a, b]"),
        Example("x = [1]", "x = [0, 1]"),
    ],
)
def element_added(node: cst.List | cst.Tuple | cst.Set, ctx: Context) -> Iterator[Change]:
    """A literal has an element too many: one that lies between two or beside them, a variable, or one of them again."""
    elements = node.elements
    if not elements or len(elements) > _LONGEST or ctx.is_target(node):
        return
    values = [_rank(e.value) for e in elements]
    known = [value for value in values if value is not None]
    if len(known) == len(values):
        for left, right in zip(known, elements[1:], strict=False):
            if left + 1 not in known:
                yield Edit(ctx.start(right), ctx.start(right), f"{_like(elements[0].value, left + 1)}, ")
        yield _after(elements[-1], _like(elements[0].value, known[-1] + 1), ctx)
        yield _before(elements[0], _like(elements[0].value, known[0] - 1), ctx)
    for element in elements if len(elements) <= 4 else (elements[0], elements[-1]):
        yield _after(element, ctx.item_text(element), ctx)
    there = {ctx.item_text(e) for e in elements}
    if known and len(elements) <= 4:
        for text in ("0", "1"):
            if text not in there and isinstance(elements[0].value, cst.Integer):
                yield _after(elements[-1], text, ctx)
                yield _before(elements[0], text, ctx)
    for binding in [b for b in variables(node, ctx) if b.name not in there and CALLABLE not in b.kinds][:3]:
        yield _after(elements[-1], binding.name, ctx)
        yield _before(elements[0], binding.name, ctx)


def _rank(value: cst.BaseExpression) -> int | None:
    """A whole number, or the code of a single letter or digit."""
    match value:
        case cst.Integer(value=text):
            return int(text.replace("_", ""), 0)
        case cst.SimpleString(raw_value=raw) if len(raw) == 1 and raw.isalnum() and raw.isascii():
            return ord(raw)
    return None


def _like(value: cst.BaseExpression, rank: int) -> str:
    if isinstance(value, cst.SimpleString):
        character = chr(max(rank, 32))
        return f"{value.quote}{character if character.isalnum() else 'a'}{value.quote}"
    return str(rank)


def _after(element: cst.BaseElement, text: str, ctx: Context) -> Edit:
    end = ctx.end_of_item(element)
    return Edit(end, end, f", {text}")


def _before(element: cst.BaseElement, text: str, ctx: Context) -> Edit:
    start = ctx.tree.outer[element][0]
    return Edit(start, start, f"{text}, ")


@operator(
    name="members-added",
    odc="assignment",
    bug_type="excess logic",
    inverse="character-dropped",
    examples=[Example("x = y in 'ace'", "x = y in 'abce'"), Example("x = y in '24'", "x = y in '245'")],
)
def members_added(node: cst.SimpleString, ctx: Context) -> Iterator[Change]:
    """A text that lists characters has one too many: the one that would come next after one of them."""
    raw = node.raw_value
    parent = ctx.parent(node)
    in_use = isinstance(parent, cst.ComparisonTarget | cst.Assign | cst.Arg | cst.For | cst.CompFor | cst.Attribute)
    if not (2 <= len(raw) <= _LONGEST and raw.isalnum() and raw.isascii() and len(set(raw)) == len(raw) and in_use):
        return
    start = ctx.start(node) + len(node.prefix) + len(node.quote)
    for index, character in enumerate(raw):
        following = chr(ord(character) + 1)
        if following not in raw and following.isalnum():
            yield Edit(start + index + 1, start + index + 1, following)
    before = chr(ord(raw[0]) - 1)
    if before not in raw and before.isalnum():
        yield Edit(start, start, before)


@operator(
    name="entry-added",
    odc="assignment",
    bug_type="excess logic",
    inverse="element-dropped",
    examples=[Example("x = {1: 'a', 3: 'b'}", "x = {1: 'a', 2: 'a', 3: 'b'}")],
)
def entry_added(node: cst.Dict, ctx: Context) -> Iterator[Change]:
    """A dictionary literal has an entry too many: a key that lies between, with the value of the key before it."""
    entries = [e for e in node.elements if isinstance(e, cst.DictElement)]
    known = [_rank(e.key) for e in entries]
    if len(entries) != len(node.elements) or None in known or len(entries) > _LONGEST:
        return
    for entry, rank in zip(entries, known, strict=True):
        assert rank is not None
        if rank + 1 not in known:
            yield _after_entry(entry, f"{_like(entry.key, rank + 1)}: {ctx.whole(entry.value)}", ctx)


def _after_entry(entry: cst.DictElement, text: str, ctx: Context) -> Edit:
    end = ctx.tree.outer[entry.value][1]
    return Edit(end, end, f", {text}")


@operator(
    name="argument-added",
    odc="interface",
    bug_type="excess logic",
    pattern="same function less args",
    inverse="argument-dropped",
    examples=[
        Example("def f(a, b):\n    return g(a, 1) + b", "def f(a, b):\n    return g(a, 1, b) + b"),
        Example("def f(a, b):\n    return g(a) + b", "def f(a, b):\n    return g(b, a) + b"),
        Example("def f(a):\n    return range(len(a))", "def f(a):\n    return range(1, len(a))"),
    ],
)
def argument_added(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A call passes something more: a variable of the scope, or a number to a range."""
    plain = [a for a in node.args if a.keyword is None and not a.star]
    if not plain or len(plain) != len(node.args):
        return
    passed = {ctx.text(a.value) for a in node.args}
    found = [b for b in variables(node, ctx) if b.name not in passed and b.name != ctx.text(node.func)]
    name = ctx.text(node.func)
    if name == "range":
        if len(plain) == 1:
            yield _before_argument(plain[0], "1", ctx)
            yield _before_argument(plain[0], "0", ctx)
        if len(plain) == 2:
            yield _after_argument(plain[-1], "2", ctx)
            yield _after_argument(plain[-1], "-1", ctx)
        numbers = names_of(found, NUMBER)[:1]
        yield from (_before_argument(plain[0], number, ctx) for number in numbers if len(plain) == 1)
        return
    if isinstance(node.func, cst.Attribute) and node.func.attr.value in ("append", "add", "remove"):
        return
    for binding in found[:2]:
        yield _after_argument(plain[-1], binding.name, ctx)
        if len(plain) <= 2 and name not in ("len", "str", "int", "float", "list", "set", "sorted"):
            yield _before_argument(plain[0], binding.name, ctx)


def _after_argument(argument: cst.Arg, text: str, ctx: Context) -> Edit:
    end = ctx.end_of_item(argument)
    return Edit(end, end, f", {text}")


def _before_argument(argument: cst.Arg, text: str, ctx: Context) -> Edit:
    start = ctx.tree.outer[argument][0]
    return Edit(start, start, f"{text}, ")


@operator(
    name="option-added",
    odc="interface",
    bug_type="excess logic",
    pattern="same function less args",
    inverse="keyword-dropped",
    examples=[
        Example("x = sorted(a)", "x = sorted(a, reverse=True)"),
        Example("x = a.split()", "x = a.split(' ')"),
        Example("x = round(a)", "x = round(a, 2)"),
    ],
)
def option_added(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A well-known function is given an option that it should not have."""
    name = node.func.attr.value if isinstance(node.func, cst.Attribute) else ctx.text(node.func)
    given = {a.keyword.value for a in node.args if a.keyword is not None}
    for option in _OPTIONS.get(name, ()):
        word = option.partition("=")[0]
        method = isinstance(node.func, cst.Attribute)
        if "=" in option and word in given:
            continue
        if "=" not in option and (len(node.args) != (0 if method else 1) or given):
            continue
        if node.args:
            yield _after_argument(node.args[-1], option, ctx)
        else:
            yield Edit(ctx.end(node) - 1, ctx.end(node) - 1, option)


@operator(
    name="elements-joined",
    odc="assignment",
    bug_type="excess logic",
    inverse="operand-dropped",
    examples=[Example("x = [a]\ny = [b]", "x = [a] + [a]\ny = [b]"), Example("x = [a] * n", "x = [a] + [a] * n")],
)
def elements_joined(node: cst.List, ctx: Context) -> Iterator[Change]:
    """A list literal is joined with itself."""
    if node.elements and not ctx.is_target(node) and not isinstance(ctx.parent(node), cst.For | cst.CompFor):
        yield ctx.wrap(node, f"{ctx.whole(node)} + ", "")
