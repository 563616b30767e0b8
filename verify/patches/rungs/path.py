"""Rung 4: the file is named without or with another prefix, by a suffix, or not at all where only one may change."""

from __future__ import annotations

from collections.abc import Collection

from mendlab.corpora.tree import FileTree
from mendlab.verify.patches.changes import apply_loose
from mendlab.verify.patches.names import mended_path
from mendlab.verify.patches.patch import Patch
from mendlab.verify.patches.results import Misfit
from mendlab.verify.patches.rungs import recount


def attempt(patch: Patch, tree: FileTree, editable: Collection[str]) -> FileTree | Misfit:
    """Apply as ``recount`` does, to the file that the names can mean."""
    if isinstance(patch.files, Misfit):
        return patch.files
    return apply_loose(tree, patch.files, editable, name=mended_path, place=recount.place)
