"""A project directory with pytest tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mendlab.corpora.candidates import LoadedSubject, Refusal
from mendlab.corpora.directories import DirectoryContent, read_directory
from mendlab.corpora.functions import functions_of
from mendlab.corpora.git_read import head_commit, is_work_tree
from mendlab.corpora.pytest_layout import is_test_module, source_files, test_files, test_patterns
from mendlab.corpora.subjects.registry import Found, path_argument, subject_format
from mendlab.corpora.tree import FileTree
from mendlab.errors import InputError, SubjectError
from mendlab.records import FunctionInfo, Provenance, PytestHarness, Subject


@subject_format("project", recognises=Path.is_dir)
def read_project(argument: str | None) -> Found:
    """A Python project with pytest tests: a directory, of which the tracked files count if it is a git work tree."""
    path = path_argument("project", argument)
    if not path.is_dir():
        raise InputError("is no directory", where=path, hint="give a project directory")
    commit = head_commit(path) if is_work_tree(path) else None
    name = path.resolve().name
    return project_subject(name, path, read_directory(path), Provenance(source=name, commit=commit))


def project_subject(
    subject_id: str, root: Path, content: DirectoryContent, provenance: Provenance, statement: str = ""
) -> Iterator[LoadedSubject | Refusal]:
    """Yield the subject that a directory's content is, after a refusal for each file that is left out of it.

    A source file that does not parse stays in the tree, but is not among the source files.

    Raises:
        SubjectError: there are no tests, or nothing under test.
    """
    tree = content.tree
    patterns = _patterns(root, tree)
    require_tests(root, tree, patterns)
    yield from content.refusals
    sources, functions, unread = [], list[FunctionInfo](), list[Refusal]()
    for path in source_files(tree, patterns):
        try:
            functions += functions_of(path, tree[path])
            sources.append(path)
        except InputError as error:
            unread.append(
                Refusal(path, f"{root / str(error.where)}: {error.what}; it is not among the files under test")
            )
    yield from unread
    if not sources and unread:
        raise SubjectError(unread[0].reason, hint="mend it: no other Python file is under test")
    if not sources:
        hint = "files below test folders, setup.py and the documentation do not count"
        raise SubjectError("has no Python file under test", where=root, hint=hint)
    subject = Subject(
        id=subject_id,
        snapshot=tree.digest,
        harness=PytestHarness(test_files=test_files(tree, patterns)),
        source_files=tuple(sources),
        functions=tuple(functions),
        statement=statement,
        provenance=provenance,
    )
    yield LoadedSubject(subject, tree)


def require_tests(root: Path, tree: FileTree, patterns: tuple[str, ...]) -> None:
    """Raise a SubjectError if no file of a tree is a test module."""
    python = [path for path in tree if path.endswith(".py")]
    if not python:
        hint = "name a directory with Python files; in a git work tree, only tracked files count"
        raise SubjectError("there is no Python file in it", where=root, hint=hint)
    if not any(is_test_module(path, patterns) for path in python):
        what = f"no tests: none of its {len(python)} Python files is called {' or '.join(patterns)}"
        raise SubjectError(what, where=root, hint="add pytest tests, or set python_files in pytest's configuration")


def _patterns(root: Path, tree: FileTree) -> tuple[str, ...]:
    try:
        return test_patterns(tree)
    except InputError as error:
        raise InputError(error.what, where=root / str(error.where), hint="mend the file") from error
