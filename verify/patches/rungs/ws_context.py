"""Rung 6, lenient: lines of the file are found though white space at their end differs or context lost its sign.

Kept lines are the file's own, byte for byte. Every hunk must fit at one place alone.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from mendlab.corpora.tree import FileTree
from mendlab.verify.patches.anchors import is_elsewhere
from mendlab.verify.patches.changes import apply_loose
from mendlab.verify.patches.loose import LooseHunk, LooseLine
from mendlab.verify.patches.names import mended_path
from mendlab.verify.patches.patch import Patch
from mendlab.verify.patches.results import Misfit, rejected
from mendlab.verify.patches.rungs.recount import elsewhere, several
from mendlab.verify.patches.target import Edit, Target, edit_at


def attempt(patch: Patch, tree: FileTree, editable: Collection[str]) -> FileTree | Misfit:
    """Apply with context compared loosely."""
    if isinstance(patch.lenient_files, Misfit):
        return patch.lenient_files
    return apply_loose(tree, patch.lenient_files, editable, name=mended_path, place=place)


def place(hunks: Sequence[LooseHunk], target: Target) -> list[Edit] | Misfit:
    """Place each hunk at the one place that its lines fit."""
    edits: list[Edit] = []
    for hunk in hunks:
        before = [line for line in hunk.lines if line.sign != "+"]
        places = fitting_places(before, target)
        if not places:
            return rejected(f"line {hunk.at}: the hunk fits nowhere in {target.path}, even but for white space")
        if len(places) > 1:
            return several(hunk, target, places)
        if is_elsewhere(hunk, places[0], target):
            return elsewhere(hunk, target)
        edits.append(edit_at(hunk, places[0]))
    return edits


def fitting_places(before: Sequence[LooseLine], target: Target) -> list[int]:
    """Every index at which the lines fit; none for lines that are all blank."""
    if not any(line.text.strip() for line in before):
        return []
    last = len(target.bare) - len(before)
    return [at for at in range(last + 1) if all(map(_fits, before, target.bare[at : at + len(before)]))]


def _fits(line: LooseLine, text: str) -> bool:
    own = text.rstrip()
    lost_space = line.sign == " " and not line.unsigned and f" {line.text}".rstrip() == own
    return line.text.rstrip() == own or lost_space
