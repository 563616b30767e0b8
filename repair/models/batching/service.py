"""What a provider offers that takes batches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, final

from mendlab.repair.models.calls import CallFailedError, Reply


@final
@dataclass(frozen=True, slots=True)
class BatchState:
    """How far a batch is: how many calls are done, whether all are, and why it failed as a whole."""

    done: int
    ended: bool
    failed: str | None = None


class BatchService(Protocol):
    """Sends batches of one provider, on the event loop of its client. Everything raises :class:`CallFailedError`."""

    async def send(self, bodies: Mapping[str, Mapping[str, Any]], mark: str) -> str:
        """Send bodies by custom id, and return the id of the batch; ``mark`` is to be found again by :meth:`find`."""
        ...

    async def look(self, batch: str) -> BatchState:
        """Return how far a batch is."""
        ...

    async def results(self, batch: str) -> dict[str, Reply | CallFailedError]:
        """Return what became of the calls of a batch that has ended, by custom id.

        Those that the service never came to, and does not bill, are not there.
        """
        ...

    async def find(self, mark: str, count: int, since: float) -> str | None:
        """Return the id of the batch with that mark, of ``count`` calls, sent after ``since`` (seconds since 1970)."""
        ...
