"""Whether a test skips a case: its condition worked out from the syntax tree, without running anything."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from mendlab.errors import FormatError

_PYTEST_FLAGS = {"run_slow": False, "use_correct": True}


def condition_holds(test: ast.expr, arguments: Mapping[str, Any], *, where: str) -> bool:
    """Return the truth of comparisons of arguments with literals, joined by ``and``, ``or`` and ``not``.

    ``pytest.run_slow`` is false and ``pytest.use_correct`` true, as in the short run of the correct programs.

    Raises:
        FormatError: the condition is something else.
    """
    try:
        return bool(_value(test, arguments))
    except (ValueError, KeyError, TypeError) as error:
        raise FormatError(f"skips under a condition that cannot be read: {ast.unparse(test)}", where=where) from error


def _value(node: ast.expr, arguments: Mapping[str, Any]) -> Any:
    match node:
        case ast.Name(id=name):
            return arguments[name]
        case ast.Attribute(value=ast.Name(id="pytest"), attr=flag):
            return _PYTEST_FLAGS[flag]
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not _value(operand, arguments)
        case ast.BoolOp(op=ast.And(), values=values):
            return all(_value(each, arguments) for each in values)
        case ast.BoolOp(op=ast.Or(), values=values):
            return any(_value(each, arguments) for each in values)
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            return _value(left, arguments) == _value(right, arguments)
    return ast.literal_eval(node)
