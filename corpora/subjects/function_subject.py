"""Subjects that are one module, tested by calls of its names."""

from __future__ import annotations

import ast

from mendlab.corpora.candidates import LoadedSubject
from mendlab.corpora.functions import functions_of
from mendlab.corpora.python_source import parse_python
from mendlab.corpora.split_tests import bound_names
from mendlab.corpora.tree import FileTree
from mendlab.errors import FormatError
from mendlab.records import FunctionHarness, Provenance, Subject


def function_subject(
    subject_id: str,
    program: str | bytes,
    harness: FunctionHarness,
    *,
    statement: str,
    provenance: Provenance,
    held_out: tuple[str, ...] = (),
) -> LoadedSubject:
    """Return a subject whose tree is the program alone, in the file that the harness names.

    Raises:
        InputError: the program is not Python.
        FormatError: it does not define an entry point.
    """
    data = program if isinstance(program, bytes) else program.encode()
    functions = functions_of(harness.module, data)
    missing = set(harness.entry_points or ()) - bound_names(parse_python(harness.module, data).tree.body)
    if missing:
        raise FormatError(f"the program does not define {', '.join(sorted(missing))}")
    tree = FileTree({harness.module: data})
    subject = Subject(
        id=subject_id,
        snapshot=tree.digest,
        harness=harness,
        source_files=(harness.module,),
        functions=functions,
        statement=statement,
        held_out=held_out,
        provenance=provenance,
    )
    return LoadedSubject(subject, tree)


def docstring_of(program: str, function: str) -> str:
    """Return the docstring of a function at module level, or the empty string."""
    for node in parse_python("solution.py", program).tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == function:
            return ast.get_docstring(node) or ""
    return ""
