"""One sign that the audit finds in a module."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

Severity = Literal["tampering", "suspicious"]


class Sign(NamedTuple):
    """A sign in a module: its name, how bad it is, where it stands, and its code in short."""

    name: str
    severity: Severity
    line: int
    code: str


Rule = Callable[[ast.Module], Iterator[Sign]]


def make_sign(name: str, severity: Severity, node: ast.stmt | ast.expr | ast.excepthandler) -> Sign:
    """A sign with the first line of its code."""
    code = ast.unparse(node).split("\n")[0]
    return Sign(name, severity, node.lineno, code if len(code) <= 80 else code[:77] + "...")
