"""Assignments of constants to local variables."""

from __future__ import annotations

import ast

from mendlab.mutators.equivalents import Facts, rule
from mendlab.mutators.equivalents.facts import bound_name
from mendlab.mutators.validity.trees import copied

_DYING = "class D:\n    def __del__(self): print('gone')\n"
"""For examples: a class whose objects say when they end."""


def _constant_target(statement: ast.stmt, facts: Facts) -> str | None:
    """The variable of a function to which a statement in it assigns a literal or an empty list or dictionary."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if name not in facts.shared:
            match value:
                case ast.Constant() | ast.List(elts=[]) | ast.Dict(keys=[]) | ast.Tuple(elts=[]):
                    return name
    return None


@rule(
    statements=(ast.Assign,),
    examples=[
        ("x = 1\ny = 2\nreturn x - y + a", "y = 2\nx = 1\nreturn x - y + a"),
        ("x = 0\nx = []\nreturn x", "x = []\nreturn x"),
    ],
    near=[
        ("x = 1\nx = 2\nreturn x", "x = 2\nx = 1\nreturn x"),
        ("x = 1\nprint(a)\ny = 2\nreturn x - y", "y = 2\nprint(a)\nx = 1\nreturn x - y"),
        ("a.x = 1\na.y = 2", "a.y = 2\na.x = 1"),
        ("global x, y\nx = 1\ny = 2", "global x, y\ny = 2\nx = 1"),
        (
            "class C:\n    x = 1\n    y = 2\nreturn list(vars(C))",
            "class C:\n    y = 2\n    x = 1\nreturn list(vars(C))",
        ),
        ("x = 1\ny = 2\nreturn list(locals())", "y = 2\nx = 1\nreturn list(locals())"),
    ],
)
def constants_side_by_side(suite: list[ast.stmt], facts: Facts) -> list[ast.stmt] | None:
    """Neighbouring assignments of literals to local variables cannot fail or see each other, so order is nothing.

    Of two to the same variable the later counts.
    """
    if facts.looked_at or not facts.local:
        return None
    start = 0
    for end in range(1, len(suite) + 1):
        if end < len(suite) and _constant_target(suite[end], facts) and _constant_target(suite[start], facts):
            continue
        run = suite[start:end]
        if len(run) > 1:
            last = {_constant_target(statement, facts) or "": statement for statement in run}
            ordered = [last[name] for name in sorted(last)]
            if ordered != run:
                return [*suite[:start], *ordered, *suite[end:]]
        start = end
    return None


@rule(
    statements=(ast.Assign,),
    examples=[("x = 1\nreturn a", "x = 2\nreturn a"), ("for x in a:\n    y = 0", "for x in a:\n    y = []")],
    near=[
        ("x = 1\nreturn x", "x = 2\nreturn x"),
        ("x = 1\nreturn a", "x = a.b\nreturn a"),
        ("x = 1\nreturn list(locals().values())", "x = 2\nreturn list(locals().values())"),
        ("global x\nx = 1", "global x\nx = 2"),
    ],
)
def constant_never_read(suite: list[ast.stmt], facts: Facts) -> list[ast.stmt] | None:
    """Which literal is assigned to a local variable whose name the file never reads or deletes has no effect."""
    if not facts.local:
        return None
    better = [_with_none(s) if _constant_target(s, facts) in facts.unread else s for s in suite]
    return better if any(new is not old for new, old in zip(better, suite, strict=True)) else None


def _with_none(statement: ast.stmt) -> ast.stmt:
    """The assignment with ``None`` for its value; itself if it has that."""
    assert isinstance(statement, ast.Assign)
    match statement.value:
        case ast.Constant(value=None):
            return statement
    new: ast.stmt = copied(statement, {"value": ast.Constant(None)})
    return new


@rule(
    examples=[("unused = []\nreturn a", "return a"), ("print(a)\nx = 1\nx = b", "print(a)\nx = b")],
    near=[
        ("x = 1\nreturn x", "return x"),
        ("x = a.b\nreturn a", "return a"),
        ("x = 1\nreturn list(locals())", "return list(locals())"),
        ("global x\nx = 1", "global x"),
        (f"{_DYING}x = D()\nx = None\nprint(a)", f"{_DYING}x = D()\nprint(a)"),
        (
            f"{_DYING}for _ in (1, 2):\n    x = None\n    print(a)\n    x = D()",
            f"{_DYING}for _ in (1, 2):\n    print(a)\n    x = D()",
        ),
        (f"{_DYING}def g(x):\n    x = 0\n    print(a)\ng(D())", f"{_DYING}def g(x):\n    print(a)\ng(D())"),
        ("try: a.b\nexcept ValueError as x: x = 1", "try: a.b\nexcept ValueError as x: pass"),
    ],
)
def constant_first_bound_and_never_read(node: ast.FunctionDef | ast.AsyncFunctionDef, facts: Facts) -> ast.stmt | None:
    """To assign a literal to a variable of the function that the file never reads or deletes has no effect.

    It must be the first that the function binds to the name: a later one lets go of an object, which may then end.
    """
    given = {part.arg for part in ast.walk(node.args) if isinstance(part, ast.arg)}
    for index, statement in enumerate(node.body):
        name = _constant_target(statement, facts)
        if name in facts.unread and name not in given and not _binds(node.body[:index], name):
            body = [*node.body[:index], *node.body[index + 1 :]]
            better: ast.stmt = copied(node, {"body": body or [ast.Pass()]})
            return better
    return None


def _binds(statements: list[ast.stmt], name: str | None) -> bool:
    """Whether anything in the statements binds the name."""
    return any(bound_name(part) == name for statement in statements for part in ast.walk(statement))
