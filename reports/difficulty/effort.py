"""How long the search of this lab would look before it comes to the reference, without a test being run."""

from __future__ import annotations

from itertools import islice
from typing import Final

from mendlab.corpora.tree import FileTree
from mendlab.repair.candidates import candidates
from mendlab.repair.localisation import Localisation
from mendlab.repair.problem import Problem
from mendlab.verify.code import normalised_tree

MOST: Final = 500
"""How many candidates are looked at: in a large file each takes some milliseconds."""


def search_rank(problem: Problem, places: Localisation, good: FileTree) -> int | None:
    """Return the number of the candidate that is the good program, from 1; ``None`` where it is not among the first."""
    changed = problem.tree.changed(FileTree({path: good[path] for path in problem.tree if path in good}))
    if len(changed) != 1:
        return None
    ((path, data),) = changed.items()
    wanted = None if data is None else normalised_tree(data)
    if wanted is None:
        return None
    lines = _differing(problem.tree[path], data or b"")
    for rank, candidate in enumerate(islice(candidates(problem, places), MOST), start=1):
        span = candidate.mutant.span
        if candidate.mutant.path == path and span.start_line < lines.stop and lines.start <= span.end_line:
            source = candidate.data
            if source is not None and normalised_tree(source) == wanted:
                return rank
    return None


def _differing(buggy: bytes, good: bytes) -> range:
    """The lines from the first to the last in which the buggy file differs from the good one, from 1, and one more."""
    old, new = buggy.splitlines(), good.splitlines()
    head = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    tail = next((n for n, (a, b) in enumerate(zip(old[::-1], new[::-1], strict=False)) if a != b), len(old))
    return range(head, max(head, len(old) - tail) + 2)
