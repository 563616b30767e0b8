"""What a repair has to change: how many places, how much text, and how much of it is not there already."""

from __future__ import annotations

import contextlib
import difflib
import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

from mendlab.corpora.text import decode
from mendlab.corpora.tree import FileTree
from mendlab.errors import MendlabError


@dataclass(frozen=True, slots=True)
class Change:
    """One stretch of lines of a file: ``first`` to ``last`` of the buggy file (from 1, ``last`` exclusive)."""

    path: str
    first: int
    last: int
    old: tuple[str, ...]
    new: tuple[str, ...]


def changes(buggy: FileTree, good: FileTree) -> tuple[Change, ...]:
    """Return the stretches of lines in which the good tree's files of text differ from the buggy one's."""
    return tuple(change for path in buggy.changed(good) for change in _in_file(path, buggy, good))


def _in_file(path: str, buggy: FileTree, good: FileTree) -> Iterator[Change]:
    try:
        old, new = (decode(path, tree[path]).text.splitlines() if path in tree else [] for tree in (buggy, good))
    except MendlabError:
        return
    for tag, first, last, start, end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            yield Change(path, first + 1, last + 1, tuple(old[first:last]), tuple(new[start:end]))


def tokens_changed(change: Change) -> tuple[list[str], list[str]]:
    """Return the tokens that a repair takes away in one place, and those that it puts there."""
    old, new = tokens("\n".join(change.old)), tokens("\n".join(change.new))
    away: list[str] = []
    put: list[str] = []
    for tag, first, last, start, end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            away += old[first:last]
            put += new[start:end]
    return away, put


def tokens(text: str) -> list[str]:
    """Return the tokens of a piece of Python that need not be whole, without layout and comments."""
    layout = {tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT, tokenize.ENDMARKER}
    found: list[str] = []
    with contextlib.suppress(tokenize.TokenError, SyntaxError):  # what comes before the end of the pieces is kept
        found.extend(t.string for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.type not in layout)
    return found
