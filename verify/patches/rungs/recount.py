"""Rung 3: counts and headers are made anew.

A hunk stands where its header says, if its two line numbers agree with each other and with the hunks before; else, or
if the header says nothing, at the one place where its lines are.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from mendlab.corpora.tree import FileTree
from mendlab.verify.patches.anchors import is_elsewhere
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
    """Place hunks at the lines that their headers give, where their lines must stand exactly."""
    edits: list[Edit] = []
    growth = 0
    for hunk in hunks:
        at = _given_place(hunk, target) if _is_credible(hunk, growth) else only_place(hunk, target)
        if isinstance(at, Misfit):
            return at
        if hunk.old_index is not None and at != hunk.old_index:
            return rejected(f"line {hunk.at}: the hunk's lines are not at line {hunk.old_index + 1} of {target.path}")
        edits.append(edit_at(hunk, at))
        growth += len(hunk.after) - len(hunk.before)
    return edits


def _is_credible(hunk: LooseHunk, growth: int) -> bool:
    if hunk.old_index is None or hunk.new_start is None:
        return False
    new_index = hunk.new_start - 1 if hunk.after else hunk.new_start
    return new_index == hunk.old_index + growth


def _given_place(hunk: LooseHunk, target: Target) -> int | Misfit:
    index = hunk.old_index or 0
    if not any(line.strip() for line in hunk.before) and target.lines:
        return rejected(f"line {hunk.at}: the hunk has no line to tell its place by")
    # Where the count is wrong, lines of context may be missing, and the hunk may stand that much further down or up.
    slack = abs(hunk.old_count - len(hunk.before)) if hunk.old_count is not None else 0
    near = [at for at in range(max(0, index - slack), index + slack + 1) if target.stands_at(hunk.before, at)]
    if not near:
        return rejected(f"line {hunk.at}: the hunk's lines are not at line {index + 1} of {target.path}")
    if len(near) > 1:
        return several(hunk, target, near)
    return elsewhere(hunk, target) if is_elsewhere(hunk, near[0], target) else near[0]


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
    return elsewhere(hunk, target) if is_elsewhere(hunk, places[0], target) else places[0]


def elsewhere(hunk: LooseHunk, target: Target) -> Misfit:
    """The misfit of a hunk that fits outside of the function or class that its header names."""
    return rejected(f"line {hunk.at}: the hunk's lines are not in {hunk.anchors[-1]!r} of {target.path}")


def several(hunk: LooseHunk, target: Target, places: Sequence[int]) -> Misfit:
    """The misfit of a hunk that fits in more than one place."""
    lines = ", ".join(str(at + 1) for at in places[:5])
    return ambiguous(f"line {hunk.at}: the hunk fits in {len(places)} places of {target.path}: lines {lines}")
