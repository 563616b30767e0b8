"""Records that a run takes down once and finds again when it is resumed, or that it takes over from another run."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any, Generic, TypeVar

from mendlab.corpora.journal import Journal
from mendlab.records import Record

R = TypeVar("R", bound=Record)
K = TypeVar("K", bound=Hashable)


class Recorded(Generic[R, K]):
    """The records in the file ``name`` of a run, and those of another run, ``replayed``, if there is one.

    Each stands under its ``key``. Threads may use it.
    """

    def __init__(
        self, run: Path, name: str, record_type: type[R], key: Callable[[R], K], replayed: Path | None = None
    ) -> None:
        self._journal = Journal(run / name, record_type)
        self._key = key
        self._lock = threading.Lock()
        self._own = {key(record): record for record in self._journal.read()}
        other = Journal(replayed / name, record_type).read() if replayed is not None else []
        self._others = {key(record): record for record in other}

    @property
    def own(self) -> tuple[R, ...]:
        """The run's own records."""
        with self._lock:
            return tuple(self._own.values())

    def find(self, key: K) -> R | None:
        """Return the record under a key; one of the other run is then this run's too."""
        with self._lock:
            found = self._own.get(key)
        if found is None and (found := self._others.get(key)) is not None:
            self.add(found)
        return found

    def add(self, record: R) -> None:
        """Bring a record to the disk; errors as :meth:`Journal.append`."""
        self._journal.append(record)
        with self._lock:
            self._own[self._key(record)] = record

    def finalise(self, place: Callable[[R], Any]) -> None:
        """Put the records in the order of their places."""
        if self._own:
            self._journal.rewrite(sorted(self._own.values(), key=place))

    def close(self) -> None:
        """Let others append."""
        self._journal.close()
