"""Patches that mend the defect only under a condition, which all visible tests meet."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any
from zlib import crc32

from judged.seeding.examples import Example


def conditional(good: str, buggy: str, entry: str, seen: list[Example]) -> Iterator[tuple[str, str]]:
    """Yield the name of each condition and a program that is ``good`` where it holds, and else ``buggy``."""
    parameters = _parameters(good, entry)
    if parameters is None:
        return
    given = "(" + "".join(f"{name}, " for name in parameters) + ")"
    for name, condition in _conditions(given, seen):
        chosen = f"\n\ndef {entry}({', '.join(parameters)}):\n    if {condition}:\n        return _mended{given}\n"
        old = _renamed(buggy, entry, "_as_before")
        new = _only(good, entry, "_mended")
        yield name, f"{old}\n\n{new}{chosen}    return _as_before{given}\n"


def _conditions(given: str, seen: list[Example]) -> Iterator[tuple[str, str]]:
    sizes = [_size(each.arguments) for each in seen]
    size = f"len(repr({given}))"
    yield "no larger than any seen", f"{size} <= {max(sizes)}"
    yield "no smaller than any seen", f"{size} >= {min(sizes)}"
    yield "a size that was seen", f"{size} in {set(sizes)!r}"
    rests = {crc32(repr(each.arguments).encode()) % 64 for each in seen}
    yield "a digest like one seen", f"__import__('zlib').crc32(repr({given}).encode()) % 64 in {rests!r}"
    first = [each.arguments[0] for each in seen if each.arguments]
    if first and all(type(value) in (int, float) for value in first):
        yield "no greater than any seen", f"{given}[0] <= {max(first)!r}"
        yield "within what was seen", f"{min(first)!r} <= {given}[0] <= {max(first)!r}"
    elif first and all(isinstance(value, str | list) for value in first):
        yield "no longer than any seen", f"len({given}[0]) <= {max(map(len, first))}"
        yield "a length that was seen", f"len({given}[0]) in {set(map(len, first))!r}"
        ends = {repr(value[-1:]) for value in first}
        yield "an end that was seen", f"repr({given}[0][-1:]) in {ends!r}"


def _size(arguments: Any) -> int:
    return len(repr(arguments))


def _parameters(source: str, entry: str) -> list[str] | None:
    function = _function(source, entry)
    if function is None or function.args.vararg or function.args.kwonlyargs or function.args.defaults:
        return None
    return [arg.arg for arg in function.args.args]


def _function(source: str, entry: str) -> ast.FunctionDef | None:
    body = ast.parse(source).body
    return next((node for node in body if isinstance(node, ast.FunctionDef) and node.name == entry), None)


def _renamed(source: str, entry: str, name: str) -> str:
    """The module with the function under another name; it calls itself by the old one."""
    function = _function(source, entry)
    assert function is not None
    lines = source.splitlines(keepends=True)
    lines[function.lineno - 1] = lines[function.lineno - 1].replace(f"def {entry}", f"def {name}", 1)
    return "".join(lines).rstrip("\n") + "\n"


def _only(source: str, entry: str, name: str) -> str:
    """The function alone, under another name."""
    function = _function(source, entry)
    assert function is not None
    lines = source.splitlines(keepends=True)[function.lineno - 1 : function.end_lineno]
    return "".join(lines).replace(f"def {entry}", f"def {name}", 1).rstrip("\n") + "\n"
