"""What the tests of a task say in literals: arguments of the function, and the answer to them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mendlab.records import FunctionHarness, Task


@dataclass(frozen=True, slots=True)
class Example:
    """A call in a test; ``answer`` is what it must return where ``known``."""

    test_id: str
    arguments: tuple[Any, ...]
    answer: Any = None
    known: bool = False


def entry_point(task: Task) -> str | None:
    """The one function that the tests of a task call, if it is one."""
    harness = task.harness
    names = harness.entry_points if isinstance(harness, FunctionHarness) else None
    return names[0] if names and len(names) == 1 else None


def examples(task: Task) -> list[Example]:
    """The examples in all tests of a task, visible and held out."""
    entry = entry_point(task)
    assert isinstance(task.harness, FunctionHarness)
    steps = [step for group in task.harness.groups for step in group.steps if step.test_id is not None]
    return [example for step in steps for example in _examples(step.code, step.test_id or "", {entry, "candidate"})]


def visible(task: Task) -> tuple[str, ...]:
    """The tests that a repairer sees."""
    return tuple(test for test in (*task.fail_to_pass, *task.pass_to_pass) if test not in task.held_out)


def _examples(code: str, test_id: str, names: set[str | None]) -> Iterator[Example]:
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return
    answers = {id(call): answer for call, answer in _compared(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
            try:
                arguments = tuple(ast.literal_eval(each) for each in node.args)
            except (ValueError, TypeError, SyntaxError):
                continue
            if node.keywords:
                continue
            if id(node) in answers:
                try:
                    yield Example(test_id, arguments, ast.literal_eval(answers[id(node)]), True)
                    continue
                except (ValueError, TypeError, SyntaxError):
                    pass
            yield Example(test_id, arguments)


def _compared(tree: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right]):
                yield left, right
                yield right, left
