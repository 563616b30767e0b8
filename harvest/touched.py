"""The functions that a change of source touches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mendlab.corpora.functions import functions_of
from mendlab.corpora.text import decode
from mendlab.corpora.unified import split_lines
from mendlab.errors import InputError
from mendlab.harvest.git.copy import PrivateCopy
from mendlab.harvest.paths import is_python
from mendlab.harvest.records import Candidate


def touched_functions(copy: PrivateCopy, candidate: Candidate) -> tuple[str, ...]:
    """Return the functions of a candidate's source that are changed, made or taken away, as ``path::qualified.name``.

    A function is changed where lines of its own are, those of functions inside it apart. Files that this Python does
    not parse are passed over.
    """
    found: list[str] = []
    for change in candidate.commit.changes:
        if change.path in candidate.source.paths and is_python(change.path):
            old, new = (_functions(change.path, copy.blob(blob) or b"") for blob in (change.old_blob, change.new_blob))
            found += [f"{change.path}::{name}" for name in _differing(old, new)]
    return tuple(found)


def _differing(old: Mapping[str, list[list[str]]], new: Mapping[str, list[list[str]]]) -> Iterable[str]:
    return (name for name in dict.fromkeys((*new, *old)) if old.get(name) != new.get(name))


def _functions(path: str, data: bytes) -> dict[str, list[list[str]]]:
    """The own lines of each function, by its name; more than one where a name is given again."""
    lines = split_lines(decode(path, data).text)
    try:
        functions = functions_of(path, data)
    except InputError:
        return {}
    found: dict[str, list[list[str]]] = {}
    for function in functions:
        inside = {
            line
            for other in functions
            if other.qualified_name.startswith(f"{function.qualified_name}.")
            for line in range(other.span.start_line, other.span.end_line + 1)
        }
        own = range(function.span.start_line, function.span.end_line + 1)
        found.setdefault(function.qualified_name, []).append([lines[line - 1] for line in own if line not in inside])
    return found
