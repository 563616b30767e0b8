"""Which functions of a program call one another, as far as their names tell."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Mapping

Place = tuple[str, str | None]
"""A function: its file, and its qualified name as mutants have it; None is the module's own level."""


class Calls:
    """The calls in the files of a program, found by name: who calls ``name`` or ``x.name`` is linked to each ``name``.

    Args:
        texts: path to source text; what does not parse has no calls.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._called: dict[Place, set[str]] = defaultdict(set)
        for path, text in texts.items():
            try:
                self._read(ast.parse(text.removeprefix("\ufeff")), path, None)
            except (SyntaxError, ValueError, RecursionError):
                continue

    def linked(self, one: Place, other: Place) -> bool:
        """Whether one of two functions calls the other."""
        return _name(other) in self._called.get(one, ()) or _name(one) in self._called.get(other, ())

    def _read(self, node: ast.AST, path: str, inside: str | None, joint: str = ".") -> None:
        for child in ast.iter_child_nodes(node):
            match child:
                case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                    self._called[path, inside].add(name)
                    self._read(child, path, inside, joint)
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                    self._read(child, path, name if inside is None else f"{inside}{joint}{name}", ".<locals>.")
                case ast.ClassDef(name=name):
                    self._read(child, path, name if inside is None else f"{inside}{joint}{name}", ".")
                case _:
                    self._read(child, path, inside, joint)


def _name(place: Place) -> str | None:
    """What a call of the function says: its own name, or its class for a constructor."""
    if place[1] is None:
        return None
    *outer, name = place[1].split(".")
    return outer[-1] if name == "__init__" and outer else name
