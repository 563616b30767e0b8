"""A mutant that must be killed: where it lives, or the good tree fails, no verdict of the engine means anything.

A function that the tests run is made to raise. A program may catch what its helpers raise, so several functions are
tried, of each file in turn those that most tests run; one of them must be noticed.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Final

from mendlab.corpora.candidates import LoadedSubject
from mendlab.corpora.functions import FunctionNode, named_functions
from mendlab.corpora.python_source import PythonSource, end_line, first_line, parse_python
from mendlab.corpora.text import decode
from mendlab.errors import EngineError, InputError
from mendlab.records import TestOutcome
from mendlab.verify.engines.coverage import COMMON, Coverage
from mendlab.verify.engines.engine import Engine, RunOptions

RAISES: Final = "raise RuntimeError('canary')"
MOST_TRIED: Final = 10
_BOM: Final = "\ufeff"


@dataclass(frozen=True, slots=True)
class Canary:
    """A function that raises at once: where, and the change as engines take it."""

    function: str
    path: str
    line: int
    data: bytes

    @property
    def changes(self) -> dict[str, bytes | None]:
        """The changed file."""
        return {self.path: self.data}

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: +{RAISES}"


@dataclass(frozen=True, slots=True)
class _Place:
    source: PythonSource
    name: str
    start: ast.stmt
    tests: int
    at_import: bool


def canaries(loaded: LoadedSubject, coverage: Coverage | None, files: Sequence[str] | None = None) -> Iterator[Canary]:
    """Yield canaries: functions that do something, and whose first statement tests run by themselves.

    Of each file the one that most tests run comes before all second ones. Only where there is none, what runs at import
    too and what may be run are taken. Without ``coverage`` every function may be run; ``files`` are all source files
    if None.
    """
    places = [
        place
        for path in loaded.subject.source_files if files is None or path in files
        for place in _places(path, loaded, coverage)
    ]  # fmt: skip
    for place in _in_turn([place for place in places if place.tests and not place.at_import] or places):
        yield _raising(place, loaded.tree[place.source.path])


def _in_turn(places: Sequence[_Place]) -> list[_Place]:
    ranked = [
        (rank, -place.tests, place)
        for _, group in groupby(places, lambda place: place.source.path)
        for rank, place in enumerate(sorted(group, key=lambda place: -place.tests))
    ]
    return [place for *_, place in sorted(ranked, key=lambda item: item[:2])]


def check_canary(
    engine: Engine,
    loaded: LoadedSubject,
    coverage: Coverage | None,
    tests: Sequence[str],
    files: Sequence[str] | None = None,
) -> Canary:
    """Return the first canary that an engine kills, once the good tree passes.

    Raises:
        EngineError: all live, or there is none, or the good tree fails. The engine fails by itself.
    """
    options = RunOptions(tests=tests, stop_at_first=True)
    clean = [result for result in engine.run({}, options).results if result.outcome is not TestOutcome.PASSED]
    subject = loaded.subject.id
    if clean:
        what = f"{clean[0].test_id} does not pass on the good tree ({clean[0].outcome}), where it passed before"
        raise EngineError(what, where=subject, hint="run again on a quieter machine, or leave that test out")
    tried = list(islice(canaries(loaded, coverage, files), MOST_TRIED))
    for canary in tried:
        if any(_tells(result.outcome) for result in engine.run(canary.changes, options).results):
            return canary
    if not tried:
        what = "no mutant that must be killed can be made: its tests run none of its functions"
        hint = "its tests must call the code in this folder, and not an installed copy of it"
        raise EngineError(what, where=subject, hint=hint)
    names = ", ".join(canary.function for canary in tried)
    what = f"no test fails where {names} raises at once, so nothing that its tests say can be trusted"
    hint = (
        "make one of these raise by hand and run the tests: do they catch every exception, or test an installed copy?"
    )
    raise EngineError(what, where=subject, hint=hint)


def _tells(outcome: TestOutcome) -> bool:
    return outcome not in (TestOutcome.PASSED, TestOutcome.MISSING)


def _places(path: str, loaded: LoadedSubject, coverage: Coverage | None) -> Iterator[_Place]:
    """The functions of a file that do something and that tests run, or may run where that is not known."""
    with contextlib.suppress(InputError):
        source = parse_python(path, loaded.tree[path])
        for name, node in named_functions(source.tree):
            start = _start(node)
            if start is None:
                continue
            if coverage is None:
                yield _Place(source, name, start, 0, False)
                continue
            lines = frozenset(range(first_line(start), end_line(start) + 1))
            own = sum(not lines.isdisjoint(run.get(path, ())) for test, run in coverage.lines.items() if test != COMMON)
            at_import = not lines.isdisjoint(coverage.lines.get(COMMON, {}).get(path, ()))
            text = "".join(source.lines)
            if own or at_import or coverage.reaching(path, text, min(lines), max(lines)):
                yield _Place(source, name, start, own, at_import)


def _start(function: FunctionNode) -> ast.stmt | None:
    """The first statement of a function after its docstring; None if all that it does is to stand for another."""
    has_docstring = ast.get_docstring(function, clean=False) is not None
    body = function.body[has_docstring:]
    return body[0] if any(not _is_stub(statement) for statement in body) else None


def _is_stub(statement: ast.stmt) -> bool:
    match statement:
        case ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Raise(exc=ast.Name(id="NotImplementedError") | ast.Call(func=ast.Name(id="NotImplementedError"))):
            return True
        case _:
            return False


def _raising(place: _Place, data: bytes) -> Canary:
    """Put the statement before the first one: on a line of its own, or on the line of what has none for itself."""
    start = place.start
    lines = list(place.source.lines)
    number = first_line(start)
    line = lines[number - 1]
    column = len(line) - len(line.lstrip(" \t\f"))
    if number == start.lineno and line.encode()[: start.col_offset].strip():
        column = place.source.column(number, start.col_offset)
        lines[number - 1] = f"{line[:column]}{RAISES}; {line[column:]}"
    else:
        lines.insert(number - 1, f"{line[:column]}{RAISES}\n")
    text, encoding = decode(place.source.path, data)
    mark = _BOM if text.startswith(_BOM) else ""
    return Canary(place.name, place.source.path, number, f"{mark}{''.join(lines)}".encode(encoding))
