"""Rung 3: counts and headers are made anew. A hunk stands where its header says, or, if that says nothing, at the one
place where its lines are."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from mendlab.corpora.tree import FileTree
from mendlab.verify.patches.changes import apply_loose
from mendlab.verify.patches.loose import LooseHunk
from mendlab.verify.patches.names import exact_path
from mendlab.verify.patches.patch import Patch
from mendlab.verify.patches.results import Misfit, ambiguous, rejected
from mendlab.verify.patches.target import Edit, Target, edit_at


def attempt(patch: Patch, tree: FileTree, editable: Collection[str]) -> FileTree | Misfit:
    """Apply hunks of which only the lines and, where given, the first line number are trusted."""
    if isinstance(patch.files, Misfit):
        return patch.files
    return apply_loose(tree, patch.files, editable, name=exact_path, place=place)


def place(hunks: Sequence[LooseHunk], target: Target) -> list[Edit] | Misfit:
    """Place hunks at the line that their headers give, where their lines must stand exactly."""
    edits: list[Edit] = []
    for hunk in hunks:
        at = only_place(hunk, target) if hunk.old_index is None else _given_place(hunk, hunk.old_index, target)
        if isinstance(at, Misfit):
            return at
        edits.append(edit_at(hunk, at))
    return edits


def _given_place(hunk: LooseHunk, index: int, target: Target) -> int | Misfit:
    if not any(line.strip() for line in hunk.before) and target.lines:
        return rejected(f"line {hunk.at}: the hunk has no line to tell its place by")
    if not target.stands_at(hunk.before, index):
        return rejected(f"line {hunk.at}: the hunk's lines are not at line {index + 1} of {target.path}")
    return index


def only_place(hunk: LooseHunk, target: Target) -> int | Misfit:
    """The one index at which the hunk's lines stand exactly, wherever its header says."""
    if not any(line.strip() for line in hunk.before):
        if not hunk.before and not target.lines:
            return 0
        return rejected(f"line {hunk.at}: the hunk has no line to tell its place by")
    places = target.places(hunk.before)
    if not places:
        return rejected(f"line {hunk.at}: the hunk's lines are nowhere in {target.path}")
    if len(places) > 1:
        return several(hunk, target, places)
    return places[0]


def several(hunk: LooseHunk, target: Target, places: Sequence[int]) -> Misfit:
    """The misfit of a hunk that fits in more than one place."""
    lines = ", ".join(str(at + 1) for at in places[:5])
    return ambiguous(f"line {hunk.at}: the hunk fits in {len(places)} places of {target.path}: lines {lines}")
