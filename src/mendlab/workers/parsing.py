"""Syntax trees are made by one thread at a time.

CPython counts the levels of a tree that it makes in a place that all threads share (seen in 3.11). If the collector
runs a finalizer meanwhile, another thread may come in and parse, too, and one of them then raises a ``SystemError``:
"AST constructor recursion depth mismatch". Libraries parse as well, so it is :func:`ast.parse` that waits.
"""

from __future__ import annotations

import ast
import threading
from functools import wraps

_parse = ast.parse
_turn = threading.RLock()  # a finalizer may parse


@wraps(_parse)
def _in_turn(*args: object, **options: object) -> object:
    with _turn:
        return _parse(*args, **options)  # type: ignore[call-overload]


def parse_in_turn() -> None:
    """Let threads wait for each other in :func:`ast.parse` and what calls it, for as long as this process lives."""
    ast.parse = _in_turn  # type: ignore[assignment]
