"""OpenAI's Batch API: a file of calls goes up, one of answers and one of errors come down. The files stay there."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, Final, final

from mendlab.repair.models.batching.service import BatchState
from mendlab.repair.models.calls import CallFailedError, Reply
from mendlab.repair.models.failures import as_dict, unreadable

_ENDPOINT: Final = "/v1/responses"
_MARK: Final = "mendlab"
_ENDED: Final = ("completed", "expired", "cancelled", "failed")
_NEVER_CAME_TO: Final = ("batch_expired", "batch_cancelled")
_CLOCK_SECONDS: Final = 300.0  # by how much the clocks of two machines may differ


@final
class OpenAIBatches:
    """The batches of one account, through the client of its responses."""

    def __init__(
        self,
        client: Any,
        read: Callable[[Mapping[str, Any]], Reply],
        failures: Callable[[], AbstractAsyncContextManager[None]],
    ) -> None:
        self._client = client
        self._read = read
        self._failures = failures

    async def send(self, bodies: Mapping[str, Mapping[str, Any]], mark: str) -> str:
        """Send bodies by custom id; the mark is in the batch's metadata."""
        lines = (
            json.dumps({"custom_id": name, "method": "POST", "url": _ENDPOINT, "body": dict(body)})
            for name, body in bodies.items()
        )
        data = "\n".join(lines).encode()
        async with self._failures():
            file = as_dict(await self._client.files.create(file=(f"{mark}.jsonl", data), purpose="batch"))
            batch = await self._client.batches.create(
                input_file_id=file["id"], endpoint=_ENDPOINT, completion_window="24h", metadata={_MARK: mark}
            )
            return str(as_dict(batch)["id"])

    async def look(self, batch: str) -> BatchState:
        """Return how far a batch is."""
        found = await self._retrieve(batch)
        counts = found.get("request_counts")
        told: Mapping[str, Any] = counts if isinstance(counts, Mapping) else {}
        done = sum(value for key, value in told.items() if key in ("completed", "failed") and isinstance(value, int))
        status = str(found.get("status"))
        return BatchState(done, status in _ENDED, _why(found) if status == "failed" else None)

    async def results(self, batch: str) -> dict[str, Reply | CallFailedError]:
        """Return what became of each call; what was cancelled or expired is left out."""
        found = await self._retrieve(batch)
        results: dict[str, Reply | CallFailedError] = {}
        for key in ("output_file_id", "error_file_id"):
            if isinstance(file := found.get(key), str):
                async with self._failures():
                    content = await self._client.files.content(file)
                for line in _objects(content.content):
                    result = self._result(line)
                    if result is not None:
                        results[str(line.get("custom_id"))] = result
        return results

    async def find(self, mark: str, count: int, since: float) -> str | None:
        """Return the batch with the mark in its metadata."""
        async with self._failures():
            async for batch in self._client.batches.list(limit=100):
                told = as_dict(batch)
                if int(told.get("created_at") or 0) < since - _CLOCK_SECONDS:
                    break
                if (told.get("metadata") or {}).get(_MARK) == mark:
                    return str(told["id"])
        return None

    async def _retrieve(self, batch: str) -> dict[str, Any]:
        async with self._failures():
            return as_dict(await self._client.batches.retrieve(batch))

    def _result(self, line: Mapping[str, Any]) -> Reply | CallFailedError | None:
        response, error = line.get("response"), line.get("error")
        if isinstance(error, Mapping) and error.get("code") in _NEVER_CAME_TO:
            return None
        if not isinstance(response, Mapping):
            told = error if isinstance(error, Mapping) else {}
            return CallFailedError(f"{told.get('code')}: {told.get('message')}"[:500], status=500)
        body, status = response.get("body"), response.get("status_code")
        if not isinstance(body, Mapping):
            return unreadable("it has no body")
        if status != 200:
            inner = body.get("error")
            told = inner if isinstance(inner, Mapping) else {}
            what = f"{status}: {told.get('message') or 'no reason given'}"
            parameter = told.get("param")
            return CallFailedError(
                what[:500],
                status=status if isinstance(status, int) else 500,
                parameter=parameter if isinstance(parameter, str) else None,
            )
        try:
            return self._read(body)
        except CallFailedError as failure:
            return failure


def _objects(data: bytes) -> Iterator[dict[str, Any]]:
    for line in data.splitlines():
        try:
            found = json.loads(line) if line.strip() else None
        except (ValueError, RecursionError) as error:
            raise unreadable(f"a line of the results is no JSON: {error}") from None
        if isinstance(found, dict):
            yield found


def _why(batch: Mapping[str, Any]) -> str:
    errors = batch.get("errors")
    data = errors.get("data") if isinstance(errors, Mapping) else None
    told = [str(each.get("message")) for each in data if isinstance(each, Mapping)] if isinstance(data, list) else []
    return "; ".join(told[:3])[:500] or "the service does not say why"
