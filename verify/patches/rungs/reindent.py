"""Rung 7, lenient: every line of a hunk is indented too little or too much by the same white space, added ones too."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from mendlab.corpora.tree import FileTree
from mendlab.verify.patches.anchors import is_elsewhere
from mendlab.verify.patches.changes import apply_loose
from mendlab.verify.patches.loose import LooseHunk
from mendlab.verify.patches.names import mended_path
from mendlab.verify.patches.patch import Patch
from mendlab.verify.patches.results import Misfit, rejected
from mendlab.verify.patches.rungs.recount import elsewhere, several
from mendlab.verify.patches.rungs.ws_context import fitting_places
from mendlab.verify.patches.target import Edit, Target, edit_at


def attempt(patch: Patch, tree: FileTree, editable: Collection[str]) -> FileTree | Misfit:
    """Apply with one change of indent for each hunk."""
    if isinstance(patch.lenient_files, Misfit):
        return patch.lenient_files
    return apply_loose(tree, patch.lenient_files, editable, name=mended_path, place=place)


def place(hunks: Sequence[LooseHunk], target: Target) -> list[Edit] | Misfit:
    """Place each hunk at the one place where its lines stand with one change of indent (none is one too)."""
    edits: list[Edit] = []
    for hunk in hunks:
        found = dict.fromkeys(fitting_places([line for line in hunk.lines if line.sign != "+"], target), hunk)
        for at in range(len(target.bare) - len(hunk.before) + 1):
            shifted = _shifted(hunk, target.bare[at : at + len(hunk.before)])
            if shifted is not None:
                found.setdefault(at, shifted)
        if not found:
            return rejected(f"line {hunk.at}: the hunk fits nowhere in {target.path}, at any indent")
        if len(found) > 1:
            return several(hunk, target, sorted(found))
        ((at, fitting),) = found.items()
        if is_elsewhere(fitting, at, target):
            return elsewhere(hunk, target)
        edits.append(edit_at(fitting, at))
    return edits


def _shifted(hunk: LooseHunk, window: Sequence[str]) -> LooseHunk | None:
    """The hunk with its indent changed to that of the window, if it has the window's lines otherwise."""
    pairs = [(mine.rstrip(), own.rstrip()) for mine, own in zip(hunk.before, window, strict=True)]
    if any(bool(mine) != bool(own) for mine, own in pairs):
        return None
    pairs = [pair for pair in pairs if pair[0]]
    if not pairs:
        return None
    mine, own = pairs[0]
    more, less = own.removesuffix(mine), mine.removesuffix(own)
    if len(own) > len(mine) and not more.strip() and all(own == more + mine for mine, own in pairs):
        added = [more + line.text if line.text.strip() else line.text for line in hunk.lines]
    elif len(mine) > len(own) and not less.strip() and all(mine == less + own for mine, own in pairs):
        if any(line.text.strip() and not line.text.startswith(less) for line in hunk.lines):
            return None
        added = [line.text.removeprefix(less) for line in hunk.lines]
    else:
        return None
    return replace(hunk, lines=tuple(replace(line, text=text) for line, text in zip(hunk.lines, added, strict=True)))
