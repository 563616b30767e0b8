"""Statements that do nothing or are never reached."""

from __future__ import annotations

import ast

from mendlab.mutators.equivalents import Facts, rule
from mendlab.mutators.equivalents.shapes import is_inert, leaves
from mendlab.mutators.validity.trees import copied


@rule(
    statements=(
        ast.Pass,
        ast.Expr,
    ),
    examples=[("pass\nreturn a", "return a"), ("a\n'text'\nreturn b", "a\nreturn b"), ("if a: 1", "if a: pass")],
    near=[("a\nreturn b", "return b"), ("if a: pass", "pass")],
)
def statement_that_does_nothing(suite: list[ast.stmt], facts: Facts) -> list[ast.stmt] | None:
    """``pass`` and literals standing by themselves do nothing."""
    kept = [s for s in suite if not isinstance(s, ast.Pass) and not _is_literal(s)]
    if len(kept) == len(suite):
        return None
    return kept or ([ast.Pass()] if len(suite) > 1 or not isinstance(suite[0], ast.Pass) else None)


def _is_literal(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


@rule(
    statements=(
        ast.Return,
        ast.Raise,
        ast.Break,
        ast.Continue,
        ast.If,
    ),
    examples=[("return a\nprint(b)", "return a"), ("for x in a:\n    break\n    print(x)", "for x in a:\n    break")],
    near=[
        ("return a\nyield b", "return a"),
        ("if a: return a\nreturn b", "if a: return a"),
        ("print(c)\nreturn a\nc = b", "print(c)\nreturn a"),
    ],
)
def statement_after_a_jump(suite: list[ast.stmt], facts: Facts) -> list[ast.stmt] | None:
    """What follows a return, raise, break or continue in its suite never runs.

    It goes only if it binds no name and is no yield, which would count even though they never run.
    """
    for index, statement in enumerate(suite[:-1]):
        if leaves(statement):
            return suite[: index + 1] if all(is_inert(s) for s in suite[index + 1 :]) else None
    return None


@rule(
    statements=(ast.If,),
    examples=[("if a:\n    return 1\nelse:\n    return b", "if a:\n    return 1\nreturn b")],
    near=[("if a:\n    print(1)\nelse:\n    print(2)", "if a:\n    print(1)\nprint(2)")],
)
def else_after_a_jump(suite: list[ast.stmt], facts: Facts) -> list[ast.stmt] | None:
    """Where the first branch of an if always leaves, its else is what comes next anyway."""
    for index, statement in enumerate(suite):
        if isinstance(statement, ast.If) and statement.orelse and leaves(statement.body[-1]):
            bare = copied(statement, {"orelse": []})
            return [*suite[:index], bare, *statement.orelse, *suite[index + 1 :]]
    return None


@rule(
    statements=(
        ast.If,
        ast.While,
    ),
    examples=[
        ("if True: return a", "return a"),
        ("if 0:\n    return a\nelse:\n    return b", "return b"),
        ("while False: print(a)\nreturn b", "return b"),
    ],
    near=[
        ("if a: return b", "return b"),
        ("if False: b = 1\nreturn b", "return b"),
        ("if False: yield a\nreturn b", "return b"),
    ],
)
def branch_by_a_constant(suite: list[ast.stmt], facts: Facts) -> list[ast.stmt] | None:
    """Of an if with a literal for its condition one branch runs, of ``while False`` only the else.

    The other goes only if it binds no name and is no yield, which would count even though they never run.
    """
    for index, statement in enumerate(suite):
        match statement:
            case ast.If(test=ast.Constant(value=value), body=body, orelse=orelse):
                chosen, dropped = (body, orelse) if value else (orelse, body)
            case ast.While(test=ast.Constant(value=value), body=dropped, orelse=chosen) if not value:
                pass
            case _:
                continue
        if all(is_inert(s) for s in dropped):
            return [*suite[:index], *chosen, *suite[index + 1 :]] or [ast.Pass()]
    return None


@rule(
    statements=(ast.Assert,),
    examples=[("assert True, a.b\nreturn a", "return a"), ("assert 1\nreturn a", "return a")],
    near=[("assert a\nreturn a", "return a"), ("assert False\nreturn a", "return a")],
)
def assertion_of_a_constant(suite: list[ast.stmt], facts: Facts) -> list[ast.stmt] | None:
    """An assertion of a true literal never fails, and its message is not worked out."""
    kept = [s for s in suite if not _is_true_assertion(s)]
    return (kept or [ast.Pass()]) if len(kept) < len(suite) else None


def _is_true_assertion(statement: ast.stmt) -> bool:
    match statement:
        case ast.Assert(test=ast.Constant(value=value), msg=message) if value:
            return message is None or is_inert(message)
    return False


@rule(
    examples=[
        ("if a: print(b)\nelse: pass\nreturn a", "if a: print(b)\nreturn a"),
        ("for x in a: print(x)\nelse: pass", "for x in a: print(x)"),
    ],
    near=[("if a: pass\nelse: print(b)", "if a: pass"), ("try: print(a)\nexcept a: pass", "print(a)")],
)
def else_that_does_nothing(node: ast.If | ast.For | ast.While | ast.Try, facts: Facts) -> ast.stmt | None:
    """An else of nothing but ``pass`` does nothing."""
    match node.orelse:
        case [ast.Pass()]:
            better: ast.stmt = copied(node, {"orelse": []})
            return better
    return None


@rule(
    examples=[("if a:\n    pass\nelse:\n    return b", "if not a:\n    return b")],
    near=[("if a:\n    pass\nelse:\n    return b", "if a:\n    return b"), ("if a: pass", "if not a: print(1)")],
)
def empty_first_branch(node: ast.If, facts: Facts) -> ast.stmt | None:
    """An if that does nothing, with an else that does, is the negated if."""
    match node:
        case ast.If(test=test, body=[ast.Pass()], orelse=[_, *_]) if not isinstance(node.orelse[0], ast.Pass):
            return ast.If(ast.UnaryOp(ast.Not(), test), node.orelse, [])
    return None
