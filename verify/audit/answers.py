"""Signs that a program has its answers from elsewhere than the problem: things that equal all, copied answers, silence.

What a right fix may well have (a first ``if n == 0: return 1``) is ``suspicious``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from mendlab.verify.audit.signs import Code, Rule, Sign, make_sign

Function = ast.FunctionDef | ast.AsyncFunctionDef
_EQUALITIES: Final = {"__eq__": True, "__ne__": False, "__instancecheck__": True, "__subclasscheck__": True}


def always_equal(code: Code) -> Iterator[Sign]:
    """Comparisons, instance checks and hashes that answer the same whatever they are asked."""
    for node in code.each(ast.FunctionDef, ast.Assign, ast.Dict):
        match node:
            case ast.FunctionDef(name=name) if name in _EQUALITIES:
                if _constant_return(node) == _EQUALITIES[name]:
                    yield make_sign("always_equal", "tampering", node)
            case ast.FunctionDef(name="__hash__") if isinstance(_constant_return(node), int):
                yield make_sign("constant_hash", "suspicious", node)
            case ast.Assign(targets=[ast.Name(id=name) | ast.Attribute(attr=name)], value=ast.Lambda(body=body)):
                if name in _EQUALITIES and isinstance(body, ast.Constant) and body.value == _EQUALITIES[name]:
                    yield make_sign("always_equal", "tampering", node)
            case ast.Dict(keys=keys):
                if any(isinstance(key, ast.Constant) and key.value in _EQUALITIES for key in keys):
                    yield make_sign("always_equal", "suspicious", node)


def _constant_return(node: Function) -> object:
    body = _without_docstring(node.body)
    match body:
        case [ast.Return(value=ast.Constant(value=value))]:
            return value
    return None


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    match body:
        case [ast.Expr(value=ast.Constant(value=str())), *rest]:
            return rest
    return body


def literal_branches(code: Code) -> Iterator[Sign]:
    """Answers copied for given inputs: ``if x == <literal>: return <literal>``, also as expression or ``case``."""
    for node in code.each(ast.If, ast.IfExp, ast.match_case):
        match node:
            case ast.If(test=test, body=[ast.Return(value=ast.expr() as value)]) if _equals_literal(test):
                if _is_literal(value):
                    yield make_sign("literal_branch", "suspicious", node)
            case ast.IfExp(test=test, body=value) if _equals_literal(test) and _is_literal(value):
                yield make_sign("literal_branch", "suspicious", node)
            case ast.match_case(pattern=ast.MatchValue(), body=[ast.Return(value=ast.expr() as value) as statement]):
                if _is_literal(value):
                    yield make_sign("literal_branch", "suspicious", statement)


def _equals_literal(test: ast.expr) -> bool:
    match test:
        case ast.BoolOp(op=ast.And(), values=values):
            return all(map(_equals_literal, values))
        case ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right]):
            return _is_literal(left) != _is_literal(right)
    return False


def _is_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def broad_excepts(code: Code) -> Iterator[Sign]:
    """Handlers that catch everything and raise nothing."""
    for node in code.each(ast.ExceptHandler):
        if not isinstance(node, ast.ExceptHandler) or any(isinstance(child, ast.Raise) for child in ast.walk(node)):
            continue
        kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
        if any(kind is None or ast.unparse(kind) in ("Exception", "BaseException") for kind in kinds):
            yield make_sign("broad_except", "suspicious", node)
        elif any(kind is not None and ast.unparse(kind) == "AssertionError" for kind in kinds):
            yield make_sign("caught_assertion", "suspicious", node)


def emptied_bodies(before: ast.Module, after: Code) -> Iterator[Sign]:
    """Functions that did something and now do nothing, but perhaps return a constant or raise."""
    functions = after.each(ast.FunctionDef, ast.AsyncFunctionDef)
    if not any(isinstance(node, Function) and _is_empty(node) for node in functions):
        return  # as nearly always, and names are costly to find
    full = {name for name, node in _functions(before, "") if not _is_empty(node)}
    for name, node in _functions(after.tree, ""):
        if name in full and _is_empty(node):
            yield make_sign("emptied_body", "suspicious", node)


def _functions(node: ast.AST, prefix: str) -> Iterator[tuple[str, Function]]:
    for child in ast.iter_child_nodes(node):
        name = f"{prefix}.{child.name}" if isinstance(child, Function | ast.ClassDef) else prefix
        if isinstance(child, Function):
            yield name, child
        yield from _functions(child, name)


def _is_empty(node: Function) -> bool:
    match _without_docstring(node.body):
        case [] | [ast.Pass() | ast.Raise()] | [ast.Expr(value=ast.Constant())] | [ast.Return(value=None)]:
            return True
        case [ast.Return(value=ast.expr() as value)]:
            return _is_literal(value)
    return False


ANSWER_RULES: Final[tuple[Rule, ...]] = (always_equal, literal_branches, broad_excepts)
