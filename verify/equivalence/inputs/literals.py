"""The constants that code mentions: where a program turns on one, an input like it tells."""

from __future__ import annotations

import ast
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

LONGEST: Final = 40
MOST: Final = 60


@dataclass(frozen=True, slots=True)
class Literals:
    """Numbers, and texts, in order and each once. Booleans are none."""

    numbers: tuple[int | float, ...] = ()
    texts: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.numbers or self.texts)


def literals_of(sources: Iterable[str]) -> Literals:
    """Return the constants of sources; docstrings, and what does not parse, have none."""
    return _literals(_counted(sources))


def differing_literals(before: Iterable[str], after: Iterable[str]) -> Literals:
    """Return the constants that one has more often than the other."""
    old, new = _counted(before), _counted(after)
    return _literals([key for key in [*new, *old] if old[key] != new[key]])


def _literals(keys: Iterable[tuple[type, Any]]) -> Literals:
    values = [value for _, value in dict.fromkeys(keys)]
    numbers = tuple(value for value in values if not isinstance(value, str))
    return Literals(numbers[:MOST], tuple(value for value in values if isinstance(value, str))[:MOST])


def _counted(sources: Iterable[str]) -> Counter[tuple[type, Any]]:
    return Counter(constant for source in sources for constant in _usable(source))


@lru_cache(maxsize=64)
def _usable(source: str) -> tuple[tuple[type, Any], ...]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    return tuple((type(value), value) for value in _constants(tree) if _is_usable(value))


def _is_usable(value: object) -> bool:
    match value:
        case bool():
            return False
        case str():
            return len(value) <= LONGEST
        case float():
            return math.isfinite(value)
    return isinstance(value, int)


def _constants(tree: ast.AST) -> Iterator[Any]:
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Expr | ast.UnaryOp | ast.Constant)]
    silent = {id(node.value) for node in nodes if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)}
    for node in nodes:
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            match node.operand:
                case ast.Constant(value=int() | float() as value):
                    yield -value
        if isinstance(node, ast.Constant) and id(node) not in silent:
            yield node.value
