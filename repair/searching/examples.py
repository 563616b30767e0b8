"""Examples in a problem's statement, as assertions: they tell plausible patches apart, and decide nothing alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import Final

from mendlab.corpora.text import decode
from mendlab.records import FunctionHarness
from mendlab.repair.problem import Problem

_ARROWS: Final = re.compile(r"\s*(?:==>|=>|->|➞|→|==|=|returns?|should return|should be|#)\s*:?\s*")
_MOST: Final = 12
_LONGEST: Final = 300
_CLOSING: Final = ")]}'\""


def examples(problem: Problem) -> list[str]:
    """Return the examples that call a function which the tests call too: doctests, and ``f(1) == 2`` with its like."""
    if not isinstance(problem.harness, FunctionHarness):
        return []
    names = problem.harness.entry_points or _defined(problem)
    found: dict[str, None] = {}
    for text in (problem.statement, *_docstrings(problem)):
        for name in names:
            found.update(dict.fromkeys(_in_text(text, name)))
    return list(found)[:_MOST]


def _in_text(text: str, name: str) -> Iterator[str]:
    for match in re.finditer(rf"(?<![\w.]){re.escape(name)}\(", text):
        rest = text[match.start() :]
        call = _longest(rest.partition("\n")[0], lambda node: isinstance(node, ast.Call))
        if call is None:
            continue
        behind = rest[len(call) :]
        arrow = _ARROWS.match(behind)
        line = behind.partition("\n")
        if line[0].strip() == "":
            expected = line[2].partition("\n")[0].strip()
        elif arrow:
            expected = behind[arrow.end() :].partition("\n")[0].strip()
        else:
            continue
        value = _longest(expected, _is_literal)
        if value is not None:
            yield f"assert {call} == {value}"


def _longest(text: str, suits: Callable[[ast.expr], bool]) -> str | None:
    """The longest beginning of a line that is an expression which suits."""
    for end in range(min(len(text), _LONGEST), 0, -1):
        if text[end - 1] in _CLOSING or (text[end - 1].isalnum() and not text[end : end + 1].isalnum()):
            try:
                node = ast.parse(text[:end], mode="eval").body
            except (SyntaxError, ValueError):
                continue
            if suits(node):
                return text[:end]
    return None


def _is_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError):
        return False
    return True


def _docstrings(problem: Problem) -> Iterator[str]:
    for node in _functions(problem):
        text = ast.get_docstring(node)
        if text:
            yield text


def _defined(problem: Problem) -> tuple[str, ...]:
    return tuple(node.name for node in _functions(problem))


def _functions(problem: Problem) -> Iterator[ast.FunctionDef]:
    for path in problem.editable:
        if path in problem.tree:
            try:
                tree = ast.parse(decode(path, problem.tree[path]).text.removeprefix("\ufeff"))
            except (SyntaxError, ValueError, RecursionError):
                continue
            yield from (node for node in tree.body if isinstance(node, ast.FunctionDef))
