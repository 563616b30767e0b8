"""Calls of built-ins: arguments that are the defaults, and conversions of what is of the type already."""

from __future__ import annotations

import ast
from typing import Final

from mendlab.mutators.equivalents import Facts, rule
from mendlab.mutators.equivalents.shapes import is_length, is_number

_DEFAULTS: Final[dict[str, dict[str, object]]] = {
    "sorted": {"key": None, "reverse": False},
    "max": {"key": None},
    "min": {"key": None},
    "sum": {"start": 0},
    "enumerate": {"start": 0},
    "round": {"ndigits": None},
    "pow": {"mod": None},
    "print": {"sep": " ", "end": "\n", "file": None, "flush": False},
}
_BY_POSITION: Final[dict[str, tuple[int, str]]] = {
    "sum": (1, "start"), "enumerate": (1, "start"), "round": (1, "ndigits"), "pow": (2, "mod"),
}  # fmt: skip
_EMPTY: Final[dict[str, str]] = {
    "list": "[]", "tuple": "()", "dict": "{}", "str": "''", "int": "0", "float": "0.0", "bool": "False",
}  # fmt: skip


def _is_constant(node: ast.AST, value: object) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is type(value) and node.value == value


def _is_plain(node: ast.Call) -> bool:
    """Whether a call shows which arguments it gives: none is unpacked from ``*args`` or ``**kw``."""
    return not any(isinstance(arg, ast.Starred) for arg in node.args) and all(k.arg for k in node.keywords)


@rule(
    examples=[
        ("return range(0, a)", "return range(a)"),
        ("return range(a, b, 1)", "return range(a, b)"),
        ("return range(0, a, 1)", "return range(a)"),
    ],
    near=[
        ("return range(1, a)", "return range(a)"),
        ("return range(a, 0)", "return range(a)"),
        ("return range(0, a, 2)", "return range(a)"),
        ("return a.range(0, b)", "return a.range(b)"),
    ],
)
def range_from_zero(node: ast.Call, facts: Facts) -> ast.expr | None:
    """A range starts at 0 and goes in steps of 1 unless told otherwise."""
    if facts.builtin(node.func) != "range" or node.keywords or not _is_plain(node):
        return None
    match node.args:
        case [start, stop, step] if is_number(step, 1):
            return ast.Call(node.func, [start, stop], [])
        case [start, stop] if is_number(start, 0):
            return ast.Call(node.func, [stop], [])
    return None


@rule(
    examples=[
        ("return sorted(a, reverse=False)", "return sorted(a)"),
        ("return sorted(a, key=None, reverse=True)", "return sorted(a, reverse=True)"),
        ("return sum(a, 0)", "return sum(a)"),
        ("return list(enumerate(a, start=0))", "return list(enumerate(a))"),
        ("return max(a, key=None)", "return max(a)"),
        ("return round(a, None)", "return round(a)"),
    ],
    near=[
        ("return sorted(a, reverse=0)", "return sorted(a, reverse=True)"),
        ("return sum(a, 0.0)", "return sum(a)"),
        ("return round(a, 0)", "return round(a)"),
        ("return a.get(b, None)", "return a.get(b)"),
        ("return max(a, None)", "return max(a)"),
        ("return sum(a, 0, start=0)", "return sum(a, 0)"),
        ("return sum(a, 0, start=0)", "return sum(a, start=0)"),
        ("return sum(a, start=0, **{'start': b})", "return sum(a, **{'start': b})"),
        ("return sum(*[a, b], start=0)", "return sum(*[a, b])"),
        ("return sum(a, 0, **{'start': 1})", "return sum(a, **{'start': 1})"),
    ],
)
def default_written_out(node: ast.Call, facts: Facts) -> ast.expr | None:
    """To give a built-in function the value that an argument has by default is to leave it away.

    Nothing is known of what ``*args`` and ``**kw`` give, and to give an argument twice is an error.
    """
    name = facts.builtin(node.func)
    if name not in _DEFAULTS or not _is_plain(node):
        return None
    defaults, args = _DEFAULTS[name], node.args
    index, positional = _BY_POSITION.get(name, (len(args), ""))
    if len(args) > index and any(k.arg == positional for k in node.keywords):
        return None
    kept = [k for k in node.keywords if k.arg not in defaults or not _is_constant(k.value, defaults[k.arg])]
    if index == len(args) - 1 and _is_constant(args[index], defaults[positional]):
        args = args[:-1]
    if len(kept) == len(node.keywords) and len(args) == len(node.args):
        return None
    return ast.Call(node.func, args, kept)


