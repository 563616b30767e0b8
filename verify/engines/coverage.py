"""Which statements each test runs, and from that which tests can notice a change."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import CodeType

from mendlab.corpora.python_source import end_line, first_line

COMMON = ""
EVERYWHERE = "*"
UNSEEN = 0


@dataclass(frozen=True, slots=True)
class Coverage:
    """Lines by test id and path, of statements the first. Under ``""`` is what every test depends on: imports.

    Of a test with the path ``"*"`` it is not known what it runs: it starts processes, say. Of a file with the line 0
    among its lines it is not known which of it run.

    ``files`` are lines, likewise, by file of tests: what runs when it is collected by itself. On what other files
    import its tests do not depend.

    ``leaning`` are tests that do not pass without others that run before.
    """

    lines: Mapping[str, Mapping[str, frozenset[int]]]
    leaning: frozenset[str] = frozenset()
    files: Mapping[str, Mapping[str, frozenset[int]]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        told: Mapping[str, Mapping[str, Sequence[int]]],
        files: Mapping[str, Mapping[str, Sequence[int]]] | None = None,
        *,
        exclude: Collection[str],
        unsure: Collection[str] = (),
        leaning: Collection[str] = (),
    ) -> Coverage:
        """Make it from lists of lines, without the files in ``exclude``; ``unsure`` are tests that may run anything."""
        lines, of_files = (
            {
                name: {path: frozenset(numbers) for path, numbers in ran.items() if path not in exclude}
                for name, ran in part.items()
            }
            for part in (told, files or {})
        )
        for test_id in unsure:
            lines.setdefault(test_id, {})[EVERYWHERE] = frozenset({1})
        return cls(lines, frozenset(leaning), of_files)

    def reaching(self, path: str, source: str, start_line: int, end_line: int) -> frozenset[str]:
        """Return the tests that may notice a change of lines ``start_line`` to ``end_line`` of a file.

        Those which run any line of the statement that holds the change; where that runs at import, those whose file
        comes by it when it is collected by itself. A statement that leaves no code of its own counts as the one around
        it.
        """
        lines = statement_lines(source, start_line, end_line)
        return self.running(path) if lines is None else self._running(path, lines | {UNSEEN})

    def running(self, path: str) -> frozenset[str]:
        """Return the tests that may notice any change of a file: those which run some of it, all if nothing is run."""
        known = (ran.get(path, frozenset()) for part in (self.lines, self.files) for ran in part.values())
        lines = frozenset[int]().union(*known)
        return self._running(path, lines) if lines else frozenset(self.lines) - {COMMON}

    def _running(self, path: str, lines: frozenset[int]) -> frozenset[str]:
        def comes_by(ran: Mapping[str, frozenset[int]]) -> bool:
            return EVERYWHERE in ran or not lines.isdisjoint(ran.get(path, frozenset()))

        common = comes_by(self.lines.get(COMMON, {}))
        files = {file: comes_by(ran) for file, ran in self.files.items()}

        def depends(test_id: str) -> bool:
            return common if test_id in self.leaning else files.get(test_id.partition("::")[0], common)

        tests = self.lines.keys() - {COMMON}
        return frozenset(test_id for test_id in tests if comes_by(self.lines[test_id]) or depends(test_id))


def statement_lines(source: str, start_line: int, end_line: int) -> frozenset[int] | None:
    """Return the lines of the smallest statement with code around a stretch of lines; None means it can't be told."""
    parsed = _parse(source)
    if parsed is None:
        return None
    tree, with_code = parsed
    for statement in reversed(list(_around(tree, start_line, end_line))):
        lines = frozenset(range(*_own_lines(statement, end_line)))
        if lines & with_code:
            return lines
    return None


@lru_cache(maxsize=256)
def _parse(source: str) -> tuple[ast.Module, frozenset[int]] | None:
    try:
        tree = ast.parse(source)
        return tree, frozenset(_code_lines(compile(tree, "<source>", "exec")))
    except (SyntaxError, ValueError, RecursionError):
        return None


def _code_lines(code: CodeType) -> Iterator[int]:
    yield from (line for _, _, line in code.co_lines() if line)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code_lines(constant)


def _around(tree: ast.AST, start_line: int, stop_line: int) -> Iterator[ast.stmt]:
    """Yield the statements that hold the lines, from the outermost in."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.stmt):
            if not first_line(child) <= start_line <= stop_line <= end_line(child):
                continue
            yield child
        yield from _around(child, start_line, stop_line)


def _own_lines(statement: ast.stmt, stop_line: int) -> tuple[int, int]:
    """Return the range of lines of a statement: of one with a body, its head, unless the change goes beyond it."""
    body = getattr(statement, "body", None)
    if body and stop_line < body[0].lineno:
        return first_line(statement), body[0].lineno
    return first_line(statement), end_line(statement) + 1
