"""What a person could plausibly write at a place: the kinds a value may have, the names and values at hand."""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.context.scopes import FLAG, MAPPING, NUMBER, SEQUENCE, TEXT, Binding, kind_of
from mendlab.mutators.edits import Edit, apply

_METHOD_RESULTS: Final = {
    **dict.fromkeys(("count", "index", "find", "rfind", "rindex", "bit_length", "bit_count"), NUMBER),
    **dict.fromkeys(
        ("join", "lower", "upper", "strip", "lstrip", "rstrip", "replace", "title", "capitalize", "swapcase", "format",
         "zfill", "ljust", "rjust", "center", "decode"),
        TEXT,
    ),
    **dict.fromkeys(("split", "rsplit", "splitlines", "keys", "values", "items", "findall"), SEQUENCE),
    **dict.fromkeys(
        ("isdigit", "isalpha", "isalnum", "isupper", "islower", "isspace", "startswith", "endswith"), FLAG
    ),
}  # fmt: skip
_NUMERIC_CALLS: Final = frozenset(("pow", "floor", "ceil", "sqrt", "gcd", "log", "factorial", "hash"))
_JOINING: Final = (cst.Add, cst.Multiply)


def kinds(node: cst.BaseExpression, ctx: Context) -> frozenset[str]:
    """The kinds of value that an expression seems to have; empty if nothing tells."""
    match node:
        case cst.Name():
            binding = ctx.scope(node).resolve(node.value)
            known = binding.kinds if binding is not None else ()
            return frozenset(known) or _only(kind_of(node))
        case cst.Call(func=cst.Attribute(attr=attr)):
            return _only(NUMBER if attr.value in _NUMERIC_CALLS else _METHOD_RESULTS.get(attr.value))
        case cst.Call(func=cst.Name(value=name)) if name in _NUMERIC_CALLS:
            return frozenset((NUMBER,))
        case cst.BinaryOperation(left=left, right=right, operator=sign):
            if kind_of(left) == TEXT:
                return frozenset((TEXT,))
            if not isinstance(sign, _JOINING):
                return frozenset((NUMBER,))
            one, other = kinds(left, ctx), kinds(right, ctx)
            return one & other or one | other
        case cst.IfExp(body=body, orelse=orelse):
            return kinds(body, ctx) | kinds(orelse, ctx)
        case cst.BooleanOperation():
            return frozenset((FLAG,))
        case cst.Subscript(value=value, slice=[cst.SubscriptElement(slice=cst.Slice())]):
            return kinds(value, ctx) or frozenset((SEQUENCE,))
    return _only(kind_of(node))


def _only(kind: str | None) -> frozenset[str]:
    return frozenset((kind,)) if kind else frozenset()


def may_be(node: cst.BaseExpression, ctx: Context, kind: str) -> bool:
    """Whether nothing speaks against an expression's being of the kind."""
    found = kinds(node, ctx)
    return not found or kind in found


def names_of(bindings: list[Binding], *wanted: str, unknown: bool = False) -> list[str]:
    """The names among the bindings that seem to hold one of the kinds; with ``unknown``, then those that may."""
    known = [b.name for b in bindings if b.kinds & set(wanted)]
    return known + [b.name for b in bindings if not b.kinds] if unknown else known


def variables(node: cst.CSTNode, ctx: Context) -> list[Binding]:
    """Parameters and local variables that are bound where the node stands, the nearest first."""
    return [b for b in ctx.names(node) if b.role in ("parameter", "local")]


def variables_after(statement: cst.BaseStatement, ctx: Context) -> list[Binding]:
    """Parameters and local variables of the scope that are bound after a statement, the last mentioned first."""
    end = ctx.end(statement)
    found = [
        b for b in ctx.scope(statement).bindings.values()
        if b.name != "_" and (b.role == "parameter" or (b.role == "local" and b.first < end))
    ]  # fmt: skip
    return sorted(found, key=lambda b: (-max((m for m in b.mentions if m < end), default=b.first), b.name))


def names_in(node: cst.CSTNode, ctx: Context) -> list[cst.Name]:
    """The variables of the scope around a statement that it reads or assigns, in order of position."""
    low, high = ctx.tree.inner[node]
    every = ctx.of_type(cst.Name)
    scope = ctx.scope(node)
    found = []
    for name in every[bisect_left(every, low, key=ctx.start) : bisect_left(every, high, key=ctx.start)]:
        binding = scope.resolve(name.value)
        if binding is None or binding.role not in ("parameter", "local"):
            continue
        if ctx.scope(name).resolve(name.value) is binding and (ctx.is_load(name) or ctx.is_target(name)):
            found.append(name)
    return found


def renamed(node: cst.CSTNode, ctx: Context, names: dict[str, str]) -> str:
    """The text of a statement with variables exchanged for others."""
    low, high = ctx.tree.inner[node]
    edits = [
        Edit(ctx.start(n) - low, ctx.end(n) - low, names[n.value]) for n in names_in(node, ctx) if n.value in names
    ]
    return apply(ctx.source[low:high], edits)


def statements_in(function: cst.FunctionDef, ctx: Context) -> list[cst.SimpleStatementLine]:
    """The simple statements of a function that stand on lines of their own, in order of position."""
    low, high = ctx.tree.outer[function.body]
    every = ctx.of_type(cst.SimpleStatementLine)
    return every[bisect_left(every, low, key=ctx.start) : bisect_left(every, high, key=ctx.start)]


def returned(function: cst.FunctionDef, ctx: Context) -> list[str]:
    """The texts that a function returns, each once, in order of position."""
    low, high = ctx.tree.outer[function.body]
    every = ctx.of_type(cst.Return)
    inside = every[bisect_left(every, low, key=ctx.start) : bisect_left(every, high, key=ctx.start)]
    return list(dict.fromkeys(ctx.whole(r.value) for r in inside if r.value is not None))


def empty_values(found: set[str] | frozenset[str]) -> tuple[str, ...]:
    """What stands for nothing among values of the kinds."""
    table = {NUMBER: ("0",), TEXT: ("''",), SEQUENCE: ("[]",), MAPPING: ("{}",), FLAG: ("False",)}
    return tuple(value for kind, values in table.items() if kind in found for value in values)


def names_in_expression(node: cst.CSTNode, ctx: Context) -> list[cst.Name]:
    """The variables that an expression reads, each once, in order of position."""
    low, high = ctx.tree.inner[node]
    every = ctx.of_type(cst.Name)
    found: dict[str, cst.Name] = {}
    for name in every[bisect_left(every, low, key=ctx.start) : bisect_left(every, high, key=ctx.start)]:
        binding = ctx.scope(name).resolve(name.value)
        if binding is not None and binding.role in ("parameter", "local") and ctx.is_load(name):
            found.setdefault(name.value, name)
    return list(found.values())


def lines_before(statement: cst.BaseStatement, ctx: Context, *lines: str) -> Edit:
    """Lines are added before a statement of a block, indented as it is."""
    indentation, start = ctx.indentation(statement), ctx.lines(statement)[0]
    return Edit(start, start, "".join(f"{indentation}{line}{ctx.newline}" for line in lines))
