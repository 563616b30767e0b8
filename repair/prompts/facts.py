"""What a prompt is told of a problem: its files, its failing tests with their output, and where to look."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, final

from mendlab.corpora.text import decode
from mendlab.records import FunctionHarness, Harness, ScriptHarness, Span, TestOutcome, TestResult
from mendlab.repair.context import RepairContext
from mendlab.repair.localisation import Localisation, localise
from mendlab.repair.problem import Problem

TESTS_SHOWN: Final = 5
_OUTPUT_CHARACTERS: Final = 1500
_CODE_CHARACTERS: Final = 3000
_FILE_CHARACTERS: Final = 120_000
_PLACES: Final = 5
_CHANGING: Final = (
    (re.compile(r"\b0x[0-9a-fA-F]{6,}\b"), "0x..."),
    (re.compile(r"(?<=\bin )\d+\.\d+ ?s(?:econds)?\b"), "... s"),
    (re.compile(r"/tmp/[\w./-]*?(?=/[\w-]+\.py\b)"), "/tmp"),
)
"""What differs between two runs of the same tests: addresses, durations, places of scratch."""


@final
@dataclass(frozen=True, slots=True)
class ShownFile:
    """A file that may be changed; ``text`` is ``None`` where there is no room for all of them."""

    path: str
    text: str | None


@final
@dataclass(frozen=True, slots=True)
class ShownTest:
    """A failing test: its code, where it has a text of its own, and what it says."""

    id: str
    outcome: str
    code: str | None
    output: str


@final
@dataclass(frozen=True, slots=True)
class Place:
    """A line that may be at fault."""

    path: str
    line: int
    text: str


def known_facts(context: RepairContext) -> dict[str, Any]:
    """Return what every template is told; the failing tests are run for it."""
    problem = context.problem
    failing = failing_tests(context)
    suspects = localise(problem, failing)
    ordered = sorted(problem.editable, key=lambda path: not suspects.reaches(path))
    return {
        "kind": problem.kind,
        "statement": problem.statement.strip(),
        "files": _files(problem, ordered),
        "tests": shown_tests(problem.harness, failing),
        "more_tests": max(0, len(failing) - TESTS_SHOWN),
        "places": list(_named(problem, _lines(context, suspects))),
    }


def failing_tests(context: RepairContext) -> tuple[TestResult, ...]:
    """Return how the visible tests fail on the buggy tree; one that is known to hang is not run to see it again."""
    problem = context.problem
    endless = [test for test in problem.fail_to_pass if problem.before.get(test) is TestOutcome.TIMEOUT]
    wanted = tuple(test for test in problem.fail_to_pass if test not in endless)
    ran: tuple[TestResult, ...] = ()
    if wanted:
        with context.open_tests(problem.limits) as tests:
            ran = tests.run({}, wanted).failing()
    return ran + tuple(TestResult(test_id=test, outcome=TestOutcome.TIMEOUT) for test in sorted(endless))


def shown_tests(harness: Harness, failing: Sequence[TestResult]) -> list[ShownTest]:
    """Return the first failing tests as they are shown."""
    return [
        ShownTest(
            result.test_id,
            result.outcome.value.replace("_", " "),
            trimmed(code, _CODE_CHARACTERS) if (code := _code(harness, result.test_id)) else None,
            trimmed(steady(result.message), _OUTPUT_CHARACTERS),
        )
        for result in failing[:TESTS_SHOWN]
    ]


def steady(text: str) -> str:
    """Return output without what changes from run to run, so that the same problem makes the same request."""
    for pattern, instead in _CHANGING:
        text = pattern.sub(instead, text)
    return text.strip()


def trimmed(text: str, most: int) -> str:
    """Return the beginning and the end of a text that is longer than ``most`` characters."""
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]}\n... {len(text) - 2 * half} characters left out ...\n{text[-half:]}"


def _files(problem: Problem, ordered: Sequence[str]) -> list[ShownFile]:
    found = []
    left = _FILE_CHARACTERS
    for path in ordered:
        if path in problem.tree:
            text = decode(path, problem.tree[path]).text.removeprefix("\ufeff")
            shown = len(text) <= left
            left -= len(text) if shown else 0
            found.append(ShownFile(path, text.rstrip("\n") if shown else None))
    return found


def _code(harness: Harness, test: str) -> str | None:
    match harness:
        case FunctionHarness():
            for group in harness.groups:
                if any(step.test_id == test for step in group.steps):
                    steps = (step.code for step in group.steps if step.test_id is None or step.test_id == test)
                    return "\n".join(filter(str.strip, (group.setup, *steps)))
        case ScriptHarness():
            return harness.scripts.get(test)
    return None


def _lines(context: RepairContext, suspects: Localisation) -> Sequence[tuple[str, int]]:
    match context.prompting.localisation:
        case "none":
            return ()
        case "true":
            return context.true_lines
        case "search":
            return _likeliest(context.problem, suspects)


def _named(problem: Problem, lines: Iterable[tuple[str, int]]) -> Iterator[Place]:
    for path, line in lines:
        text = decode(path, problem.tree[path]).text.split("\n") if path in problem.tree else []
        if 1 <= line <= len(text):
            yield Place(path, line, text[line - 1].strip())


def _likeliest(problem: Problem, suspects: Localisation) -> list[tuple[str, int]]:
    """The lines that search holds to be likeliest."""
    found = [
        (
            -suspects.weight(path, function, Span(start_line=line, start_column=0, end_line=line, end_column=0)),
            path,
            line,
        )
        for path in problem.editable
        if path.endswith(".py") and path in problem.tree
        for function, line in _statements(decode(path, problem.tree[path]).text.removeprefix("\ufeff"))
    ]
    return [(path, line) for _, path, line in sorted(found)[:_PLACES]]


def _statements(source: str) -> Iterator[tuple[str | None, int]]:
    """The first line of each statement within a function, with the function's qualified name."""
    try:
        module = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    waiting: list[tuple[ast.AST, str, str | None]] = [(module, "", None)]
    while waiting:
        node, prefix, function = waiting.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                name = prefix + child.name
                waiting.append((child, f"{name}.<locals>.", name))
                continue
            if isinstance(child, ast.ClassDef):
                waiting.append((child, f"{prefix}{child.name}.", None))
                continue
            if isinstance(child, ast.stmt) and function is not None and not _is_docstring(child):
                yield function, child.lineno
            waiting.append((child, prefix, function))


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
