"""Rung 5: line numbers are wrong. Every hunk of the file must then stand, exactly, at one place alone.

A hunk whose own number seems right gets no credit for it: numbers that are wrong in one place may be right by chance in
another, which is how ``git apply`` and ``patch`` come to edit the wrong copy of duplicated code.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from mendlab.corpora.tree import FileTree
from mendlab.verify.patches.changes import apply_loose
from mendlab.verify.patches.loose import LooseHunk
from mendlab.verify.patches.names import mended_path
from mendlab.verify.patches.patch import Patch
from mendlab.verify.patches.results import Misfit
from mendlab.verify.patches.rungs.recount import only_place
from mendlab.verify.patches.target import Edit, Target, edit_at


def attempt(patch: Patch, tree: FileTree, editable: Collection[str]) -> FileTree | Misfit:
    """Apply hunks by their lines alone."""
    if isinstance(patch.files, Misfit):
        return patch.files
    return apply_loose(tree, patch.files, editable, name=mended_path, place=place)


def place(hunks: Sequence[LooseHunk], target: Target) -> list[Edit] | Misfit:
    """Place each hunk at the one place where its lines stand."""
    edits: list[Edit] = []
    for hunk in hunks:
        at = only_place(hunk, target)
        if isinstance(at, Misfit):
            return at
        edits.append(edit_at(hunk, at))
    return edits
