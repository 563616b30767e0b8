"""Where the defect may be: by which lines tests run, where that is known, else by what the failing tests say.

With coverage, a line's suspicion is that of a formula of :mod:`mendlab.repair.searching.spectrum`. Without it, a line
in a traceback is hottest, then the functions that the failing tests name, then what those call, by distance. Names
stand for every function so called, which errs on the side of looking.
"""

from __future__ import annotations

import ast
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, final

from mendlab.corpora.text import decode
from mendlab.records import FunctionHarness, Harness, ScriptHarness, Span, TestResult
from mendlab.repair.problem import Problem

_HOT_LINE: Final = 4.0
_EACH_CALL: Final = 0.6  # a callee is that much less suspect than its caller
_UNREACHED: Final = 0.05
UNRUN: Final = 0.02
"""What is left for a line that no failing test runs: it may be run once another is changed."""
_FRAMES: Final = (
    re.compile(r'File "([^"\n]+)", line (\d+)'),
    re.compile(r"^([^\s:][^:\n]*\.py):(\d+):", re.MULTILINE),
)
_IDENTIFIER: Final = re.compile(r"[^\W\d]\w*")


@final
@dataclass(frozen=True, slots=True)
class Function:
    """A function of the buggy tree, its lines, and every name that its body uses."""

    path: str
    qualified_name: str
    lines: range
    uses: frozenset[str]

    @property
    def name(self) -> str:
        """The last part of the qualified name."""
        return self.qualified_name.rpartition(".")[2]


@final
class Localisation:
    """Suspicion by place: ``hot`` lines by file, the weight of each function that is reached, and the suspicion of
    ``lines`` by file, for the files of which that is known.
    """

    def __init__(
        self,
        hot: Mapping[str, frozenset[int]],
        functions: Mapping[tuple[str, str], float],
        lines: Mapping[str, Mapping[int, float]] | None = None,
    ) -> None:
        self._hot = hot
        self._functions = functions
        self._lines = lines or {}

    def weight(self, path: str, function: str | None, span: Span) -> float:
        """Return how suspect a stretch of text is: about 1 within a function that a failing test names."""
        if path in self._lines:
            known = self._lines[path]
            return (
                max((known.get(line, 0.0) for line in range(span.start_line, span.end_line + 1)), default=0.0) or UNRUN
            )
        heat = _HOT_LINE if any(span.start_line <= line <= span.end_line for line in self._hot.get(path, ())) else 1.0
        if function is None or not self._functions:
            return heat * (_EACH_CALL if self._functions else 1.0)
        return heat * self._functions.get((path, function), _UNREACHED)

    def is_run(self, path: str, first: int, last: int) -> bool:
        """Whether a failing test runs any of these lines, as far as lines are known."""
        known = self._lines.get(path, {})
        return any(known.get(line, 0.0) > UNRUN for line in range(first, last + 1))

    @property
    def knows_lines(self) -> bool:
        """Whether it is known of some file which lines are run."""
        return bool(self._lines)

    def reaches(self, path: str) -> bool:
        """Whether a failing test runs a line of this file or reaches a function of it, or nothing is known of any."""
        if self._lines:
            return path in self._lines
        return not self._functions or any(file == path for file, _ in self._functions)


def localise(
    problem: Problem, failing: Iterable[TestResult], lines: Mapping[str, Mapping[int, float]] | None = None
) -> Localisation:
    """Return where to look, from the results of the failing tests on the buggy tree.

    ``lines`` have suspicion by file and line, where coverage is known; each holds for all lines of its statement.
    """
    results = tuple(failing)
    messages = "\n".join(result.message for result in results)
    text = "\n".join([messages, *_test_texts(problem.harness, {result.test_id for result in results})])
    named = frozenset(_IDENTIFIER.findall(text)) | {part for r in results for part in _IDENTIFIER.findall(r.test_id)}
    functions = tuple(_functions(problem))
    hot = _hot_lines(messages, problem.editable)
    spread = _spread(functions, {f: w for f in functions if (w := _start(f, named, hot))})
    return Localisation(
        hot, spread, {path: _by_statement(problem, path, known) for path, known in (lines or {}).items()}
    )


