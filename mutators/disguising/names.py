"""Other names for what functions bind: the same ones in both programs of a task."""

from __future__ import annotations

import ast
import builtins
import random
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Final

from mendlab.mutators.disguising.rewriting.rules import Function, Program, Scope, mentions

_WORDS: Final = (
    *("amount", "bucket", "chunk", "cursor", "detail", "draft", "entry", "extent", "factor", "figure", "former"),
    *("given", "holder", "latter", "ledger", "marker", "member", "moment", "notion", "outset", "parcel", "pivot"),
    *("portion", "reading", "record", "region", "remnant", "sample", "segment", "share", "slot", "sketch", "tally"),
)

_Place = tuple[str, int]


def rename_locals(
    good: str, buggy: str, kept: Collection[str], rng: random.Random, spared: Collection[str] = ()
) -> tuple[str, str, int]:
    """Return both programs with other names for local variables, and how many were renamed.

    The spared functions stay as they are. Kept are the names given, those that a function in either program shares with
    an inner scope it cannot be followed into, and all that are not variables alone.
    """
    taken = set(kept) | set(mentions(ast.parse(good))) | set(mentions(ast.parse(buggy)))
    words = [word for word in _WORDS if word not in taken]
    rng.shuffle(words)
    count = 0
    others = _by_place(buggy)
    for place, function in _by_place(good, spared).items():
        free = _locals(good, function)
        if place in others:
            free &= _locals(buggy, others[place]) | (free - set(mentions(others[place])))
        mapping = dict(zip(sorted(free - set(kept)), _fresh(words, taken), strict=False))
        if mapping:
            count += len(mapping)
            good, buggy = (_renamed(text, place, mapping) for text in (good, buggy))
    return good, buggy, count


def _fresh(words: list[str], taken: set[str]) -> list[str]:
    numbered = (f"{word}_{number}" for number in (2, 3) for word in words)
    return [*words, *(word for word in numbered if word not in taken)]


def _locals(text: str, function: Function) -> set[str]:
    """The names that a function binds, if only plain names mention them: not declared, imported, caught or matched."""
    if any(isinstance(node, ast.ClassDef | ast.Global | ast.Nonlocal) for node in ast.walk(function)):
        return set()
    scope = Scope(function, defined=Program(text).defined)
    parameters = {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
    names = scope.bound - parameters - scope.defined - vars(builtins).keys()
    return {name for name in names if scope.mentions[name] == _plain(function, name)}


def _plain(function: Function, name: str) -> int:
    return sum(isinstance(node, ast.Name) and node.id == name for node in ast.walk(function))


def _by_place(text: str, spared: Collection[str] = ()) -> dict[_Place, Function]:
    """The functions of a program that are not spared, by qualified name and how many of that name stand before."""
    seen: Counter[str] = Counter()
    found = {}
    for name, function in Program(text, spared).named():
        found[name, seen[name]] = function
        seen[name] += 1
    return found


def _renamed(text: str, place: _Place, mapping: Mapping[str, str]) -> str:
    """The program with names changed in one of its functions."""
    function = _by_place(text).get(place)
    return text if function is None else Program(text).replaced(function, lambda made: _rename(made, mapping))


def _rename(function: Function, mapping: Mapping[str, str]) -> None:
    for node in ast.walk(function):
        if isinstance(node, ast.Name):
            node.id = mapping.get(node.id, node.id)
