"""Extents: one more, one less, a slice, a term more, another range."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mendlab.mutators.edits import Edit
from mendlab.repair.searching.source import Source
from mendlab.repair.searching.template import template
from mendlab.repair.searching.templates.calls import group_of

Found = Iterator[tuple[ast.AST, Edit | tuple[Edit, ...], float]]


def _is_value(source: Source, node: ast.expr) -> bool:
    parent = source.parents[node]
    called = isinstance(parent, ast.Call) and parent.func is node
    return not called and not isinstance(parent, ast.Expr | ast.FormattedValue | ast.Attribute)


@template("by-one", 0.11)
def by_one(source: Source) -> Found:
    """One more or one less, likelier within a range, an index, a slice and a comparison."""
    for node in source.expressions:
        if isinstance(node, ast.Constant) or not _is_value(source, node):
            continue
        if group_of(source, node) not in ("number", None) or isinstance(node, ast.Compare | ast.BoolOp | ast.Lambda):
            continue
        if isinstance(node, ast.List | ast.Tuple | ast.Dict | ast.Set | ast.ListComp | ast.GeneratorExp):
            continue
        weight = _of_place(source, node)
        code = source.code(node) if _stands_free(source, node) else source.operand(node)
        for text in (f"{code} + 1", f"{code} - 1"):
            whole = text if _stands_free(source, node) else f"({text})"
            yield node, Edit(*source.span(node), whole), weight


def _of_place(source: Source, node: ast.expr) -> float:
    """How often a value is off by one where it stands: bounds of loops are most, indexes and comparisons next."""
    match source.parents[node]:
        case ast.Call(func=ast.Name(id="range")):
            return 3.0
        case ast.Subscript() | ast.Slice() | ast.Compare():
            return 1.0
        case ast.BinOp():
            return 0.5
    return 0.3


def _stands_free(source: Source, node: ast.expr) -> bool:
    """Whether an operator may be put behind a node without brackets."""
    if isinstance(node, ast.IfExp | ast.Lambda | ast.BoolOp | ast.Compare | ast.NamedExpr):
        return False
    parent = source.parents[node]
    if isinstance(parent, ast.Call | ast.Slice | ast.Return | ast.Assign | ast.AugAssign | ast.keyword | ast.Compare):
        return True
    return isinstance(parent, ast.Subscript) and parent.slice is node


@template("slice", 0.05)
def slice_it(source: Source) -> Found:
    """A part of a list or text, and the whole where a part was; from or to a variable."""
    for node in source.expressions:
        if isinstance(node, ast.Constant) or not _is_value(source, node):
            continue
        if group_of(source, node) in ("items", "text", None) and not isinstance(
            node, ast.Compare | ast.BoolOp | ast.BinOp | ast.UnaryOp | ast.GeneratorExp | ast.Lambda | ast.IfExp
        ):
            base = source.operand(node)
            for part, weight in (("[1:]", 1.0), ("[:-1]", 0.8), ("[::-1]", 0.8), ("[0]", 0.4), ("[-1]", 0.4)):
                yield node, Edit(*source.span(node), base + part), weight
            for name in source.variables(node):
                kinds = source.kinds(node, name)
                if (not kinds or "int" in kinds) and name != base:
                    for part, weight in ((f"[{name}:]", 1.0), (f"[:{name}]", 1.0), (f"[{name}]", 0.3)):
                        yield node, Edit(*source.span(node), base + part), weight
                    yield node, Edit(*source.span(node), f"{base}[:{name} + 1]"), 0.2
                    yield node, Edit(*source.span(node), f"{base}[{name} + 1:]"), 0.2


@template("slice-ends", 0.03)
def change_slice(source: Source) -> Found:
    """Another end of a slice."""
    for node in source.nodes:
        if not isinstance(node, ast.Slice):
            continue
        start, end = source.span(node)
        lower, upper, step = ("" if each is None else source.code(each) for each in (node.lower, node.upper, node.step))
        tail = f":{step}" if step else ""
        names = [name for name in source.variables(node) if "int" in (source.kinds(node, name) or {"int"})]
        for text in ("", "1", "-1", *names):
            if text != lower:
                yield node, Edit(start, end, f"{text}:{upper}{tail}"), 1.0
            if text != upper:
                yield node, Edit(start, end, f"{lower}:{text}{tail}"), 1.0
        for text in ("", "-1", "2"):
            if text != step:
                yield node, Edit(start, end, f"{lower}:{upper}{':' + text if text else ''}"), 0.6


@template("term-added", 0.06)
def add_term(source: Source) -> Found:
    """A variable of the scope, or a list or text of it, more in a sum, difference or product."""
    for node in source.expressions:
        if not _is_value(source, node) or isinstance(node, ast.Compare | ast.BoolOp | ast.Lambda | ast.GeneratorExp):
            continue
        parent = source.parents[node]
        if isinstance(
            parent, ast.Compare | ast.Call | ast.Return | ast.Assign | ast.AugAssign | ast.BinOp | ast.Slice
        ) or (isinstance(parent, ast.Subscript) and parent.slice is node):
            yield from _with_term(source, node)


def _with_term(source: Source, node: ast.expr) -> Found:
    group, kind = group_of(source, node), source.kind(node)
    code = source.operand(node)
    for name in source.variables(node):
        kinds = source.kinds(node, name)
        if name == code or (kind and kinds and kind not in kinds):
            continue
        known = 1.0 if kinds and kind else 0.4
        if group in ("items", "text", None) and not kinds & {"int", "float"}:
            for text in (f"{name} + {code}", f"{code} + {name}"):
                yield node, Edit(*source.span(node), f"({text})"), known
        if group in ("number", None) and kinds & {"int", "float"}:
            for sign, weight in (("-", 1.0), ("+", 1.0), ("*", 0.6), ("//", 0.3), ("%", 0.3)):
                yield node, Edit(*source.span(node), f"({code} {sign} {name})"), known * weight
            for sign in ("-", "//"):
                yield node, Edit(*source.span(node), f"({name} {sign} {code})"), 0.2 * known
