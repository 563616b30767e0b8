"""Calls: another function, arguments exchanged, dropped or added, results wrapped, what is wrapped taken out."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from mendlab.mutators.edits import Edit
from mendlab.repair.searching.source import Source
from mendlab.repair.searching.template import template
from mendlab.repair.searching.templates.values import exchanged

Found = Iterator[tuple[ast.AST, Edit | tuple[Edit, ...], float]]
_RELATED: Final = tuple(
    frozenset(group.split())
    for group in (
        "any all", "min max", "sum len max min", "sorted reversed list set", "int float round str", "list tuple set",
        "lower upper title capitalize swapcase", "isupper islower isalpha isdigit isalnum isspace isnumeric",
        "startswith endswith", "index find rfind rindex count", "append extend insert add", "remove discard pop",
        "keys values items", "popleft pop", "append appendleft", "strip lstrip rstrip", "split rsplit splitlines",
        "floor ceil trunc", "ord chr", "bin hex oct", "union intersection difference symmetric_difference",
        "issubset issuperset isdisjoint", "heappush heappop heappushpop heapreplace", "bisect_left bisect_right",
        "range enumerate reversed", "map filter", "add sub mul", "abs round int", "update add",
    )
)  # fmt: skip
_ANYTHING, _NUMBER, _TEXT, _ITEMS = "anything", "number", "text", "items"
_KIND_GROUPS: Final = {
    "int": _NUMBER, "float": _NUMBER, "bool": _NUMBER, "complex": _NUMBER, "str": _TEXT, "bytes": _TEXT,
    "list": _ITEMS, "tuple": _ITEMS, "set": _ITEMS, "dict": _ITEMS, "range": _ITEMS, "frozenset": _ITEMS,
    "deque": _ITEMS, "generator": _ITEMS,
}  # fmt: skip
_WRAPPERS: Final = {
    _NUMBER: {"abs": 1.0, "int": 0.6, "str": 0.6, "float": 0.3, "round": 0.4, "bin": 0.2, "bool": 0.2, "chr": 0.2},
    _TEXT: {"len": 0.7, "set": 0.5, "sorted": 0.5, "int": 0.7, "list": 0.3, "ord": 0.4, "float": 0.2},
    _ITEMS: {
        "len": 0.7, "sum": 0.5, "set": 0.8, "sorted": 1.0, "list": 0.5, "max": 0.5, "min": 0.5, "tuple": 0.4,
        "reversed": 0.3, "any": 0.3, "all": 0.3, "dict": 0.1,
    },
}  # fmt: skip
_METHODS: Final = {
    _TEXT: {
        "lower()": 1.0, "upper()": 0.5, "strip()": 0.8, "split()": 0.5, "encode()": 0.3, "title()": 0.1,
        "rstrip()": 0.2, "lstrip()": 0.2, "isdigit()": 0.1, "isalpha()": 0.1, "decode()": 0.1,
    },
    _ITEMS: {"copy()": 0.6, "items()": 0.3, "keys()": 0.2, "values()": 0.3},
}  # fmt: skip


def group_of(source: Source, node: ast.expr) -> str | None:
    """Return what sort of thing an expression is likely to be, or None."""
    if isinstance(node, ast.GeneratorExp):
        return _ITEMS
    return _KIND_GROUPS.get(source.kind(node) or "")


@template("call-related", 0.05)
def change_function(source: Source) -> Found:
    """Another function or method of those that do something alike, or of the file's own."""
    own = list(source.functions)
    attributes = {node.attr: None for node in source.nodes if isinstance(node, ast.Attribute)}
    for node in source.expressions:
        match node:
            case ast.Name(id=name) if name not in source.variables(node):
                start, end = source.span(node)
            case ast.Attribute(attr=name):
                end = source.span(node)[1]
                start = end - len(name)
            case _:
                continue
        related = {other for group in _RELATED if name in group for other in group} - {name}
        for other in sorted(related):
            yield node, Edit(start, end, other), 1.0
        for other in attributes if isinstance(node, ast.Attribute) else own:
            if other != name and other not in related and (isinstance(node, ast.Attribute) or name in own):
                yield node, Edit(start, end, other), 0.5


