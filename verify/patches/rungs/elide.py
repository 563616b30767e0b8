"""Rung 8, lenient: a hunk leaves lines out, behind ``...`` or after a ``def`` or ``class`` line that heads it.

Its parts must fit in order in one way alone, and what follows a header must be inside it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from mendlab.corpora.tree import FileTree
from mendlab.verify.patches.anchors import HEADER, indent, is_elsewhere, named_body
from mendlab.verify.patches.changes import apply_loose
from mendlab.verify.patches.loose import LooseHunk, LooseLine
from mendlab.verify.patches.names import mended_path
from mendlab.verify.patches.patch import Patch
from mendlab.verify.patches.results import Misfit, ambiguous, rejected
from mendlab.verify.patches.rungs.recount import elsewhere
from mendlab.verify.patches.rungs.ws_context import fitting_places
from mendlab.verify.patches.target import Edit, Target, edit_at

ELISION: Final = re.compile(r"\s*(?:#\s*)?(?:\.\.\.|…)(?:[^)\]}]*(?:\.\.\.|…))?\s*$")
MOST_CHAINS: Final = 1000


def attempt(patch: Patch, tree: FileTree, editable: Collection[str]) -> FileTree | Misfit:
    """Apply hunks with gaps."""
    if isinstance(patch.lenient_files, Misfit):
        return patch.lenient_files
    return apply_loose(tree, patch.lenient_files, editable, name=mended_path, place=place)


def place(hunks: Sequence[LooseHunk], target: Target) -> list[Edit] | Misfit:
    """Place the parts of each hunk in the one way that they fit."""
    edits: list[Edit] = []
    for hunk in hunks:
        if any(line.sign == "+" and ELISION.match(line.text) for line in hunk.lines):
            return rejected(f"line {hunk.at}: a new line stands for code that is left out")
        parts = _parts(hunk)
        if any(not part.before for part in parts):
            return rejected(f"line {hunk.at}: nothing to tell a place by beside a gap")
        chains = _first(2, _chains(parts, target, 0, None))
        if len(chains) > 1 and (hunk.anchors or hunk.at_end):
            chains = _in_place(_first(MOST_CHAINS, _chains(parts, target, 0, None)), hunk, parts, target)
            if not chains:
                return ambiguous(f"line {hunk.at}: what its header names tells the hunk's places in no way apart")
        if not chains:
            return rejected(f"line {hunk.at}: the hunk's parts fit nowhere in {target.path}")
        if is_elsewhere(parts[0], chains[0][0], target):
            return elsewhere(hunk, target)
        if len(chains) > 1:
            return ambiguous(f"line {hunk.at}: the hunk's parts fit in more than one way in {target.path}")
        edits += [
            edit_at(part, at)
            for part, at in zip(parts, chains[0], strict=True)
            if any(line.sign != " " for line in part.lines)
        ]
    return edits


def _parts(hunk: LooseHunk) -> list[LooseHunk]:
    """Cut the hunk at its elisions, and after each header among the context lines at its head."""
    parts: list[list[LooseLine]] = [[]]
    heading = True
    for index, line in enumerate(hunk.lines):
        heading &= line.sign == " "
        if line.sign == " " and ELISION.match(line.text):
            parts.append([])
            continue
        parts[-1].append(line)
        if heading and HEADER.match(line.text) and not _is_followed_by_new_line(hunk, index):
            parts.append([])
    return [replace(hunk, lines=tuple(part), final_newline=None) for part in parts if part]


def _is_followed_by_new_line(hunk: LooseHunk, index: int) -> bool:
    """Whether an added line comes next: it belongs to the line before it, so that no gap can be there."""
    return index + 1 < len(hunk.lines) and hunk.lines[index + 1].sign == "+"


def _in_place(
    chains: Sequence[tuple[int, ...]], hunk: LooseHunk, parts: Sequence[LooseHunk], target: Target
) -> list[tuple[int, ...]]:
    """The chains that lie in the body that the hunk's header names, and at the end of the file if it says so.

    A header that has a number, too, must name the body that is nearest to it: git writes what stands before the hunk.
    """
    start, stop = named_body(hunk, target) or (0, 0)
    found = [
        chain
        for chain in chains
        if start <= chain[0]
        and chain[-1] + len(parts[-1].before) <= stop
        and (not hunk.at_end or chain[-1] + len(parts[-1].before) == len(target.bare))
    ]
    given = hunk.old_index
    if given is None or not found:
        return found
    nearest = min((abs(chain[0] - given) for chain in chains if chain not in found), default=given + len(target.bare))
    return [chain for chain in found if abs(chain[0] - given) < nearest]


def _chains(parts: Sequence[LooseHunk], target: Target, start: int, header: int | None) -> Iterator[tuple[int, ...]]:
    if not parts:
        yield ()
        return
    before = [line for line in parts[0].lines if line.sign != "+"]
    for at in fitting_places(before, target):
        if at < start or (header is not None and not _inside(header, at + len(before), target)):
            continue
        last = at + len(before) - 1
        inner = last if HEADER.match(target.bare[last]) else None
        for rest in _chains(parts[1:], target, last + 1, inner):
            yield (at, *rest)


def _inside(header: int, stop: int, target: Target) -> bool:
    """Whether every line after the header, up to ``stop``, is indented deeper than it."""
    depth = indent(target.bare[header])
    return all(indent(line) > depth for line in target.bare[header + 1 : stop] if line.strip())


def _first(count: int, chains: Iterator[tuple[int, ...]]) -> list[tuple[int, ...]]:
    return list(islice(chains, count))
