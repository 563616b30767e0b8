"""One model's service: calls on an event loop, so many at once, so many a minute, and made again where told."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future
from typing import Final, final

from mendlab.errors import InputError, ModelError
from mendlab.repair.models.answering import Call
from mendlab.repair.models.calls import CallFailedError, ModelSettings, Reply, Request, refused_parameters
from mendlab.repair.models.endpoints import Endpoint
from mendlab.repair.models.failures import no_answer_within
from mendlab.repair.models.provider import Client, providers

_FIRST_WAIT: Final = 1.0
_LONGEST_WAIT: Final = 120.0


@final
class Service:
    """Calls are started from any thread, and run on one.

    Parameters that the service does not take, by its own word, join ``rejected`` and are not sent again.
    """

    def __init__(
        self,
        settings: ModelSettings,
        endpoint: Endpoint,
        *,
        at_once: int,
        per_minute: float | None,
        rejected: set[str],
    ) -> None:
        self._settings = settings
        self._endpoint = endpoint
        self._info = providers()[settings.provider]
        self._rejected = rejected
        self._gap = 60.0 / per_minute if per_minute else 0.0
        self._next = 0.0
        self._loop = asyncio.new_event_loop()
        self._slots = asyncio.Semaphore(at_once)
        self._thread = threading.Thread(target=self._loop.run_forever, name="models", daemon=True)
        self._thread.start()
        self._client = asyncio.run_coroutine_threadsafe(self._open(), self._loop).result()

    def start(self, request: Request) -> Future[Call]:
        """Begin a call.

        The future raises :class:`ModelError` where every other call would fail alike.
        """
        return asyncio.run_coroutine_threadsafe(self._call(request), self._loop)

    def close(self) -> None:
        """Close the connections and end the loop; what is under way is given up."""
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _open(self) -> Client:
        return self._info.make(self._endpoint)

    async def _end(self) -> None:
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await self._client.close()

    async def _call(self, request: Request) -> Call:
        call = Call()
        async with self._slots:
            while True:
                call.reply, call.failure = await self._once(request, call)
                failure = call.failure
                if failure is None:
                    return call
                call.lost += failure.billable
                if failure.hopeless:
                    hint = "see the key, the model's name and --base-url; what is done is kept"
                    raise ModelError(failure.what, where=self._settings.label, hint=hint)
                wait = failure.retry_after if failure.retry_after is not None else _FIRST_WAIT * 2 ** len(call.retries)
                if not failure.transient or len(call.retries) >= self._settings.retries or wait > _LONGEST_WAIT:
                    return call
                call.retries.append(f"{failure.what}; waited {wait:g} s")
                await asyncio.sleep(wait)

    async def _once(self, request: Request, call: Call) -> tuple[Reply | None, CallFailedError | None]:
        """Send a request, and again without the parameters that are refused by name."""
        offered = {**(self._info.with_tools if request.tools else {}), **self._settings.parameters}
        while True:
            call.sent = {name: value for name, value in offered.items() if name not in self._rejected}
            call.rejected = tuple(name for name in offered if name not in call.sent)
            await self._pace()
            try:
                body = self._info.make.body(self._settings, request, call.sent)
                async with asyncio.timeout(self._endpoint.timeout):  # the SDK's is for each piece that comes
                    reply = await self._client.send(body)
                return self._endpoint.scrub_reply(reply), None
            except TimeoutError:
                return None, no_answer_within(self._endpoint.timeout)
            except InputError as error:
                raise ModelError(error.what, where=self._settings.label, hint=error.hint) from None
            except CallFailedError as failure:
                failure.what = self._endpoint.scrub(failure.what)
                refused = refused_parameters(failure, call.sent)
                if not refused:
                    return None, failure
                self._rejected |= refused

    async def _pace(self) -> None:
        now = self._loop.time()
        at = max(now, self._next)
        self._next = at + self._gap
        await asyncio.sleep(at - now)
