"""Rung 1: the answer is the diff, byte for byte, and applies exactly where it says, as ``git apply --check`` sees it.

Stricter than git where git is silent: an offset, lines left over after a hunk's count, and a file named in two ways.
"""

from __future__ import annotations

from collections.abc import Collection

from mendlab.corpora.diff_reader import read_diff
from mendlab.corpora.diffs import apply_files
from mendlab.corpora.tree import FileTree
from mendlab.errors import FormatError, InputError
from mendlab.verify.patches.changes import apply_loose
from mendlab.verify.patches.names import exact_path
from mendlab.verify.patches.patch import Patch
from mendlab.verify.patches.results import Misfit, PatchFormat, malformed, rejected
from mendlab.verify.patches.rungs import recount


def attempt(patch: Patch, tree: FileTree, editable: Collection[str]) -> FileTree | Misfit:
    """Apply a diff strictly. Formats that have no line numbers are strict if nothing stands around them."""
    if patch.format is PatchFormat.UNIFIED:
        return apply_text(patch.raw, tree)
    if not patch.bare:
        return malformed("text around the patch")
    if isinstance(patch.files, Misfit):
        return patch.files
    return apply_loose(tree, patch.files, editable, name=exact_path, place=recount.place)


def apply_text(text: str, tree: FileTree) -> FileTree | Misfit:
    """Apply the text of a diff strictly."""
    try:
        files = read_diff(text)
    except FormatError as error:
        return malformed(str(error))
    try:
        return apply_files(tree, files)
    except (FormatError, InputError) as error:  # InputError: a path that leads out of the tree
        return rejected(str(error))
