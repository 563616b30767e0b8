"""Where a defect really is, for prompts that are to tell it."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

from mendlab.corpora.text import decode
from mendlab.corpora.tree import FileTree


def true_lines(buggy: FileTree, good: FileTree, editable: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """Return the lines of the buggy tree, by file and number, that the reference changes; where it adds, the next."""
    found: list[tuple[str, int]] = []
    for path in editable:
        if path in buggy and path in good:
            old, new = (decode(path, tree[path]).text.split("\n") for tree in (buggy, good))
            for tag, start, stop, _, _ in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
                if tag != "equal":
                    found += [(path, line + 1) for line in range(start, max(stop, start + 1)) if line < len(old)]
    return tuple(found)
