"""Jumps to where control would go anyway."""

from __future__ import annotations

import ast
from collections.abc import Callable

from mendlab.mutators.equivalents import Facts, rule
from mendlab.mutators.validity.trees import copied


@rule(examples=[("return None", "return")], near=[("return a", "return"), ("return False", "return")])
def none_returned(node: ast.Return, facts: Facts) -> ast.stmt | None:
    """``return`` returns ``None``."""
    match node.value:
        case ast.Constant(value=None):
            return ast.Return(None)
    return None


@rule(
    examples=[
        ("print(a)\nreturn", "print(a)"),
        ("if a:\n    print(b)\n    return None", "if a:\n    print(b)"),
    ],
    near=[
        ("if a: return\nprint(b)", "print(b)"),
        ("for x in a: return", "for x in a: pass"),
        ("return 0", "pass"),
        ("try: return\nfinally: print(a)\nprint(b)", "try: pass\nfinally: print(a)\nprint(b)"),
    ],
)
def return_at_the_end(node: ast.FunctionDef | ast.AsyncFunctionDef, facts: Facts) -> ast.stmt | None:
    """A function that comes to its end returns ``None`` as ``return`` does.

    The end of an if or a with statement that ends the function is its end too.
    """
    body = _without_last(node.body, _is_bare_return)
    return None if body is None else copied(node, {"body": body})


@rule(
    examples=[
        ("for x in a:\n    print(x)\n    continue", "for x in a:\n    print(x)"),
        ("for x in a:\n    if x:\n        print(x)\n        continue", "for x in a:\n    if x:\n        print(x)"),
    ],
    near=[
        ("for x in a:\n    if x: continue\n    print(x)", "for x in a:\n    print(x)"),
        ("for x in a:\n    if x: break", "for x in a:\n    if x: pass"),
    ],
)
def continue_at_the_end(node: ast.For | ast.AsyncFor | ast.While, facts: Facts) -> ast.stmt | None:
    """The end of a loop's body goes on with the loop as ``continue`` does."""
    body = _without_last(node.body, lambda statement: isinstance(statement, ast.Continue))
    return None if body is None else copied(node, {"body": body})


def _is_bare_return(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Return) and statement.value is None


def _without_last(suite: list[ast.stmt], idle: Callable[[ast.stmt], bool]) -> list[ast.stmt] | None:
    """A suite without the idle jumps that end it; ``None`` if there are none."""
    *rest, last = suite
    if idle(last):
        return (_without_last(rest, idle) or rest) if rest else [ast.Pass()]
    if not isinstance(last, ast.If | ast.With | ast.AsyncWith):
        return None
    changes: dict[str, object] = {}
    for field in ("body", "orelse"):
        inner = getattr(last, field, None)
        better = _without_last(inner, idle) if inner else None
        if better is not None:
            changes[field] = better
    return [*rest, copied(last, changes)] if changes else None
