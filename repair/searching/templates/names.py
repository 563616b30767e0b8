"""Variables, attributes and whole expressions: another one that is within reach, or one that stands elsewhere."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mendlab.mutators.edits import Edit
from mendlab.repair.searching.source import FunctionNode, Source
from mendlab.repair.searching.template import template

Found = Iterator[tuple[ast.AST, Edit | tuple[Edit, ...], float]]


def _alike(source: Source, node: ast.AST, one: str, other: str) -> float:
    """How well one variable may stand for another: by the types that they were seen to have."""
    first, second = source.kinds(node, one), source.kinds(node, other)
    return 0.5 if not first or not second else 1.0 if first & second else 0.15


@template("variable", 0.1)
def change_variable(source: Source) -> Found:
    """Another variable within scope, read or assigned to."""
    for node in source.nodes:
        if not isinstance(node, ast.Name) or source.function(node) is None:
            continue
        near = source.variables(node)
        if node.id not in near:
            continue
        for other in near:
            if other != node.id:
                weight = _alike(source, node, node.id, other)
                yield node, Edit(*source.span(node), other), weight * (1.0 if isinstance(node.ctx, ast.Load) else 0.4)


@template("variable-everywhere", 0.02)
def change_everywhere(source: Source) -> Found:
    """Two variables exchanged, or one put for the other, in one statement or a whole function."""
    for function in source.nodes:
        if isinstance(function, FunctionNode):
            for scope in (function, *function.body):
                yield from _exchanged(source, scope, 0.3 if scope is function else 1.0)


def _exchanged(source: Source, scope: ast.AST, weight: float) -> Found:
    by_name: dict[str, list[ast.Name]] = {}
    for node in ast.walk(scope):
        if isinstance(node, ast.Name) and node in source.parents and node.id in source.variables(node):
            by_name.setdefault(node.id, []).append(node)
    names = list(by_name)[:8]
    for at, one in enumerate(names):
        for other in names[at + 1 :]:
            share = weight * _alike(source, by_name[one][0], one, other)
            there = [Edit(*source.span(node), other) for node in by_name[one]]
            back = [Edit(*source.span(node), one) for node in by_name[other]]
            yield by_name[one][0], (*there, *back), share
            if len(there) > 1:
                yield by_name[one][0], tuple(there), share
            if len(back) > 1:
                yield by_name[other][0], tuple(back), share


@template("variable-for-expression", 0.06)
def put_variable(source: Source) -> Found:
    """A variable in place of an expression or a constant, with its sign turned too."""
    for node in source.expressions:
        if isinstance(node, ast.Name) or isinstance(source.parents[node], ast.Expr) or _is_called(source, node):
            continue
        kind = source.kind(node)
        for name in source.variables(node):
            kinds = source.kinds(node, name)
            weight = 0.5 if kind is None or not kinds else 1.0 if kind in kinds else 0.1
            yield node, Edit(*source.span(node), name), weight
            if kinds & {"int", "float"} and kind in ("int", "float", None):
                yield node, Edit(*source.span(node), f"-{name}"), 0.2 * weight


@template("expression-donated", 0.07)
def put_expression(source: Source) -> Found:
    """An expression that stands elsewhere in the function, in place of another."""
    by_function: dict[ast.AST | None, list[ast.expr]] = {}
    for node in source.expressions:
        by_function.setdefault(_outermost(source, node), []).append(node)
    for nodes in by_function.values():
        donors: dict[str, ast.expr] = {}
        for node in nodes:
            if _is_donor(source, node):
                donors.setdefault(source.code(node), node)
        for node in nodes:
            if _is_called(source, node) or isinstance(source.parents[node], ast.Expr):
                continue
            own, kind = source.code(node), source.kind(node)
            for text, donor in donors.items():
                if text == own or donor in ast.walk(node):
                    continue
                known = source.kind(donor)
                weight = 0.5 if kind is None or known is None else 1.0 if kind == known else 0.05
                like = 2.0 if type(donor) is type(node) and not isinstance(node, ast.Name) else 1.0
                yield node, Edit(*source.span(node), source.operand(donor)), weight * like / (1 + len(text) / 20)


@template("target-donated", 0.03)
def put_target(source: Source) -> Found:
    """Another place to assign to: a variable, or an element or attribute that stands elsewhere in the function."""
    for node in source.nodes:
        if isinstance(node, ast.Subscript | ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Store):
            function = source.function(node)
            if function is None or source.statement(node) is None:
                continue
            places = {
                source.code(each): None
                for each in ast.walk(function)
                if isinstance(each, ast.Subscript | ast.Attribute) and each in source.parents and each is not node
            }
            names = source.variables(node) if not isinstance(node, ast.Name) else []
            for text in (*places, *names):
                if text != source.code(node):
                    yield node, Edit(*source.span(node), text), 1.0


def _outermost(source: Source, node: ast.AST) -> ast.AST | None:
    found = None
    for each in source.ancestors(node):
        if isinstance(each, FunctionNode):
            found = each
    return found


def _is_donor(source: Source, node: ast.expr) -> bool:
    if isinstance(node, ast.Name) or _is_called(source, node):
        return False
    return len(source.code(node)) <= 60 and not isinstance(node, ast.Lambda | ast.Await | ast.Yield | ast.YieldFrom)


def _is_called(source: Source, node: ast.AST) -> bool:
    """Whether a node is what is called, or has the attribute that is called."""
    parent = source.parents[node]
    return isinstance(parent, ast.Call) and parent.func is node