@rule(
    examples=[("return list()", "return []"), ("return dict()", "return {}"), ("return int()", "return 0")],
    near=[("return list(a)", "return []"), ("return set()", "return {}"), ("return dict(a=1)", "return {}")],
)
def empty_of_a_type(node: ast.Call, facts: Facts) -> ast.expr | None:
    """A built-in type called without arguments makes its empty value."""
    if node.args or node.keywords:
        return None
    empty = _EMPTY.get(facts.builtin(node.func) or "")
    return None if empty is None else ast.parse(empty, mode="eval").body  # a new node each time: nodes keep numbers


@rule(
    examples=[
        ("return list([a, b])", "return [a, b]"),
        ("return tuple([a, b])", "return (a, b)"),
        ("return list((a, b))", "return [a, b]"),
        ("return list(list(a))", "return list(a)"),
        ("return list(sorted(a))", "return sorted(a)"),
        ("return int(int(a))", "return int(a)"),
        ("return int(len(a))", "return len(a)"),
        ("return abs(len(a))", "return len(a)"),
        ("return bool(not a)", "return not a"),
        ("return bool(a in b)", "return a in b"),
        ("return str('a')", "return 'a'"),
        ("return dict({'a': a})", "return {'a': a}"),
    ],
    near=[
        ("return list(a)", "return a"),
        ("return str(str(a))", "return str(a)"),
        ("return bool(a < b)", "return a < b"),
        ("return set(set(a))", "return set(a)"),
        ("return tuple(list(a))", "return tuple(a)"),
        ("return abs(abs(a))", "return abs(a)"),
        ("return int('1')", "return '1'"),
        ("return list([a], b)", "return [a]"),
    ],
)
def conversion_of_the_same_type(node: ast.Call, facts: Facts) -> ast.expr | None:
    """To convert what its form shows to be of exactly the built-in type gives an equal value that nobody else has.

    Left alone are sets, whose copies may have another order, and ``str``, which may return a subclass.
    """
    name = facts.builtin(node.func)
    if name is None or len(node.args) != 1 or node.keywords or not _is_plain(node):
        return None
    argument = node.args[0]
    match name, argument:
        case ("list", ast.Tuple(elts=elts)):
            return ast.List(elts)
        case ("tuple", ast.List(elts=elts)):
            return ast.Tuple(elts)
    return argument if _is_exactly(argument, name, facts) else None


def _is_exactly(node: ast.expr, name: str, facts: Facts) -> bool:
    """Whether an expression makes a new value of exactly the type, or an immutable one (a length for ``abs``)."""
    match name, node:
        case ("list", ast.List() | ast.ListComp()) | ("tuple", ast.Tuple()) | ("dict", ast.Dict() | ast.DictComp()):
            return True
        case ("str" | "int" | "float" | "bool", ast.Constant(value=value)):
            return type(value).__name__ == name
        case ("bool", ast.UnaryOp(op=ast.Not())):
            return True
        case ("bool", ast.Compare(ops=[ast.In() | ast.NotIn() | ast.Is() | ast.IsNot()])):
            return True
        case ("int" | "abs", _) if is_length(node, facts):
            return True
        case (_, ast.Call(func=func, args=[argument])) if not isinstance(argument, ast.Starred):
            inner = facts.builtin(func)
            if name == "list" and inner == "sorted":
                return True
            return inner == name and name in ("int", "float", "bool", "list", "tuple") and not node.keywords
    return False


@rule(
    examples=[
        ("return len(a) + 0", "return len(a)"),
        ("return 1 * len(a)", "return len(a)"),
        ("return +len(a)", "return len(a)"),
    ],
    near=[("return a + 0", "return a"), ("return len(a) * 0", "return 0"), ("return 0 - len(a)", "return len(a)")],
)
def length_with_nothing_added(node: ast.BinOp | ast.UnaryOp, facts: Facts) -> ast.expr | None:
    """A length is a built-in integer: adding 0 or multiplying by 1 leaves it."""
    match node:
        case ast.UnaryOp(op=ast.UAdd(), operand=length) if is_length(length, facts):
            return length
        case ast.BinOp(left=length, op=op, right=right) if is_length(length, facts):
            nothing = 0 if isinstance(op, ast.Add | ast.Sub) else 1
            same = isinstance(op, ast.Add | ast.Sub | ast.Mult | ast.FloorDiv | ast.Pow)
            return length if same and is_number(right, nothing) else None
        case ast.BinOp(left=left, op=ast.Add() | ast.Mult() as op, right=length) if is_length(length, facts):
            return length if is_number(left, 0 if isinstance(op, ast.Add) else 1) else None
    return None
