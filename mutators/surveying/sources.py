"""The source files to mutate: a file, those of a directory, or those of subjects, each decoded as it declares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mendlab.corpora.candidates import LoadedSubject, Refusal
from mendlab.corpora.directories import read_directory
from mendlab.corpora.functions import functions_of
from mendlab.corpora.subjects import read_subjects
from mendlab.corpora.text import decode, read_regular
from mendlab.errors import InputError, MendlabError
from mendlab.mutators.context.tree import parse
from mendlab.mutators.enumeration import enumerate_mutants
from mendlab.mutators.mutant import Mutant


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A Python file that can be mutated.

    ``path`` is what its mutants call it, ``functions`` are qualified names.
    """

    path: str
    text: str
    encoding: str
    functions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sources:
    """The files that were found, in order of path, and why others cannot be read."""

    files: tuple[SourceFile, ...]
    refusals: tuple[Refusal, ...]


def read_path(path: Path) -> Sources:
    """Return a file, called by its name, or every ``.py`` file below a directory, called by their paths in it.

    Raises:
        InputError: a single file is not Python or cannot be read; a directory cannot be read or has no Python in it.
        SubjectError: there is more in a directory than a program has.
    """
    if not path.is_dir():
        return Sources((_source(path.name, read_regular(path), str(path)),), ())
    content = read_directory(path, use_git=False)
    names = [name for name in content.tree if name.endswith(".py")]
    files, refusals = _readable((name, content.tree[name], str(path / name)) for name in names)
    refusals = [*(each for each in content.refusals if each.id.endswith(".py")), *refusals]
    if not files and not refusals:
        raise InputError("there is no Python file in it", where=path, hint="name a .py file or a folder of them")
    return Sources(tuple(files), tuple(refusals))


def read_specification(spec: str) -> Sources:
    """Return the files of a path as :func:`read_path` does, or the source files of the subjects that a text names.

    Raises:
        InputError, FormatError, SubjectError: nothing can be read from it at all.
    """
    path = Path(spec)
    if path.is_dir() or (path.is_file() and path.suffix == ".py"):
        return read_path(path)
    found = list(read_subjects(spec))
    subjects = [item for item in found if isinstance(item, LoadedSubject)]
    files, refusals = _readable(
        (f"{each.subject.id}:{name}", each.tree[name], f"{each.subject.id}:{name}")
        for each in subjects
        for name in each.subject.source_files
    )
    return Sources(tuple(files), (*(item for item in found if isinstance(item, Refusal)), *refusals))


def mutants_of(
    source: SourceFile, operators: Sequence[str] | None, left_out: Counter[str] | None = None
) -> Iterator[Mutant]:
    """Yield the mutants of a file that its encoding can hold; arguments are as for :func:`enumerate_mutants`."""
    for mutant in enumerate_mutants(source.text, operators=operators, path=source.path, left_out=left_out):
        try:
            "".join(edit.text for edit in mutant.edits).encode(source.encoding)
        except UnicodeEncodeError:
            continue
        yield mutant


def _readable(found: Iterable[tuple[str, bytes, str]]) -> tuple[list[SourceFile], list[Refusal]]:
    files, refusals = [], []
    for name, data, where in found:
        try:
            files.append(_source(name, data, where))
        except MendlabError as error:
            refusals.append(Refusal(name, str(error)))
    return files, refusals


def _source(name: str, data: bytes, where: str) -> SourceFile:
    functions = tuple(each.qualified_name for each in functions_of(where, data))
    text, encoding = decode(where, data)
    try:
        parse(text, where)
    except InputError as error:
        what = "Python accepts this file, but the parser that mendlab uses cannot read it"
        raise InputError(what, where=error.where, hint="leave it out") from error
    return SourceFile(name, text, encoding, functions)
