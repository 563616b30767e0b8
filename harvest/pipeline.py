"""From a history to tasks: every stage in its order, each commit's outcome kept as soon as it is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Final, Self

from mendlab.corpora.building import begin
from mendlab.corpora.journal import Journal
from mendlab.corpora.tree import FileTree
from mendlab.harvest.candidates import candidates, candidates_named
from mendlab.harvest.examiner import Examined, Examiner
from mendlab.harvest.git.copy import PrivateCopy
from mendlab.harvest.records import Candidate, Dropped
from mendlab.harvest.selection import Selection
from mendlab.harvest.trees import commit_trees
from mendlab.records import BuildConfig, Task
from mendlab.workers import Progress, map_ordered

SCANNING: Final = "commits read"
EXAMINING: Final = "candidates examined"
FOUND: Final = "tasks found"


@dataclass(frozen=True, slots=True)
class Ranking:
    """The candidates of a history by their score, then by age, the latest first; and what fell before, with why."""

    shas: tuple[str, ...]
    fell: tuple[Dropped, ...]
    commits: int


def rank(copy: PrivateCopy, selection: Selection, progress: Progress) -> Ranking:
    """Read a history through. No more is kept of a candidate than its name and its score."""
    found: list[tuple[float, int, str]] = []
    fell: list[Dropped] = []
    for place, each in enumerate(candidates(copy, selection, compare_programs=False)):
        if isinstance(each, Dropped):
            fell.append(each)
        else:
            found.append((-each.score.value, place, each.fix))
        progress(SCANNING, place + 1, None)
    commits = len(found) + len(fell)
    progress(SCANNING, commits, commits)
    return Ranking(tuple(sha for *_, sha in sorted(found)), tuple(fell), commits)


@dataclass(frozen=True, slots=True)
class Harvest:
    """What came of a history: the outcome of each candidate that was examined, as ranked, and what fell before."""

    examined: tuple[Examined, ...]
    before: tuple[Dropped, ...]
    commits: int

    @property
    def fell(self) -> tuple[Dropped, ...]:
        """Every commit that gave no task, with why: those that were examined first."""
        return (*(each.dropped for each in self.examined if each.dropped is not None), *self.before)

    @property
    def dropped(self) -> Counter[str]:
        """How many commits gave no task, by the reason."""
        return Counter(each.reason.value for each in self.fell)

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The tasks, the likeliest first."""
        return tuple(each.task for each in self.examined if each.task is not None)

    @property
    def rebuilt(self) -> int:
        """How many tasks are proved: the parent's tree with the commit's patches is the commit's, by its hash."""
        return sum(each.rebuilt for each in self.examined if each.task is not None)


class Harvesting:
    """The work of a harvest, kept beside its task set while it goes on; used in a ``with`` block.

    ``OUT.building/`` holds ``build.json`` (what decides the outcome), ``copy.git`` (the private copy, so that
    work which goes on sees the same history) and ``examined.jsonl``.

    Raises:
        OutputError: it cannot be written.
        InputError: it was begun with other settings.
    """

    def __init__(self, directory: Path, config: BuildConfig) -> None:
        self.directory = directory
        begin(directory, config)
        self._journal = Journal(directory / "examined.jsonl", Examined)
        self._journal.claim()
        self.examined = {each.sha: each for each in self._journal.read()}

    def harvest(
        self,
        examiner: Examiner,
        selection: Selection,
        *,
        limit: int | None,
        workers: int,
        progress: Progress,
    ) -> Harvest:
        """Examine the candidates of a history in the order of their scores, until ``limit`` tasks are found.

        Raises:
            EngineError: the lab, the package index or the disk fails; what is known by then is kept.
        """
        ranking = rank(examiner.copy, selection, progress)
        found, tasks, done, turn = list[Examined](), 0, count(1), Lock()
        progress(EXAMINING, 0, len(ranking.shas))

        def outcome(candidate: Candidate) -> Examined:
            known = self.examined.get(candidate.fix)
            if known is None:
                known = examiner.examine(candidate)
                self._journal.append(known)
            with turn:  # not in the order of the candidates, of which the first may take long
                progress(EXAMINING, next(done), len(ranking.shas))
            return known

        ranked = candidates_named(examiner.copy, ranking.shas)
        with closing(ranked), closing(map_ordered(outcome, ranked, workers)) as outcomes:
            for each in outcomes:
                found.append(each)
                tasks += each.task is not None
                progress(FOUND, tasks, limit)
                if tasks == limit:
                    break
        return Harvest(tuple(found), ranking.fell, ranking.commits)

    def trees(self, examiner: Examiner, tasks: tuple[Examined, ...]) -> Iterator[FileTree]:
        """Yield the good tree of each task, as its tests were run on it."""
        for candidate, each in _again(examiner, tasks):
            added = {path: text.encode() for path, text in each.added.items()}
            trees = commit_trees(examiner.copy, candidate)
            laid = trees if each.telling is None else each.telling.laid_over(trees)
            yield laid.with_files(added).fix

    def patches(self, examiner: Examiner, tasks: tuple[Examined, ...]) -> Iterator[tuple[str, str, bytes]]:
        """Yield each task's commit with the parts of its change as git has them: ``source``, ``tests``, ``other``."""
        for candidate, _ in _again(examiner, tasks):
            parts = ("source", candidate.source), ("tests", candidate.tests), ("other", candidate.other)
            yield from ((candidate.fix, name, part.patch) for name, part in parts if part.patch)

    def close(self) -> None:
        """Close the journal; what is there can be resumed."""
        self._journal.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def _again(examiner: Examiner, tasks: tuple[Examined, ...]) -> Iterator[tuple[Candidate, Examined]]:
    return zip(candidates_named(examiner.copy, [each.sha for each in tasks]), tasks, strict=True)
