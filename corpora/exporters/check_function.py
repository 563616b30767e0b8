"""The test program of a function harness as HumanEval has it: ``def check(f)``, and a call of it."""

from __future__ import annotations

import ast
from collections.abc import Collection

from mendlab.corpora.python_source import indented, parse_python
from mendlab.errors import FormatError
from mendlab.records import FunctionHarness, StepGroup


def check_program(harness: FunctionHarness, tests: Collection[str], entry_point: str) -> str:
    """Return the program of these tests. Further groups, whose names are apart, become functions that ``check`` calls.

    Raises:
        FormatError: a group cannot stand inside a function, or has none of the tests in the first place.
    """
    groups = [group for group in harness.groups if any(step.test_id in tests for step in group.steps)]
    if not groups:
        raise FormatError("it has no test")
    first, *more = groups
    setup, parameter = _parameter(first.setup, entry_point)
    helpers = [
        f"def further_tests_{number}():\n{indented(group.setup + _body(group, tests))}"
        for number, group in enumerate(more, start=1)
    ]
    for text in helpers:
        _require_inside(text)
    calls = "".join(f"further_tests_{number}()\n" for number, _ in enumerate(more, start=1))
    body = indented(_body(first, tests) + calls)
    parts = [setup, *helpers, f"def check({parameter}):\n{body}", f"check({entry_point})"]
    program = "\n\n".join(part.strip("\n") for part in parts if part.strip())
    parse_python("the test program", program)
    return "\n\n\n" + program + "\n"


def _parameter(setup: str, entry_point: str) -> tuple[str, str]:
    """The setup, and what ``check`` calls the function: another name where the setup ends by giving it one."""
    source = parse_python("setup", setup)
    if source.tree.body:
        match source.tree.body[-1]:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=same)) as last if same == entry_point:
                return "".join(source.lines[: last.lineno - 1]), name
    return setup, entry_point


def _body(group: StepGroup, tests: Collection[str]) -> str:
    """The steps, without tests that judge nothing."""
    kept = [step.code for step in group.steps if step.test_id is None or step.test_id in tests]
    return "".join(f"{code}\n" for code in kept)


def _require_inside(function: str) -> None:
    for node in ast.walk(parse_python("tests", function).tree):
        if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names):
            raise FormatError("its tests import everything of a module, which no function can")
