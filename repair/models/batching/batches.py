"""Batches on their way: written down, sent, waited for, and their answers put on the tape."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any, Final, cast, final

from pydantic import JsonValue

from mendlab.corpora.journal import Journal
from mendlab.errors import ModelError
from mendlab.records import ModelAnswer, SentBatch
from mendlab.repair.models.answering import Call, filled
from mendlab.repair.models.batching.collecting import Wanted
from mendlab.repair.models.batching.service import BatchService
from mendlab.repair.models.calls import CallFailedError, ModelSettings, Reply, refused_parameters
from mendlab.repair.models.endpoints import Endpoint
from mendlab.repair.models.prices import Price, most_of
from mendlab.repair.models.provider import providers
from mendlab.repair.models.spending import Spending
from mendlab.repair.models.tape import Tape

BATCHES_FILE: Final = "batches.jsonl"
_MOST_CALLS: Final = 10_000
_MOST_BYTES: Final = 100_000_000
"""Less than either service takes at once."""
_FIRST_WAIT: Final = 0.5
_LONGEST_WAIT: Final = 60.0
_MOST_FAILURES: Final = 10  # looks in a row that bring nothing
_AGAIN: Final = "the same command goes on from here"

Progress = Callable[[str, int, int], None]


@final
class Batches:
    """The batches of one run.

    A batch is on the disk before it is sent, and its id before it is waited for. One that was being sent when the run
    was killed is looked for at the service, by its mark, before anything is sent again.
    """

    def __init__(
        self,
        run: Path,
        settings: ModelSettings,
        endpoint: Endpoint,
        tape: Tape,
        *,
        price: Price | None = None,
        limit: float | None = None,
        progress: Progress = lambda stage, done, total: None,
    ) -> None:
        self._settings = settings
        self._endpoint = endpoint
        self._tape = tape
        self._price = price
        self._spending = Spending(limit, run, tape.spent)
        self._journal = Journal(run / BATCHES_FILE, SentBatch)
        self._rejected = set(tape.rejected)
        self._progress = progress

    def resume(self) -> None:
        """Bring the batches that were under way to their end; errors as :meth:`send`."""
        states = {batch.mark: batch for batch in self._journal.read()}
        open_ = [batch for batch in states.values() if batch.state in ("sending", "sent")]
        if open_:
            asyncio.run(self._with_service(partial(self._finish, batches=open_)))

    def send(self, wanted: Sequence[Wanted]) -> None:
        """Have calls answered, all that the budget has room for at a time.

        Raises:
            ModelError: the service refuses or loses them, or there is no room for a single one. What came is kept.
            OutputError: what came cannot be written down.
        """
        left = list(wanted)
        while left:
            rejected = len(self._rejected)
            asyncio.run(self._with_service(partial(self._round, wanted=left)))
            still = [each for each in left if self._tape.find(*_key(each)) is None]
            if len(still) == len(left) and len(self._rejected) == rejected:
                what = f"{len(left)} calls expired at the service, or were cancelled there, and have no answer"
                raise ModelError(what, where=self._settings.label, hint="the same command sends them again")
            left = still

    def close(self) -> None:
        """Let others write."""
        self._journal.close()
        self._spending.close()

    async def _with_service(self, do: Callable[[BatchService], Awaitable[None]]) -> None:
        client = providers()[self._settings.provider].make(self._endpoint)
        try:
            await do(cast(Any, client).batches())
        except CallFailedError as failure:
            raise ModelError(self._endpoint.scrub(failure.what), where=self._settings.label, hint=_AGAIN) from None
        finally:
            await client.close()

    async def _round(self, service: BatchService, wanted: Sequence[Wanted]) -> None:
        """Send as many batches as there is room for, and wait for them."""
        sent: list[SentBatch] = []
        for some in self._portions(wanted):
            room = self._spending.room
            costs = list(accumulate(most_of(self._price, each.request, self._settings) for each in some))
            fits = len(some) if room is None else sum(cost <= room for cost in costs)
            if fits or not sent:  # where not even one fits, reserving for it says so
                sent.append(await self._send(service, some[: max(1, fits)], costs[max(1, fits) - 1]))
            if fits < len(some):
                break
        await self._finish(service, sent)

    def _portions(self, wanted: Sequence[Wanted]) -> Iterator[list[Wanted]]:
        some: list[Wanted] = []
        size = 0
        for each in wanted:
            bytes_ = 4 * each.request.characters
            if some and (len(some) >= _MOST_CALLS or size + bytes_ > _MOST_BYTES):
                yield some
                some, size = [], 0
            some.append(each)
            size += bytes_
        if some:
            yield some

    async def _send(self, service: BatchService, some: Sequence[Wanted], cost: float) -> SentBatch:
        self._spending.reserve(cost)
        mark = f"m{secrets.token_hex(8)}"
        names = {f"{mark}-{at}": each for at, each in enumerate(some)}
        calls = {name: each.call for name, each in names.items()}
        batch = SentBatch(mark=mark, state="sending", at=round(time.time(), 3), reserved_usd=cost, calls=calls)
        self._journal.append(batch)
        make = providers()[self._settings.provider].make.body
        bodies = {name: make(self._settings, each.request, self._parameters) for name, each in names.items()}
        try:
            found = await service.send(bodies, mark)
        except CallFailedError as failure:
            if not failure.transient:  # refused: nothing is under way
                self._forget(batch)
            raise
        return self._moved(batch, "sent", found)

    @property
    def _parameters(self) -> dict[str, JsonValue]:
        return {name: value for name, value in self._settings.parameters.items() if name not in self._rejected}

    def _moved(self, batch: SentBatch, state: str, found: str | None) -> SentBatch:
        moved = batch.model_copy(update={"state": state, "id": found})
        self._journal.append(moved)
        return moved

    def _forget(self, batch: SentBatch) -> None:
        self._moved(batch, "lost", None)
        self._spending.settle(batch.reserved_usd, 0.0)

    async def _finish(self, service: BatchService, batches: Sequence[SentBatch]) -> None:
        """Wait for batches, and put their answers on the tape."""
        under_way = []
        for batch in batches:
            found = batch.id or await service.find(batch.mark, len(batch.calls), batch.at)
            if found is None:
                self._forget(batch)
            else:
                under_way.append(batch if batch.id else self._moved(batch, "sent", found))
        done = dict.fromkeys((batch.mark for batch in under_way), 0)
        total = sum(len(batch.calls) for batch in under_way)
        wait, failures = _FIRST_WAIT, 0
        while under_way:
            for batch in list(under_way):
                try:
                    state = await service.look(str(batch.id))
                    failures = 0
                except CallFailedError as failure:
                    failures += 1
                    if not failure.transient or failures > _MOST_FAILURES:
                        raise
                    continue
                done[batch.mark] = min(state.done, len(batch.calls))
                self._progress("batches: calls answered", sum(done.values()), total)
                if state.failed is not None:
                    self._forget(batch)
                    raise ModelError(f"the batch {batch.id} failed: {state.failed}", where=self._settings.label)
                if state.ended:
                    under_way.remove(batch)
                    self._take(batch, await service.results(str(batch.id)))
            if under_way:
                await asyncio.sleep(wait)
                wait = min(_LONGEST_WAIT, wait * 1.5)

    def _take(self, batch: SentBatch, results: dict[str, Reply | CallFailedError]) -> None:
        """Put the answers of a batch on the tape; calls that failed for a parameter that is refused are made again."""
        cost: float | None = 0.0
        for name, call in batch.calls.items():
            result = results.get(name)
            blank = ModelAnswer(**call.model_dump(), finish="failed", batch=batch.id)
            answer = self._answer(blank, result) if result is not None else None
            if answer is None:
                continue
            if self._tape.find(call.task_id, call.sample, call.call, call.request) is None:
                self._tape.add(answer)
            if isinstance(result, Reply):
                cost = None if cost is None or answer.cost_usd is None else cost + answer.cost_usd
        self._moved(batch, "read", batch.id)
        self._spending.settle(batch.reserved_usd, cost)

    def _answer(self, blank: ModelAnswer, result: Reply | CallFailedError) -> ModelAnswer | None:
        call = Call(sent=self._parameters, rejected=tuple(sorted(self._rejected)))
        if isinstance(result, Reply):
            call.reply = self._endpoint.scrub_reply(result)
        else:
            result.what = self._endpoint.scrub(result.what)
            if refused := refused_parameters(result, self._settings.parameters):
                self._rejected |= refused
                return None
            call.failure = result
        return filled(blank, call, self._price)


def _key(wanted: Wanted) -> tuple[str, int, int, str]:
    call = wanted.call
    return call.task_id, call.sample, call.call, call.request
