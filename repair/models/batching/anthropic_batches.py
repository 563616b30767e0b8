"""Anthropic's Message Batches. They carry no mark of ours but in the custom ids, which only the results show."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from typing import Any, Final, final

from mendlab.repair.models.batching.service import BatchState
from mendlab.repair.models.calls import CallFailedError, Reply
from mendlab.repair.models.failures import as_dict

_CLOCK_SECONDS: Final = 300.0  # by how much the clocks of two machines may differ
_LOOK_SECONDS: Final = 10.0
_STATUS: Final = {"rate_limit_error": 429, "overloaded_error": 529, "api_error": 500, "timeout_error": 500}


@final
class AnthropicBatches:
    """The batches of one account, through the client of its messages."""

    def __init__(
        self,
        client: Any,
        read: Callable[[Mapping[str, Any]], Reply],
        failures: Callable[[], AbstractAsyncContextManager[None]],
    ) -> None:
        self._batches = client.messages.batches
        self._read = read
        self._failures = failures

    async def send(self, bodies: Mapping[str, Mapping[str, Any]], mark: str) -> str:
        """Send bodies by custom id; the mark is the beginning of these."""
        requests = [{"custom_id": name, "params": dict(body)} for name, body in bodies.items()]
        async with self._failures():
            return str(as_dict(await self._batches.create(requests=requests))["id"])

    async def look(self, batch: str) -> BatchState:
        """Return how far a batch is; calls are counted as done only where the service says so."""
        async with self._failures():
            found = as_dict(await self._batches.retrieve(batch))
        counts = _counts(found)
        return BatchState(sum(counts.values()) - counts.get("processing", 0), found.get("processing_status") == "ended")

    async def results(self, batch: str) -> dict[str, Reply | CallFailedError]:
        """Return what became of each call; what was cancelled or expired is left out."""
        found: dict[str, Reply | CallFailedError] = {}
        async for name, result in self._results(batch):
            match result.get("type"):
                case "succeeded":
                    try:
                        found[name] = self._read(result.get("message") or {})
                    except CallFailedError as failure:
                        found[name] = failure
                case "errored":
                    found[name] = _failed(result)
        return found

    async def find(self, mark: str, count: int, since: float) -> str | None:
        """Return the batch whose custom ids begin with the mark: those as large and as old are waited for, and read."""
        after = datetime.fromtimestamp(since - _CLOCK_SECONDS, UTC)
        async with self._failures():
            listed = [as_dict(batch) async for batch in await _pages(self._batches.list(limit=100), after)]
        for batch in listed:
            if sum(_counts(batch).values()) != count:
                continue
            while not (await self.look(batch["id"])).ended:
                await asyncio.sleep(_LOOK_SECONDS)
            async for name, _ in self._results(batch["id"]):
                if name.startswith(mark):
                    return str(batch["id"])
                break
        return None

    async def _results(self, batch: str) -> AsyncIterator[tuple[str, Mapping[str, Any]]]:
        async with self._failures():
            async for line in await self._batches.results(batch):
                told = as_dict(line)
                result = told.get("result")
                yield str(told.get("custom_id")), result if isinstance(result, Mapping) else {}


async def _pages(pages: Any, after: datetime) -> AsyncIterator[Any]:
    """Batches from the newest to the oldest that counts."""

    async def newer() -> AsyncIterator[Any]:
        async for batch in pages:
            if datetime.fromisoformat(str(as_dict(batch)["created_at"])) < after:
                break
            yield batch

    return newer()


def _counts(batch: Mapping[str, Any]) -> dict[str, int]:
    counts = batch.get("request_counts")
    return {k: v for k, v in counts.items() if isinstance(v, int)} if isinstance(counts, Mapping) else {}


def _failed(result: Mapping[str, Any]) -> CallFailedError:
    told: Any = result.get("error")
    inner = told.get("error") if isinstance(told, Mapping) else None
    error: Mapping[str, Any] = inner if isinstance(inner, Mapping) else {}
    kind = str(error.get("type"))
    return CallFailedError(f"{kind}: {error.get('message') or 'no reason given'}"[:500], status=_STATUS.get(kind, 400))
