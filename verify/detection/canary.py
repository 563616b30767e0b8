"""A mutant that must be killed: where it lives, or the good tree fails, no verdict of the engine means anything.

A function that the tests run is made to raise. A program may catch what its helpers raise, so a few functions are
tried, those that most tests run first; one of them must be noticed.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
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
MOST_TRIED: Final = 3
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
    node: FunctionNode
    tests: int
    at_import: bool


def canaries(loaded: LoadedSubject, coverage: Coverage | None, files: Sequence[str] | None = None) -> Iterator[Canary]:
    """Yield a canary for each function of a subject that its tests run: those first that most of them run.

    What already runs at import comes last. Without ``coverage`` every function may be run; ``files`` are all source
    files if None.
    """
    places = [
        place
        for path in loaded.subject.source_files if files is None or path in files
        for place in _places(path, loaded, coverage)
    ]  # fmt: skip
    for place in sorted(places, key=lambda place: (place.at_import, -place.tests)):
        if place.tests or coverage is None:
            yield _raising(place, loaded.tree[place.source.path])


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
        raise EngineError(what, where=subject, hint="see which code its tests reach")
    names = ", ".join(canary.function for canary in tried)
    what = f"no test fails where {names} raises at once, so nothing that its tests say can be trusted"
    raise EngineError(what, where=subject, hint="look whether its tests catch every exception")


def _tells(outcome: TestOutcome) -> bool:
    return outcome not in (TestOutcome.PASSED, TestOutcome.MISSING)


def _places(path: str, loaded: LoadedSubject, coverage: Coverage | None) -> Iterator[_Place]:
    with contextlib.suppress(InputError):
        source = parse_python(path, loaded.tree[path])
        text = "".join(source.lines)
        for name, node in named_functions(source.tree):
            start = _start(node)
            first, last = first_line(start), end_line(start)
            if coverage is None:
                yield _Place(source, name, node, 0, False)
                continue
            imported = coverage.lines.get(COMMON, {}).get(path, frozenset())
            tests = len(coverage.reaching(path, text, first, last))
            yield _Place(source, name, node, tests, not imported.isdisjoint(range(first, last + 1)))


def _start(function: FunctionNode) -> ast.stmt:
    """The first statement of a function that does something."""
    has_docstring = ast.get_docstring(function, clean=False) is not None
    return function.body[1] if has_docstring and len(function.body) > 1 else function.body[0]


def _raising(place: _Place, data: bytes) -> Canary:
    """Put the statement before the first one: on a line of its own, or on the line of what has none for itself."""
    start = _start(place.node)
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