@template("arguments", 0.05)
def change_arguments(source: Source) -> Found:
    """Arguments exchanged or dropped; one more of what is in scope."""
    for node in source.expressions:
        if not isinstance(node, ast.Call) or source.code(node)[-1:] != ")":
            continue
        given = [each for each in node.args if not isinstance(each, ast.Starred)]
        for one, other in pairwise(given):
            yield node, exchanged(source, one, other), 1.0
        every: list[ast.AST] = [*node.args, *node.keywords]
        for at, each in enumerate(every):
            start, end = source.span(each)
            if at + 1 < len(every):
                end = source.span(every[at + 1])[0]
            elif at:
                start = source.span(every[at - 1])[1]
            yield each, Edit(start, end, ""), 0.5
        yield from _added(source, node)


def _added(source: Source, node: ast.Call) -> Found:
    end = source.span(node)[1] - 1
    if node.keywords or any(isinstance(each, ast.GeneratorExp) for each in node.args):
        return
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name in source.functions:
        most = len(source.functions[name].args.args)
        if len(node.args) >= most:
            return
    separator = ", " if node.args else ""
    for other in (*source.variables(node), "0", "1", "-1"):
        yield node, Edit(end, end, separator + other), 0.1
        if node.args:
            start = source.span(node.args[0])[0]
            yield node, Edit(start, start, other + ", "), 0.1


@template("unwrapped", 0.06)
def unwrap(source: Source) -> Found:
    """A part of an expression in place of all of it: what a call is given, what has the element, the operand."""
    for node in source.expressions:
        match node:
            case ast.Call(func=ast.Attribute(value=value), args=arguments):
                parts = [value, *arguments]
            case ast.Call(args=arguments):
                parts = arguments
            case ast.Subscript(value=value) | ast.Attribute(value=value) | ast.Starred(value=value):
                parts = [value]
            case ast.UnaryOp(operand=value):
                parts = [value]
            case ast.IfExp(test=test, body=body, orelse=orelse):
                parts = [body, orelse, test]
            case ast.List(elts=parts) | ast.Tuple(elts=parts) if len(parts) == 1:
                pass
            case _:
                continue
        if isinstance(source.parents[node], ast.Call) and source.parents[node].func is node:  # type: ignore[attr-defined]
            continue
        for part in parts:
            if not isinstance(part, ast.Starred):
                yield node, Edit(*source.span(node), source.operand(part)), 1.0
                yield from _other_call(source, node, part)


def _other_call(source: Source, node: ast.AST, part: ast.expr) -> Found:
    """A function's result of the part, where the whole of it stood."""
    for name, weight in _WRAPPERS.get(group_of(source, part) or "", {}).items():
        yield node, Edit(*source.span(node), f"{name}({source.code(part)})"), 0.15 * weight


@template("wrapped", 0.09)
def wrap(source: Source) -> Found:
    """An expression given to a function: a built-in one that suits what it is, one of the file, the one around it."""
    own = [name for name, node in source.functions.items() if len(node.args.args) == 1]
    called = {
        each.func.id: None
        for each in source.expressions
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Name)
    }
    for node in source.expressions:
        parent = source.parents[node]
        if (isinstance(parent, ast.Call) and parent.func is node) or isinstance(parent, ast.Expr | ast.FormattedValue):
            continue
        if isinstance(node, ast.Constant) and not isinstance(node.value, str):
            continue
        group, code = group_of(source, node), source.code(node)
        options = (
            dict(_WRAPPERS[group]) if group else {n: w / 3 for each in _WRAPPERS.values() for n, w in each.items()}
        )
        options.update({name: 1.0 for name in own if name in called or name in code})
        for name, weight in options.items():
            used = 1.5 if name in called else 1.0
            yield node, Edit(*source.span(node), f"{name}({code})"), weight * used
        methods = (
            _METHODS.get(group, {}) if group else {n: w / 3 for each in _METHODS.values() for n, w in each.items()}
        )
        for method, weight in methods.items():
            yield node, Edit(*source.span(node), f"{source.operand(node)}.{method}"), weight


@template("wrapped-both", 0.02)
def wrap_both(source: Source) -> Found:
    """Both sides of a comparison given to the same function."""
    for node in source.expressions:
        if isinstance(node, ast.Compare) and len(node.comparators) == 1:
            left, right = node.left, node.comparators[0]
            group = group_of(source, left) or group_of(source, right)
            groups = [group] if group else list(_WRAPPERS)
            for name in dict.fromkeys(name for each in groups for name in _WRAPPERS[each]):
                edits = tuple(Edit(*source.span(each), f"{name}({source.code(each)})") for each in (left, right))
                yield node, edits, 1.0
            for method in _METHODS[_TEXT] if group in (_TEXT, None) else ():
                edits = tuple(Edit(*source.span(each), f"{source.operand(each)}.{method}") for each in (left, right))
                yield node, edits, 0.5
