"""Assignments of constants to local variables."""

from __future__ import annotations

import ast

from mendlab.mutators.equivalents import Facts, rule


def _constant_target(statement: ast.stmt, facts: Facts) -> str | None:
    """The local variable to which a statement assigns a literal or an empty list or dictionary."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if facts.local and name not in facts.shared:
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
    ],
)
def constants_side_by_side(suite: list[ast.stmt], facts: Facts) -> list[ast.stmt] | None:
    """Neighbouring assignments of literals to local variables cannot fail or see each other, so order is nothing.

    Of two to the same variable the later counts.
    """
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
    examples=[("x = 1\nreturn a", "x = 2\nreturn a"), ("unused = []\nreturn a", "return a")],
    near=[
        ("x = 1\nreturn x", "return x"),
        ("x = a.b\nreturn a", "return a"),
        ("x = 1\nreturn list(locals())", "return list(locals())"),
        ("global x\nx = 1", "global x\nx = 2"),
    ],
)
def constant_never_read(suite: list[ast.stmt], facts: Facts) -> list[ast.stmt] | None:
    """To assign a literal to a local variable whose name the file never reads or deletes has no effect."""
    kept = [s for s in suite if _constant_target(s, facts) not in facts.unread]
    return (kept or [ast.Pass()]) if len(kept) < len(suite) else None
