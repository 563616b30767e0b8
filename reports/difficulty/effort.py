"""How long the search of this lab would look before it comes to the reference, without a test being run."""

from __future__ import annotations

from itertools import islice
from typing import Final

from mendlab.corpora.text import decode
from mendlab.corpora.tree import FileTree
from mendlab.repair.candidates import candidates
from mendlab.repair.localisation import Localisation
from mendlab.repair.problem import Problem
from mendlab.verify.code import normalised_tree
from mendlab.verify.engines.changed_code import common_ends

MOST: Final = 500
"""How many candidates are looked at: in a large file each takes some milliseconds."""


def search_rank(problem: Problem, places: Localisation, good: FileTree) -> int | None:
    """Return the number of the candidate that is the good program, from 1; ``None`` where it is not among the first."""
    changed = problem.tree.changed(FileTree({path: good[path] for path in problem.tree if path in good}))
    if len(changed) != 1:
        return None
    ((path, data),) = changed.items()
    wanted = None if data is None else normalised_tree(data)
    if data is None or wanted is None:
        return None
    old, new = decode(path, problem.tree[path]).text, decode(path, data).text
    head, tail = common_ends(old, new)
    slack = abs(len(old) - len(new))  # of two equal lines either may be the one that is gone
    first, last = head - slack, len(old) - tail + slack
    for rank, candidate in enumerate(islice(candidates(problem, places), MOST), start=1):
        near = any(start <= last and first <= end for start, end, _ in candidate.edits)
        if candidate.path == path and near:
            source = candidate.data
            if source is not None and normalised_tree(source) == wanted:
                return rank
    return None
