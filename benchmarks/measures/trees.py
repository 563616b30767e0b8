"""Equal programs: equal syntax trees, docstrings dropped."""

from __future__ import annotations

import ast
import warnings


def normal(text: str) -> str | None:
    """The syntax tree of a module as text, docstrings and positions left out; ``None`` if it does not parse."""
    tree = parsed(text)
    if tree is None:
        return None
    drop_docstrings(tree)
    return ast.dump(tree)


def parsed(text: str | bytes) -> ast.Module | None:
    """The tree, or ``None`` if there is none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def drop_docstrings(tree: ast.AST) -> None:
    """Take the docstrings out of a tree."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
            continue
        match node.body:
            case [ast.Expr(value=ast.Constant(value=str())), *rest]:
                node.body = rest
