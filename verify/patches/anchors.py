"""The function or class that a hunk's header names, as git writes it there, and models and apply_patch do."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from mendlab.corpora.tree import FileTree
from mendlab.verify.patches.loose import LooseFile, LooseHunk
from mendlab.verify.patches.names import mended_path
from mendlab.verify.patches.results import Misfit, ambiguous
from mendlab.verify.patches.target import Target

HEADER: Final = re.compile(r"\s*(?:async\s+def|def|class)\b.*:\s*(?:#.*)?$")


def named_body(hunk: LooseHunk, target: Target) -> tuple[int, int] | None:
    """The first and the last line (exclusive) of what the anchors lead to, if each stands once in the one before."""
    start, stop = 0, len(target.bare)
    for anchor in hunk.anchors:
        found = [at for at in range(start, stop) if target.bare[at].strip() == anchor]
        if len(found) != 1 or not HEADER.match(anchor):
            return None
        (start,) = found
        stop = next((at for at in range(start + 1, stop) if _ends(start, at, target)), stop)
    return start, stop


def is_elsewhere(hunk: LooseHunk, at: int, target: Target) -> bool:
    """Whether the hunk, its first line at ``at``, changes another body than its header names.

    A header among the hunk's own lines, before its first change, counts for more.
    """
    body = named_body(hunk, target) if hunk.anchors else None
    if body is None:
        return False
    for line in hunk.lines:
        if line.sign != " ":
            break
        if HEADER.match(line.text):
            return False
        at += 1
    return not body[0] <= at <= body[1]


def two_places(file: LooseFile, tree: FileTree, editable: Collection[str]) -> Misfit | None:
    """The misfit of a hunk whose lines stand where its numbers say, and in the body that its header names, too."""
    path = mended_path(file, tree, editable) if file.action == "modify" else None
    if not isinstance(path, str):
        return None
    target = Target(path, tree[path])
    for hunk in file.hunks:
        at = hunk.old_index
        if (
            at is None
            or not hunk.anchors
            or not target.stands_at(hunk.before, at)
            or not is_elsewhere(hunk, at, target)
        ):
            continue
        if any(not is_elsewhere(hunk, other, target) for other in target.places(hunk.before)):
            return ambiguous(f"line {hunk.at}: the hunk fits at line {at + 1} of {path}, and in {hunk.anchors[-1]!r}")
    return None


def _ends(header: int, at: int, target: Target) -> bool:
    return bool(target.bare[at].strip()) and indent(target.bare[at]) <= indent(target.bare[header])


def indent(line: str) -> int:
    """How many characters of white space a line begins with."""
    return len(line) - len(line.lstrip())
