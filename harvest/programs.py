"""Whether two versions of a Python file are the same program: equal syntax trees, comments and docstrings aside."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Any, Final

from mendlab.corpora.python_source import tree_if_any

_WithBody = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
_DEFINITION: Final = re.compile(rb"^[ \t]*(?:@|def |class |async def )", re.MULTILINE)


def same_program(old: bytes, new: bytes) -> bool:
    """Whether both do the same by their syntax alone. What this Python cannot parse is never the same.

    The definitions around the change are looked at first, which mostly settles that they differ. Where these stand in
    a docstring, a change of it may be taken for one of the program.
    """
    if old == new:
        return True
    return not _differ_nearby(old, new) and _equal(tree_if_any(old), tree_if_any(new))


def _differ_nearby(old: bytes, new: bytes) -> bool:
    """Whether the definitions that hold all of the change are whole, and differ."""
    shared = _shared(old, new)
    start = 0
    for match in _DEFINITION.finditer(old, 0, shared):
        start = match.start()
    tail = _shared(old[:shared:-1], new[:shared:-1])
    after = _DEFINITION.search(old, len(old) - tail)
    end = len(old) - after.start() if after else 0
    inside = b"if 1:\n" if old[start : start + 1] in (b" ", b"\t") else b""
    trees = [tree_if_any(inside + each[start : len(each) - end]) for each in (old, new)]
    return None not in trees and not _equal(*trees)


def _shared(left: bytes, right: bytes) -> int:
    """How many bytes two texts have in common at their beginning."""
    least, most = 0, min(len(left), len(right))
    while least < most:
        middle = (least + most + 1) // 2
        if left[least:middle] == right[least:middle]:
            least = middle
        else:
            most = middle - 1
    return least


def _equal(left: ast.Module | None, right: ast.Module | None) -> bool:
    """Compare two trees with a stack of our own, so that no nesting is too deep; stops at the first difference."""
    if left is None or right is None:
        return False
    waiting: list[tuple[Any, Any]] = [(left, right)]
    while waiting:
        one, other = waiting.pop()
        if type(one) is not type(other):
            return False
        if isinstance(one, ast.AST):
            waiting += [(_field(one, name), _field(other, name)) for name in one._fields]
        elif isinstance(one, list):
            if len(one) != len(other):
                return False
            waiting += zip(one, other, strict=True)
        elif one != other or repr(one) != repr(other):  # 0.0 and -0.0 are equal
            return False
    return True


def _field(node: ast.AST, name: str) -> Any:
    value: Any = getattr(node, name, None)
    return _without_docstring(value) if name == "body" and isinstance(node, _WithBody) else value


def _without_docstring(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    match list(body):
        case [ast.Expr(value=ast.Constant(value=str())), *rest]:
            return rest or [ast.Pass()]
        case statements:
            return statements or [ast.Pass()]