def _by_statement(problem: Problem, path: str, known: Mapping[int, float]) -> dict[int, float]:
    """Give every line the suspicion of the smallest statement around it; a compound one ends where its body begins."""
    found = dict(known)
    try:
        tree = ast.parse(decode(path, problem.tree[path]).text.removeprefix("\ufeff"))
    except (SyntaxError, ValueError, RecursionError):
        return found
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            end = max(node.lineno + 1, body[0].lineno) if body else (node.end_lineno or node.lineno) + 1
            lines = range(node.lineno, end)
            score = max((known.get(line, 0.0) for line in lines), default=0.0)
            if score:
                found.update({line: max(score, found.get(line, 0.0)) for line in lines})
    return found


def _test_texts(harness: Harness, tests: set[str]) -> Iterator[str]:
    """The text of these tests, with the preparation that they share, as far as the harness has it."""
    if isinstance(harness, FunctionHarness):
        for group in harness.groups:
            if any(step.test_id in tests for step in group.steps):
                yield group.setup
                yield from (step.code for step in group.steps if step.test_id is None or step.test_id in tests)
    elif isinstance(harness, ScriptHarness):
        yield from (script for test, script in harness.scripts.items() if test in tests)


def _hot_lines(messages: str, files: tuple[str, ...]) -> dict[str, frozenset[int]]:
    frames = {(place, int(line)) for pattern in _FRAMES for place, line in pattern.findall(messages)}
    return {
        path: frozenset(line for place, line in frames if place == path or place.endswith(f"/{path}")) for path in files
    }


def _start(function: Function, named: frozenset[str], hot: Mapping[str, frozenset[int]]) -> float:
    """The weight that a function has by itself: in a traceback, named by a test, or of a class so named."""
    if function.name in named or any(line in function.lines for line in hot[function.path]):
        return 1.0
    outer = function.qualified_name.split(".")[:-1]
    return _EACH_CALL if any(part in named for part in outer) else 0.0


def _spread(functions: tuple[Function, ...], start: Mapping[Function, float]) -> dict[tuple[str, str], float]:
    """Carry the weights along the calls, each function keeping its largest."""
    by_name: dict[str, list[Function]] = {}
    for function in functions:
        by_name.setdefault(function.name, []).append(function)
    weights = dict(start)
    queue = deque(sorted(start, key=lambda function: -start[function]))
    while queue:
        caller = queue.popleft()
        for callee in (callee for name in caller.uses for callee in by_name.get(name, ())):
            weight = weights[caller] * _EACH_CALL
            if weight > weights.get(callee, _UNREACHED):
                weights[callee] = weight
                queue.append(callee)
    return {(function.path, function.qualified_name): weight for function, weight in weights.items()}


def _functions(problem: Problem) -> Iterator[Function]:
    for path in problem.editable:
        if path.endswith(".py") and path in problem.tree:
            try:
                module = ast.parse(decode(path, problem.tree[path]).text.removeprefix("\ufeff"))
            except (SyntaxError, ValueError, RecursionError):
                continue
            yield from _functions_in(module, path, "")


def _functions_in(node: ast.AST, path: str, prefix: str) -> Iterator[Function]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            name = prefix + child.name
            lines = range(child.lineno, (child.end_lineno or child.lineno) + 1)
            yield Function(path, name, lines, frozenset(_names_in(child)))
            yield from _functions_in(child, path, f"{name}.<locals>.")
        elif isinstance(child, ast.ClassDef):
            yield from _functions_in(child, path, f"{prefix}{child.name}.")
        else:
            yield from _functions_in(child, path, prefix)


def _names_in(node: ast.AST) -> Iterator[str]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name):
            yield inner.id
        elif isinstance(inner, ast.Attribute):
            yield inner.attr
