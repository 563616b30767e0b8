"""A module told apart: what is the program, and what is its tests and only serves them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from mendlab.corpora.split_tests import bound_names, is_test_function, used_names

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True, slots=True)
class ModuleParts:
    """What is taken out of a module, in order. ``statements`` are the asserts and what prepares for them.

    ``moved`` is everything that leaves the module; ``not_run`` stays, for it cannot be run here.
    """

    statements: list[ast.stmt]
    preparation: list[ast.stmt]
    test_functions: list[ast.FunctionDef]
    main_block: list[ast.stmt]
    moved: list[ast.stmt]
    not_run: list[_Definition]


def take_apart(tree: ast.Module) -> ModuleParts:
    """Tell the program from its tests.

    A statement prepares for tests if the program has no use for it, and it either gives tests a name they use, or
    uses a name that such a statement gives, or stands after the first assert. Imports move only in the first case.
    """
    body = tree.body
    functions = [node for node in body if isinstance(node, ast.FunctionDef) and is_test_function(node)]
    asserts = [node for node in body if _is_assert(node)]
    blocks = [node for node in body if any(_is_assert(each) for each in _main_block(node))]
    tests: list[ast.stmt] = [*functions, *asserts, *blocks]
    program = _program(body, tests)
    preparation = _preparation([n for n in body if n not in tests and n not in program], asserts, tests)
    statements = [node for node in body if node in asserts or node in preparation]
    return ModuleParts(
        statements=statements,
        preparation=[node for node in statements if node not in asserts],
        test_functions=functions,
        main_block=[each for block in blocks for each in _main_block(block)],
        moved=[node for node in body if node in tests or node in preparation],
        not_run=[
            node for node in body if isinstance(node, _Definition) and node not in tests and _looks_like_test(node)
        ],
    )


def _program(body: Sequence[ast.stmt], tests: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The definitions that are no tests, and every statement that gives them, directly or not, a name they use."""
    found = [n for n in body if n not in tests and (_defines(n) or any(_dunder(name) for name in bound_names([n])))]
    while True:
        wanted = used_names(found)
        more = [n for n in body if n not in tests and (n in found or bound_names([n]) & wanted)]
        if len(more) == len(found):
            return found
        found = more


def _preparation(rest: Sequence[ast.stmt], asserts: Sequence[ast.stmt], tests: Sequence[ast.stmt]) -> list[ast.stmt]:
    first = asserts[0].lineno if asserts else None
    found = [n for n in rest if first is not None and n.lineno > first and not _imports(n)]
    while True:
        wanted, given = used_names([*tests, *found]), bound_names(found)
        more = [
            n for n in rest if n in found or bound_names([n]) & wanted or (used_names([n]) & given and not _imports(n))
        ]
        if len(more) == len(found):
            return found
        found = more


def _is_assert(node: ast.stmt) -> bool:
    return not _main_block(node) and not _defines(node) and any(isinstance(each, ast.Assert) for each in ast.walk(node))


def _main_block(node: ast.stmt) -> list[ast.stmt]:
    """What stands in a block ``if __name__ == "__main__":``; nothing if the statement is another."""
    match node:
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__"), ops=[ast.Eq()]), body=body, orelse=[]):
            return body
    return []


def _defines(node: ast.stmt) -> bool:
    return any(isinstance(each, _Definition) for each in ast.walk(node))


def _imports(node: ast.stmt) -> bool:
    return any(isinstance(each, ast.Import | ast.ImportFrom) for each in ast.walk(node))


def _dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _looks_like_test(node: _Definition) -> bool:
    if not isinstance(node, ast.ClassDef):
        return node.name.startswith("test_")
    methods = (each.name for each in node.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef))
    return any(name.startswith("test") for name in methods)
