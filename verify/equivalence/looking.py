"""What is looked at: arguments by tests after a call, attributes by a program."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache

from mendlab.corpora.text import decode
from mendlab.corpora.tree import FileTree
from mendlab.records import FunctionHarness, PytestHarness, Task

ENTRY = "candidate"
"""What tests call the function that they are given."""


def looks_at_arguments(task: Task, good: FileTree, name: str) -> bool:
    """Whether tests read what they gave to a function, by its qualified name, after the call; or it can't be told."""
    return any(_looks(code, {ENTRY, name.rpartition(".")[2]}) for code in _codes(task, good))


def reads_attribute(sources: Iterable[str], name: str) -> bool:
    """Whether a program may read an attribute of that name."""
    return any(name == read or (read.startswith("__") and name.endswith(read)) for read in _read_names(tuple(sources)))


@lru_cache(maxsize=32)
def _read_names(sources: tuple[str, ...]) -> frozenset[str]:
    """Names of attributes that are read, and texts that may be such names; ``__dict__`` has them all."""
    found: set[str] = set()
    every: set[str] = set()
    for source in sources:
        for node in ast.walk(ast.parse(source)):
            match node:
                case ast.AugAssign(target=ast.Attribute(attr=name)) | ast.Attribute(attr=name, ctx=ast.Load()):
                    found.add(name)
                case ast.Constant(value=str(text)):
                    found.add(text)
                case ast.Name(id="vars" | "dir"):
                    found.add("__dict__")
            if isinstance(node, ast.Attribute):
                every.add(node.attr)
    return frozenset(found | every if "__dict__" in found else found)


def _codes(task: Task, good: FileTree) -> Iterator[str]:
    match task.harness:
        case FunctionHarness() as harness:
            for group in harness.groups:
                yield "\n".join([group.setup, *(step.code for step in group.steps)])
        case PytestHarness() as harness:
            for path in harness.test_files:
                if path in good and path.endswith(".py"):
                    yield decode(path, good[path]).text


def _looks(code: str, names: set[str]) -> bool:
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return any(_looks_in(list(ast.walk(scope)), names) for scope in (tree, *functions))


def _looks_in(nodes: Iterable[ast.AST], names: set[str]) -> bool:
    given: dict[str, tuple[int, int]] = {}
    for node in nodes:
        if isinstance(node, ast.Call) and _last_name(node.func) in names:
            for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
                for part in ast.walk(argument):
                    if isinstance(part, ast.Attribute):
                        return True
                    if isinstance(part, ast.Name):
                        end = (node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)
                        given[part.id] = min(given.get(part.id, end), end)
    return any(
        isinstance(node, ast.Name)
        and isinstance(node.ctx, ast.Load)
        and node.id in given
        and (node.lineno, node.col_offset) >= given[node.id]
        for node in nodes
    )


def _last_name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""
