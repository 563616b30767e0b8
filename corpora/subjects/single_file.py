"""A single Python file that carries its tests: asserts at module level, functions ``test*``, doctests.

The subject's tree is the file without its tests: module-level asserts and what only prepares for them, test functions,
and a block ``if __name__ == "__main__":`` with asserts in it are taken out, whole lines, and become the harness. They
would otherwise run when a candidate is imported, beside the candidate and before any test. Doctests stay where they
are, and run from the docstrings that the subject has. A function that tests call is code under test, helpers too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from mendlab.corpora.candidates import LoadedSubject, Refusal
from mendlab.corpora.python_source import PythonSource, end_line, first_line, parse_python
from mendlab.corpora.split_tests import Splitter, bound_names, used_names
from mendlab.corpora.subjects.doctests import DOCTEST_SETUP, Doctest, doctests_of
from mendlab.corpora.subjects.function_subject import function_subject
from mendlab.corpora.subjects.module_parts import ModuleParts, take_apart
from mendlab.corpora.subjects.registry import Found, path_argument, subject_format
from mendlab.corpora.text import decode
from mendlab.errors import InputError, SubjectError
from mendlab.records import FunctionHarness, Provenance, Step, StepGroup

_NO_CODE = (ast.Import, ast.ImportFrom, ast.Expr)


def is_python_file(path: Path) -> bool:
    """Whether a path is a Python file."""
    return path.suffix == ".py" and path.is_file()


@subject_format("file", recognises=is_python_file)
def read_single_file(argument: str | None) -> Found:
    """One Python file with asserts, test functions or doctests in it."""
    path = path_argument("file", argument)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", where=path) from error
    source = parse_python(str(path), data)
    parts = take_apart(source.tree)
    doctests = doctests_of(source.tree, path)
    yield from _refusals(path, parts)
    yield from (each for each in doctests if isinstance(each, Refusal))
    yield _subject(path, data, source, parts, [each for each in doctests if isinstance(each, Doctest)])


def _subject(
    path: Path, data: bytes, source: PythonSource, parts: ModuleParts, doctests: list[Doctest]
) -> LoadedSubject:
    groups = tuple(_groups(source, parts, doctests))
    if not groups:
        hint = "add asserts, doctests or functions test_*, or name the project's directory if its tests are elsewhere"
        raise SubjectError("has no test in it", where=path, hint=hint)
    module = parse_python(path.name, _without(path, data, source, parts.moved))
    program = "".join(module.lines)
    if all(isinstance(node, _NO_CODE) for node in module.tree.body):
        hint = "name the project's directory, or the file that it tests"
        raise SubjectError("has tests, and no code under test", where=path, hint=hint)
    encoding = decode(path.name, data).encoding
    mark = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b""
    return function_subject(
        path.stem,
        mark + program.encode(encoding),
        FunctionHarness(module=path.name, entry_points=_entry_points(module, parts, doctests), groups=groups),
        statement=ast.get_docstring(source.tree) or "",
        provenance=Provenance(source=path.name),
    )


def _groups(source: PythonSource, parts: ModuleParts, doctests: list[Doctest]) -> Iterator[StepGroup]:
    """A group each for the statements at module level, for the main block, for the functions, and for the doctests."""
    preparation = [source.statement(node) for node in parts.preparation]
    for label, nodes in (("assert", parts.statements), ("main", parts.main_block)):
        steps = Splitter(source, label).split(nodes)
        if any(step.test_id for step in steps):
            setup = "" if nodes is parts.statements else _lines(preparation)
            yield StepGroup(setup=setup, steps=tuple(steps))
    if parts.test_functions:
        setup = _lines([*preparation, *map(source.statement, parts.test_functions)])
        calls = (Step(code=f"{node.name}()", test_id=node.name) for node in parts.test_functions)
        yield StepGroup(setup=setup, steps=tuple(calls))
    if doctests:
        yield StepGroup(setup=DOCTEST_SETUP, steps=tuple(each.step() for each in doctests))


def _entry_points(module: PythonSource, parts: ModuleParts, doctests: list[Doctest]) -> tuple[str, ...]:
    """The names that the module defines, imports apart, and its tests use: no step shows those used in doctests."""
    defined = bound_names(n for n in module.tree.body if not isinstance(n, ast.Import | ast.ImportFrom))
    used = used_names(parts.moved).union(*(each.names for each in doctests))
    return tuple(sorted(defined & used))


def _without(path: Path, data: bytes, source: PythonSource, moved: list[ast.stmt]) -> str:
    dropped: set[int] = set()
    for node in moved:
        if not source.stands_alone(node):
            where = f"{path}:{node.lineno}"
            raise InputError("a test shares its line with other code", where=where, hint="put it on a line of its own")
        dropped.update(range(first_line(node), end_line(node) + 1))
    return "".join(line for number, line in enumerate(source.lines, start=1) if number not in dropped)


def _refusals(path: Path, parts: ModuleParts) -> Iterator[Refusal]:
    for node in parts.not_run:
        reason = f"{path}:{node.lineno}: {node.name} needs pytest or unittest to run; make the file a project directory"
        yield Refusal(f"{path.stem}::{node.name}", reason)


def _lines(parts: list[str]) -> str:
    return "".join(f"{part}\n" for part in parts)
