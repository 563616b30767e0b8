"""Rung 2: the diff is right but for what is around it: fences, prose, CRLF for LF or the reverse, no final newline."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from mendlab.corpora.diffs import apply_hunks
from mendlab.corpora.tree import FileTree
from mendlab.corpora.unified import Hunk, Line
from mendlab.errors import FormatError
from mendlab.verify.patches.changes import apply_loose
from mendlab.verify.patches.loose import LooseHunk
from mendlab.verify.patches.names import exact_path
from mendlab.verify.patches.patch import Patch
from mendlab.verify.patches.results import Misfit, PatchFormat, rejected
from mendlab.verify.patches.rungs import recount, strict
from mendlab.verify.patches.target import Edit, Target, edit_at


def attempt(patch: Patch, tree: FileTree, editable: Collection[str]) -> FileTree | Misfit:
    """Apply what is inside the envelope, strictly; else with the line ends of the file."""
    if patch.format is PatchFormat.UNIFIED:
        exact = strict.apply_text(patch.text, tree)
        if isinstance(exact, FileTree):
            return exact
    if isinstance(patch.files, Misfit):
        return patch.files
    placing = place if patch.format is PatchFormat.UNIFIED else recount.place
    return apply_loose(tree, patch.files, editable, name=exact_path, place=placing)


def place(hunks: Sequence[LooseHunk], target: Target) -> list[Edit] | Misfit:
    """Place hunks whose headers are whole and right, exactly where those say."""
    if wrong := next((hunk for hunk in hunks if not hunk.exact), None):
        return rejected(f"line {wrong.at}: the hunk's header does not fit its lines")
    try:
        apply_hunks([line + "\n" for line in target.bare], [_exact(hunk) for hunk in hunks])
    except FormatError as error:
        return rejected(str(error))
    return [edit_at(hunk, hunk.old_index or 0) for hunk in hunks]


def _exact(hunk: LooseHunk) -> Hunk:
    lines = tuple(Line(line.sign, line.text + "\n") for line in hunk.lines)
    return Hunk(hunk.old_start or 0, len(hunk.before), hunk.new_start or 0, len(hunk.after), lines, hunk.at)
