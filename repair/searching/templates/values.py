"""Constants: numbers by one, texts that stand elsewhere, the value that a variable begins with, flags."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

from mendlab.mutators.edits import Edit
from mendlab.repair.searching.source import Source
from mendlab.repair.searching.template import template

Found = Iterator[tuple[ast.AST, Edit | tuple[Edit, ...], float]]
_USUAL: Final = (0, 1, -1, 2, 10)
_TEXTS: Final = ("", " ", ",", "\n")
_SIMILAR: Final = 0.7


def constants(source: Source) -> list[ast.Constant]:
    """Return the constants that are read, in order."""
    return [node for node in source.expressions if isinstance(node, ast.Constant)]


def numbers(source: Source) -> list[int]:
    """Return the whole numbers of a file and of the statement, each once, small ones first."""
    own = [node.value for node in constants(source) if type(node.value) is int]
    told = [int(text) for text in re.findall(r"(?<![\w.])-?\d{1,4}(?![\w.])", source.words)]
    return sorted(dict.fromkeys([*own, *told]), key=abs)


@template("number", 0.09)
def change_number(source: Source) -> Found:
    """One more, one less, the other sign, a usual number, one of those that are mentioned."""
    mentioned = numbers(source)
    for node in constants(source):
        if type(node.value) not in (int, float):
            continue
        value: Any = node.value
        options = {value + 1: 1.0, value - 1: 1.0, -value: 0.3, value * 2: 0.1, value // 2: 0.1}
        for each in _USUAL:
            options.setdefault(each, 0.3)
        for each in mentioned:
            options.setdefault(each, 0.1)
        options.pop(value, None)
        for other, weight in options.items():
            yield node, Edit(*source.span(node), _number(source, node, other)), weight


def _number(source: Source, node: ast.AST, value: object) -> str:
    text = repr(value)
    return f"({text})" if text.startswith("-") and isinstance(source.parents[node], ast.BinOp) else text


@template("flag", 0.04)
def turn_flag(source: Source) -> Found:
    """``True`` for ``False``, one or all of a function; other constants for ``None``."""
    by_function: dict[ast.AST | None, list[ast.Constant]] = {}
    for node in constants(source):
        if isinstance(node.value, bool):
            yield node, Edit(*source.span(node), str(not node.value)), 1.0
            by_function.setdefault(source.function(node), []).append(node)
        if node.value is None or isinstance(node.value, bool):
            for text in ("None", "0", "[]", "''", "-1"):
                if text != str(node.value):
                    yield node, Edit(*source.span(node), text), 0.05
    for nodes in by_function.values():
        if len(nodes) > 1:
            yield nodes[0], tuple(Edit(*source.span(each), str(not each.value)) for each in nodes), 1.0


@template("text", 0.05)
def change_text(source: Source) -> Found:
    """Texts that stand elsewhere in the file or are mentioned, blanks more or fewer, other case; one or all equal."""
    nodes = [node for node in constants(source) if isinstance(node.value, str)]
    known = dict.fromkeys(node.value for node in nodes if isinstance(node.value, str))
    mentioned = list(dict.fromkeys(re.findall(r"[^\W\d_]\w+", source.words)))
    for node in nodes:
        value = str(node.value)
        options = dict.fromkeys(difflib.get_close_matches(value, mentioned, 3, _SIMILAR), 1.0)
        options.update(dict.fromkeys((value.strip(), value.lower(), value.upper(), value.title(), value[::-1]), 0.3))
        options.update(dict.fromkeys((value + " ", value[: len(value) // 2], value * 2), 0.2))
        for each in (*known, *_TEXTS):
            options.setdefault(each, 0.5 if each in known else 0.3)
        if 1 < len(value) <= 12:
            for at in range(len(value)):
                options.setdefault(value[:at] + value[at + 1 :], 0.05)
        options.pop(value, None)
        same = [each for each in nodes if each.value == value and source.function(each) is source.function(node)]
        for other, weight in options.items():
            yield node, Edit(*source.span(node), repr(other)), weight
            if len(same) > 1 and node is same[0]:
                yield node, tuple(Edit(*source.span(each), repr(other)) for each in same), 0.6 * weight


@template("empty", 0.03)
def change_empty(source: Source) -> Found:
    """What an empty list, text, set or dict may stand for, and what stands beside."""
    for node in source.expressions:
        match node:
            case ast.List(elts=[]):
                for text, weight in (
                    ("[[]]", 1.0),
                    ("None", 0.3),
                    ("set()", 0.2),
                    ("{}", 0.1),
                    ("['']", 0.1),
                    ("[0]", 0.3),
                ):
                    yield node, Edit(*source.span(node), text), weight
            case ast.Dict(keys=[]):
                yield node, Edit(*source.span(node), "set()"), 0.3
            case ast.List(elts=[_, *_]):
                yield node, Edit(*source.span(node), "[]"), 0.2
                yield node, Edit(*source.span(node), f"[{source.code(node)}]"), 0.2


@template("element", 0.04)
def change_elements(source: Source) -> Found:
    """An element of a list, tuple, set or dict left out, or two exchanged."""
    for node in source.expressions:
        if isinstance(node, ast.List | ast.Tuple | ast.Set) and len(node.elts) > 1 and source.code(node)[0] in "([{":
            yield from _shorter(source, node, node.elts)
    for node in (each for each in source.nodes if isinstance(each, ast.Tuple | ast.List)):
        if node.elts:
            for item, following in pairwise(node.elts):
                yield node, exchanged(source, item, following), 1.0
            if len(node.elts) > 2:
                yield node, exchanged(source, node.elts[0], node.elts[-1]), 0.5


def _shorter(source: Source, node: ast.expr, items: list[ast.expr]) -> Found:
    for at, item in enumerate(items):
        start, end = source.span(item)
        if at + 1 < len(items):
            end = source.span(items[at + 1])[0]
        else:
            start = source.span(items[at - 1])[1]
        if not (isinstance(node, ast.Tuple) and len(items) == 2):
            yield item, Edit(start, end, ""), 0.5


def exchanged(source: Source, one: ast.AST, other: ast.AST) -> tuple[Edit, Edit]:
    """Return the edits that exchange two nodes."""
    return Edit(*source.span(one), source.code(other)), Edit(*source.span(other), source.code(one))
