"""A candidate from two versions of a program, as published data has them."""

from __future__ import annotations

from typing import Literal

from mendlab.corpora.candidates import Candidate, LoadedSubject
from mendlab.corpora.diffs import make_diff
from mendlab.corpora.importers.places import changed_span, innermost
from mendlab.corpora.text import decode
from mendlab.corpora.tree import FileTree
from mendlab.errors import FormatError
from mendlab.records import Defect, Span


def pair(
    loaded: LoadedSubject,
    buggy: FileTree,
    *,
    family: str | None = None,
    editable: tuple[str, ...] | None = None,
    tags: tuple[str, ...] = (),
    weight: float = 1.0,
    claimed: tuple[tuple[str, ...], tuple[str, ...]] | None = None,
    kind: Literal["repair", "completion"] = "repair",
) -> Candidate:
    """Return the candidate whose good program is ``loaded``, under the same id and with the same statement.

    ``editable`` is the subject's source files if it is not given. ``claimed`` has the tests from fail to pass and from
    pass to pass.

    Raises:
        FormatError: the two programs are the same.
    """
    subject = loaded.subject
    files = tuple(sorted(buggy.changed(loaded.tree)))
    if not files:
        raise FormatError("the buggy and the correct program are the same")
    span = _span(loaded.tree, buggy, files[0])
    defect = Defect(
        origin="import",
        family=family,
        files=files,
        span=span,
        function=innermost(subject.functions, files[0], span) if span else None,
        diff=make_diff(loaded.tree, buggy),
    )
    return Candidate(
        id=subject.id,
        loaded=loaded,
        buggy=buggy,
        defect=defect,
        statement=subject.statement,
        editable=subject.source_files if editable is None else editable,
        tags=tags,
        weight=weight,
        kind=kind,
        claimed_fail_to_pass=claimed[0] if claimed else None,
        claimed_pass_to_pass=claimed[1] if claimed else None,
    )


def _span(good: FileTree, buggy: FileTree, file: str) -> Span | None:
    """The place in the good tree's file; ``None`` where only the buggy tree has the file, or only the mode differs."""
    if file not in good or good[file] == buggy.get(file):
        return None
    return changed_span(decode(file, good[file]).text, decode(file, buggy.get(file, b"")).text)
