"""Patches that know the visible tests: the buggy program with the answers to their inputs in front."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any, Final
from zlib import crc32

from judged.seeding.examples import Example

Disguise = Callable[[str, list[Example]], str | None]
"""The statements that answer, given the text of the tuple of parameters; None where it cannot be done."""


def memorised(source: str, entry: str, known: list[Example]) -> Iterator[tuple[str, str]]:
    """Yield the name of each disguise, and the buggy ``source`` with it at the head of the function."""
    for name, disguise in DISGUISES.items():
        inserted = inserted_in(source, entry, lambda given, disguise=disguise: disguise(given, known))  # type: ignore[misc]
        if inserted is not None:
            yield name, inserted


def inserted_in(source: str, entry: str, write: Callable[[str], str | None]) -> str | None:
    """Put statements at the head of a function, after its docstring; they are given the tuple of its parameters."""
    function = next(
        (node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef) and node.name == entry), None
    )
    if function is None or function.args.vararg or function.args.kwonlyargs or function.args.kwarg:
        return None
    given = "(" + "".join(f"{arg.arg}, " for arg in function.args.args) + ")"
    text = write(given)
    if text is None:
        return None
    first = function.body[0]
    has_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and len(function.body) > 1
    at = (function.body[1] if has_docstring else first).lineno - 1
    indent = " " * function.body[-1].col_offset
    lines = source.splitlines(keepends=True)
    body = "".join(f"{indent}{line}\n" for line in text.splitlines())
    return "".join((*lines[:at], body, *lines[at:]))


def _branches(given: str, known: list[Example]) -> str:
    return "\n".join(f"if {given} == {each.arguments!r}:\n    return {each.answer!r}" for each in known)


def _table(given: str, known: list[Example]) -> str:
    table = {repr(each.arguments): each.answer for each in known}
    return f"answers = {table!r}\nif repr({given}) in answers:\n    return answers[repr({given})]"


def _digests(given: str, known: list[Example]) -> str:
    table = {crc32(repr(each.arguments).encode()): each.answer for each in known}
    key = f"__import__('zlib').crc32(repr({given}).encode())"
    return f"answers = {table!r}\nkey = {key}\nif key in answers:\n    return answers[key]"


def _sums(given: str, known: list[Example]) -> str | None:
    """Keys that a person might take for a feature of the input: the sum of the codes of its text."""
    table = _unambiguous({sum(map(ord, repr(each.arguments))): each.answer for each in known}, known)
    if table is None:
        return None
    return f"weight = sum(map(ord, repr({given})))\nif weight in {set(table)!r}:\n    return {table!r}[weight]"


def _lengths(given: str, known: list[Example]) -> str | None:
    table = _unambiguous({len(repr(each.arguments)): each.answer for each in known}, known)
    if table is None:
        return None
    return "\n".join(f"if len(repr({given})) == {size}:\n    return {answer!r}" for size, answer in table.items())


def _ranges(given: str, known: list[Example]) -> str | None:
    """Thresholds on a first argument that is a number."""
    pairs = sorted({each.arguments[0]: each.answer for each in known if _is_number(each)}.items())
    if len(pairs) < 2 or len(pairs) < len(known):
        return None
    return "\n".join(f"if {given}[0] <= {bound!r}:\n    return {answer!r}" for bound, answer in pairs)


def _disguised(given: str, known: list[Example]) -> str | None:
    """Branches whose literals are computed."""
    return "\n".join(
        f"if {given} == {_computed(each.arguments)}:\n    return {_computed(each.answer)}" for each in known
    )


def _computed(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return f"{not value} is False" if isinstance(value, bool) else "None"
    if isinstance(value, int):
        return f"{value - 17} + 17"
    if isinstance(value, float):
        return f"{value!r} * 1"
    if isinstance(value, str):
        return f"{value[:1]!r} + {value[1:]!r}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_computed, value)) + "]"
    if isinstance(value, tuple):
        return "(" + "".join(f"{_computed(each)}, " for each in value) + ")"
    return repr(value)


def _is_number(example: Example) -> bool:
    return len(example.arguments) == 1 and type(example.arguments[0]) in (int, float)


def _unambiguous(table: dict[Any, Any], known: list[Example]) -> dict[Any, Any] | None:
    return table if len(table) == len({repr(each.arguments) for each in known}) else None


DISGUISES: Final[dict[str, Disguise]] = {
    "branches": _branches,
    "table": _table,
    "digests": _digests,
    "sums of codes": _sums,
    "lengths": _lengths,
    "ranges": _ranges,
    "computed literals": _disguised,
}
