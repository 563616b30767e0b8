"""Candidates of many subjects tried side by side: workers take them in batches and keep what a subject needs open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Generic, Protocol, TypeVar

from mendlab.corpora.candidates import Candidate, LoadedSubject
from mendlab.errors import EngineError
from mendlab.workers import PerThread, is_unwanted, map_ordered

MOST_IN_A_BATCH = 25
TIMES_TRIED = 3

Item = TypeVar("Item")
Result = TypeVar("Result")
Gives = TypeVar("Gives", covariant=True)


class Trier(Protocol[Gives]):
    """Tries candidates of one subject. Not thread-safe: one a worker. After ``close`` it may be used again."""

    def detect(self, candidate: Candidate) -> Gives:
        """Return what the tests say of a candidate. Raises EngineError."""
        ...

    def lost(self, candidate: Candidate) -> Gives:
        """Return what is to be said of a candidate on which the engine fails again and again."""
        ...

    def close(self) -> None:
        """End every process."""
        ...


def try_batches(
    batches: Iterable[Sequence[Candidate]],
    open_trier: Callable[[LoadedSubject], Trier[Result]],
    keep: Callable[[Candidate, Result], None],
    *,
    workers: int,
) -> None:
    """Try every candidate, each batch of one subject, and hand what came of it to ``keep``, in any order.

    Batches are drawn only a little ahead of the work. A failure of the engine costs the one candidate, after
    :data:`TIMES_TRIED` tries; one of ``open_trier`` is raised.
    """
    with PerThread(lambda: _Seat(open_trier), _Seat.close) as seats:

        def work(batch: Sequence[Candidate]) -> None:
            trier = seats.get().trier_of(batch[0].loaded)
            for candidate in batch:
                if is_unwanted():
                    return
                keep(candidate, _patiently(trier, candidate))

        for _ in map_ordered(work, batches, workers):
            pass


def in_batches(items: Sequence[Item], subject_of: Callable[[Item], str], workers: int) -> Iterator[Sequence[Item]]:
    """Group by subject, and cut what is large, so that every worker has something to do."""
    most = max(1, min(MOST_IN_A_BATCH, -(-len(items) // (2 * workers))))
    for _, group in groupby(sorted(items, key=subject_of), key=subject_of):
        members = list(group)
        for start in range(0, len(members), most):
            yield members[start : start + most]


class _Seat(Generic[Result]):
    """What one worker has open: all that the last subject needs."""

    def __init__(self, open_trier: Callable[[LoadedSubject], Trier[Result]]) -> None:
        self._open_trier = open_trier
        self._subject: str | None = None
        self._trier: Trier[Result] | None = None

    def trier_of(self, loaded: LoadedSubject) -> Trier[Result]:
        if self._trier is None or self._subject != loaded.subject.id:
            self.close()
            self._trier = self._open_trier(loaded)
            self._subject = loaded.subject.id
        return self._trier

    def close(self) -> None:
        if self._trier is not None:
            self._trier.close()
            self._trier = None


def _patiently(trier: Trier[Result], candidate: Candidate) -> Result:
    for _ in range(TIMES_TRIED):
        try:
            return trier.detect(candidate)
        except EngineError:
            trier.close()
    return trier.lost(candidate)
