"""What a statement can change of the whole function around it: which names are its own, and whether it generates."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

Function = ast.FunctionDef | ast.AsyncFunctionDef


def scope(body: Sequence[ast.stmt]) -> tuple[frozenset[str], frozenset[str], bool]:
    """Return the names that a body binds, those that it declares to be from outside, and whether it generates."""
    bound, declared, generating = set[str](), set[str](), False
    for node in own_nodes(body):
        match node:
            case ast.Yield() | ast.YieldFrom():
                generating = True
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                bound.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                bound.add(name)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                bound.add(name)
            case ast.MatchMapping(rest=str(name)):
                bound.add(name)
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                bound.update(alias.asname or alias.name.partition(".")[0] for alias in aliases)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                declared.update(f"{type(node).__name__} {name}" for name in names)
    return frozenset(bound), frozenset(declared), generating


def generates(function: Function) -> bool:
    """Whether a call of it runs nothing of its body: a generator."""
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in own_nodes(function.body))


def first_run(function: Function) -> ast.stmt:
    """Return the first statement of the body that has code: every call comes by it."""
    body = function.body
    return body[1] if len(body) > 1 and ast.get_docstring(function, clean=False) is not None else body[0]


def own_nodes(body: Sequence[ast.stmt]) -> Iterator[ast.AST]:
    """Yield the nodes of a body that belong to the function itself; targets of comprehensions are their own."""
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        yield node
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                waiting += [*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)]
            case ast.ClassDef():
                waiting += [*node.decorator_list, *node.bases, *node.keywords]
            case ast.Lambda():
                waiting += [*node.args.defaults, *filter(None, node.args.kw_defaults)]
            case ast.comprehension():
                waiting += [node.iter, *node.ifs]
            case _:
                waiting += ast.iter_child_nodes(node)
