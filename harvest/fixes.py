"""The small fixes of a history, as pairs of a file before and after, without any test being run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from mendlab.harvest.candidates import candidates
from mendlab.harvest.git.copy import PrivateCopy
from mendlab.harvest.paths import is_python
from mendlab.harvest.records import Candidate
from mendlab.harvest.scoring import is_called_a_fix
from mendlab.harvest.selection import Selection
from mendlab.workers import Progress

MOST_LINES: Final = 20
"""Lines that a small fix adds or removes in its source."""


@dataclass(frozen=True, slots=True)
class SmallFix:
    """A module that a commit mends, before and after."""

    commit: str
    path: str
    before: bytes
    after: bytes


def small_fixes(copy: PrivateCopy, selection: Selection, progress: Progress) -> Iterator[SmallFix]:
    """Yield the modules changed by commits that call themselves fixes and change little; merges stand for others."""
    for place, each in enumerate(candidates(copy, selection, compare_programs=False), start=1):
        progress("commits read", place, None)
        if isinstance(each, Candidate) and not each.commit.is_merge and _is_small(each) and is_called_a_fix(each.score):
            for change in each.commit.changes:
                if change.path in each.source.paths and is_python(change.path) and change.status == "M":
                    old, new = copy.blob(change.old_blob), copy.blob(change.new_blob)
                    if old is not None and new is not None:
                        yield SmallFix(each.fix, change.path, old, new)


def _is_small(candidate: Candidate) -> bool:
    return max(candidate.source.added, candidate.source.removed) <= MOST_LINES
