"""Edits of a text by character offsets: the form in which every operator says what it changes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Edit(NamedTuple):
    """Replace ``source[start:end]`` by ``text``; ``start == end`` inserts."""

    start: int
    end: int
    text: str


Change = Edit | tuple[Edit, ...]
"""What an operator yields: one edit, or several that do not overlap and belong together."""


def normalise(change: Change) -> tuple[Edit, ...]:
    """The edits of a change in order of position."""
    return (change,) if isinstance(change, Edit) else tuple(sorted(change))


def fit(edits: tuple[Edit, ...], length: int) -> bool:
    """Whether edits in order of position lie in a text of the length and do not overlap; no two insert at one place."""
    position = 0
    for start, end, _ in edits:
        if not position <= start <= end <= length:
            return False
        position = end
    places = [edit.start for edit in edits if edit.start == edit.end]
    return bool(edits) and len(set(places)) == len(places)


def merge(source: str, edits: tuple[Edit, ...]) -> Edit:
    """One edit with the same effect, from the first to the last place that changes."""
    if len(edits) == 1:
        return edits[0]
    start, end = edits[0].start, edits[-1].end
    return Edit(start, end, apply(source[start:end], (Edit(s - start, e - start, t) for s, e, t in edits)))


def minimal(source: str, edit: Edit) -> Edit:
    """The smallest edit with the same effect, as far to the right as it can stand.

    Two edits have the same effect on ``source`` exactly if their minimal edits are equal.
    """
    start, end, text = edit
    old = source[start:end]
    common = 0
    limit = min(len(old), len(text))
    while common < limit and old[common] == text[common]:
        common += 1
    start, old, text = start + common, old[common:], text[common:]
    while old and text and old[-1] == text[-1]:
        old, text, end = old[:-1], text[:-1], end - 1
    if not text and not old:
        return Edit(0, 0, "")
    if not text:
        while start < end < len(source) and source[start] == source[end]:
            start, end = start + 1, end + 1
    elif not old:
        while end < len(source) and text[0] == source[end]:
            text = text[1:] + text[0]
            start, end = start + 1, end + 1
    return Edit(start, end, text)


def apply(source: str, edits: Iterable[Edit]) -> str:
    """The text with the edits made. They are in order of position and do not overlap."""
    pieces: list[str] = []
    position = 0
    for start, end, text in edits:
        pieces += (source[position:start], text)
        position = end
    pieces.append(source[position:])
    return "".join(pieces)
