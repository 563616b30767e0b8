"""Doctests as steps: the examples of a docstring, run and compared by the standard library's doctest."""

from __future__ import annotations

import ast
import doctest
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mendlab.corpora.candidates import Refusal
from mendlab.corpora.python_source import parse_python
from mendlab.corpora.split_tests import used_names
from mendlab.errors import InputError
from mendlab.records import Step

DOCTEST = "doctest:"
"""What the ids of tests that are doctests begin with."""
DOCTEST_SETUP = '''\
import doctest as _doctest
import io as _io

def _run_doctest(name, docstring):
    """Run the examples of a docstring on a copy of the names here, and raise AssertionError unless all hold."""
    examples = _doctest.DocTestParser().get_doctest(docstring, dict(globals()), name, None, 0)
    report = _io.StringIO()
    results = _doctest.DocTestRunner(verbose=False).run(examples, out=report.write)
    assert not results.failed, report.getvalue()
'''

_Documented = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True, slots=True)
class Doctest:
    """A docstring with examples, the qualified name of what it documents, and the names that the examples use."""

    name: str
    docstring: str
    names: frozenset[str]

    def step(self) -> Step:
        """Return the test ``doctest:NAME``, to be run after :data:`DOCTEST_SETUP`."""
        return Step(code=f"_run_doctest({self.name!r}, {self.docstring!r})", test_id=f"{DOCTEST}{self.name}")


def doctests_of(tree: ast.Module, path: Path) -> list[Doctest | Refusal]:
    """Return the docstrings of a module that have an example which is not skipped, in order of position.

    Functions inside functions are left out, as doctest itself leaves them out. A docstring with examples that are not
    written as doctest wants them is a refusal.
    """
    found: list[Doctest | Refusal] = []
    for name, node in _documented(tree, path.stem, ""):
        docstring = ast.get_docstring(node, clean=False) or ""
        try:
            examples = doctest.DocTestParser().get_examples(docstring, name)
        except ValueError as error:
            found.append(Refusal(f"{DOCTEST}{name}", f"{path}: {error}"))
            continue
        examples = [each for each in examples if not each.options.get(doctest.SKIP)]
        if examples:
            names = frozenset[str]().union(*(_names(each.source) for each in examples))
            found.append(Doctest(name, docstring, names))
    return found


def _documented(node: _Documented, name: str, prefix: str) -> Iterator[tuple[str, _Documented]]:
    yield name, node
    if isinstance(node, ast.Module | ast.ClassDef):
        for child in node.body:
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield from _documented(child, prefix + child.name, f"{prefix}{child.name}.")


def _names(example: str) -> frozenset[str]:
    try:
        return used_names([parse_python("example", example).tree])
    except InputError:  # an example of a syntax error
        return frozenset()
