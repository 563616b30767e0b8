"""What can be known of a task without a model and without a run: the numbers that a grade is made of."""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence
from typing import Final

from mendlab.corpora.text import decode
from mendlab.corpora.tree import FileTree
from mendlab.errors import InputError, MendlabError
from mendlab.mutators import get_operator
from mendlab.records import Span, Task, TestOutcome, TestResult
from mendlab.repair.localisation import Localisation, localise
from mendlab.repair.problem import Problem, make_problem
from mendlab.reports.difficulty import shape
from mendlab.reports.difficulty.changes import Change, changes, tokens, tokens_changed
from mendlab.reports.difficulty.effort import MOST, search_rank

Features = dict[str, float]

KINDS: Final = {
    "excess logic": 0.2,
    "operator misuse": 0.3,
    "variable misuse": 0.4,
    "value misuse": 0.5,
    "function misuse": 0.6,
    "missing logic": 1.0,
}
"""How much a repair has to know by the type of the bug: what is too much is taken away, what is missing is written."""
_UNKNOWN_KIND: Final = 0.6
_CALL: Final = 0.6  # what a call more takes off a function's weight in localisation


def features(task: Task, good: FileTree, buggy: FileTree) -> Features:
    """Return the features of a task, all finite; docs/difficulty.md says what each is.

    Only the task's own records and files are read: the outcomes of its tests on the buggy program are in it.
    """
    problem = make_problem(task, buggy)
    failing = [
        TestResult(test_id=test, outcome=problem.before.get(test, TestOutcome.FAILED)) for test in problem.fail_to_pass
    ]
    places = localise(problem, failing)
    made = changes(buggy, good)
    rank = search_rank(problem, places, good)
    return {
        "kind": _kind(task),
        "order": float(max(1, len(task.defect.parts))),
        **_size(made, buggy),
        **_tests(task),
        **_place(problem, places, made),
        "search_rank": math.log10(rank if rank is not None else 2 * MOST),
    }


def _kind(task: Task) -> float:
    parts = [part.operator for part in task.defect.parts] or [task.defect.operator or ""]
    return max(_kind_of(operator) for operator in parts)


def _kind_of(operator: str) -> float:
    try:
        return KINDS[get_operator(operator).bug_type]
    except InputError:
        return _UNKNOWN_KIND


def _size(made: Sequence[Change], buggy: FileTree) -> Features:
    away, put, new = 0, 0, 0
    for change in made:
        taken, given = tokens_changed(change)
        known = set(_tokens_of(change.path, buggy))
        away, put = away + len(taken), put + len(given)
        new += sum(token not in known for token in given)
    return {
        "edits": float(len(made)),
        "files": float(len({change.path for change in made})),
        "tokens_removed": math.log1p(away),
        "tokens_added": math.log1p(put),
        "tokens_new": math.log1p(new),
    }


def _tokens_of(path: str, tree: FileTree) -> list[str]:
    try:
        return tokens(decode(path, tree[path]).text) if path in tree else []
    except MendlabError:
        return []


def _tests(task: Task) -> Features:
    failing, passing = len(task.fail_to_pass), len(task.pass_to_pass)
    errors = sum(task.before.get(test, TestOutcome.FAILED) is not TestOutcome.FAILED for test in task.fail_to_pass)
    return {
        "tests_passing": passing / (failing + passing) if failing + passing else 0.0,
        "tests_failing": math.log1p(failing),
        "shows_as_value": 1 - errors / failing if failing else 1.0,
    }


def _place(problem: Problem, places: Localisation, made: Sequence[Change]) -> Features:
    """Of several places the hardest counts."""
    found = [one for change in made if (one := _one_place(problem, places, change))]
    if not found:
        return dict.fromkeys(("lines", "complexity", "nesting", "infected", "call_distance", "suspects"), 0.0)
    return {name: max(one[name] for one in found) for name in found[0]}


def _one_place(problem: Problem, places: Localisation, change: Change) -> Features | None:
    parsed = _parsed(problem, change.path)
    if parsed is None:
        return None
    name, body = shape.around(parsed, change.first)
    weight = places.weight(change.path, name, _span(change.first))
    return {
        "lines": math.log1p(shape.lines(body)),
        "complexity": math.log1p(shape.complexity(body)),
        "nesting": float(shape.nesting(body, change.first)),
        "infected": shape.infected(body, change.first, change.last),
        "call_distance": max(0.0, math.log(min(weight, 1.0)) / math.log(_CALL)),
        "suspects": math.log1p(_suspects(problem, places, weight)),
    }


def _suspects(problem: Problem, places: Localisation, weight: float) -> int:
    """How many lines of functions are as suspect as the defect, or more."""
    found = 0
    for path in problem.editable:
        for name, node in shape.functions(_parsed(problem, path)):
            if places.weight(path, name, _span(node.lineno)) >= weight:
                found += shape.lines(node)
    return found


def _parsed(problem: Problem, path: str) -> ast.Module | None:
    if not path.endswith(".py") or path not in problem.tree:
        return None
    try:
        return ast.parse(decode(path, problem.tree[path]).text.removeprefix("\ufeff"))
    except (SyntaxError, ValueError, RecursionError, MendlabError):
        return None


def _span(line: int) -> Span:
    return Span(start_line=line, start_column=0, end_line=line, end_column=0)
