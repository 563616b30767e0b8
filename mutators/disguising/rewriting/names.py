"""Other names, other places for values."""

from __future__ import annotations

import ast
import builtins
import copy
from collections.abc import Iterator, Sequence

from mendlab.mutators.disguising.rewriting.rules import Function, Instead, Scope, mentions, on_function, on_statements


@on_function("renamed local")
def renamed_local(function: Function, scope: Scope) -> Iterator[Function]:
    """Call a local variable something else, everywhere."""
    if any(isinstance(node, ast.ClassDef) for node in ast.walk(function)):
        return
    parameters = {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
    for name in sorted(scope.bound - parameters - scope.defined - vars(builtins).keys()):
        plain = sum(isinstance(node, ast.Name) and node.id == name for node in ast.walk(function))
        if scope.mentions[name] == plain:  # neither declared, imported, caught nor matched
            made, new = copy.deepcopy(function), scope.fresh(f"{name.strip('_') or 'local'}_value")
            for node in ast.walk(made):
                if isinstance(node, ast.Name) and node.id == name:
                    node.id = new
            yield made


@on_statements("temporary variable introduced")
def introduced(block: Sequence[ast.stmt], scope: Scope) -> Instead | None:
    """Name what is returned before it is returned."""
    match block[0]:
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Name | ast.Constant):
            name = scope.fresh("answer")
            return 1, [_assign(name, value), ast.Return(_load(name))]
    return None


@on_statements("temporary variable inlined")
def inlined(block: Sequence[ast.stmt], scope: Scope) -> Instead | None:
    """Return a value that has a name for nothing else."""
    match block[:2]:
        case [ast.Assign(targets=[ast.Name(id=name)], value=value), ast.Return(value=ast.Name(id=same))]:
            if name == same and scope.is_local(name) and id(block[0]) not in scope.guarded:
                return 2, [ast.Return(value)]
    return None


@on_statements("condition named")
def condition_named(block: Sequence[ast.stmt], scope: Scope) -> Instead | None:
    """Name a condition before it is asked."""
    match block[0]:
        case ast.If(test=test, body=body, orelse=orelse) if not isinstance(test, ast.Name | ast.Constant):
            if not _is_elif(block[0], scope):
                name = scope.fresh("condition")
                return 1, [_assign(name, test), ast.If(_load(name), body, orelse)]
    return None


@on_statements("independent statements reordered")
def reordered(block: Sequence[ast.stmt], scope: Scope) -> Instead | None:
    """Change the places of a statement and of one before it that gives a constant or a parameter a name."""
    match block[:2]:
        case [ast.Assign(targets=[ast.Name(id=name)], value=value) as first, second] if _only_names(value, scope):
            movable = isinstance(second, ast.Assign | ast.AugAssign | ast.Expr) and not _is_docstring(first)
            if movable and scope.is_local(name) and name not in mentions(second) and id(first) not in scope.guarded:
                return 2, [second, first]
    return None


@on_statements("tuple assignment split")
def split(block: Sequence[ast.stmt], scope: Scope) -> Instead | None:
    """Make ``a, b = 0, 1`` two assignments."""
    match block[0]:
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            names = [target.id for target in targets if isinstance(target, ast.Name) and scope.is_local(target.id)]
            if len(set(names)) == len(targets) == len(values) and all(_only_names(value, scope) for value in values):
                return 1, [_assign(name, value) for name, value in zip(names, values, strict=True)]
    return None


def _only_names(node: ast.expr, scope: Scope) -> bool:
    """Whether nothing can go wrong in it, nothing is called, and it is the same wherever it is evaluated."""
    match node:
        case ast.Constant():
            return True
        case ast.Name(id=name):
            return name in scope.parameters
        case ast.List(elts=[]) | ast.Dict(keys=[]):
            return True
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return all(_only_names(part, scope) for part in parts)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float())):
            return True
    return False


def _is_elif(statement: ast.stmt, scope: Scope) -> bool:
    return any(isinstance(node, ast.If) and node.orelse == [statement] for node in ast.walk(scope.function))


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _assign(name: str, value: ast.expr) -> ast.Assign:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _load(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())
