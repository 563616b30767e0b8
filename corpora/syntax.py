"""Syntax trees of Python source, made by one thread at a time.

The parser of Python 3.11 counts the levels of a tree in a place that all threads share. Two that parse at once may
find it changed, and then raise a ``SystemError`` about a source that is right.
"""

from __future__ import annotations

import ast
from threading import Lock
from typing import Literal, overload

_ONE_AT_A_TIME = Lock()


@overload
def parse_tree(source: str | bytes) -> ast.Module: ...
@overload
def parse_tree(source: str | bytes, *, mode: Literal["eval"]) -> ast.Expression: ...
def parse_tree(source: str | bytes, *, mode: Literal["exec", "eval"] = "exec") -> ast.Module | ast.Expression:
    """Return the tree of a module, or of an expression with ``mode="eval"``; raises what :func:`ast.parse` does."""
    with _ONE_AT_A_TIME:
        return ast.parse(source) if mode == "exec" else ast.parse(source, mode="eval")
