"""A model at work: answers from the tape, or else from its service and then on the tape, within the budget."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future
from types import TracebackType
from typing import Final, Protocol, Self, final

from mendlab.errors import ModelError
from mendlab.records import INFRA_STOP, AgentStep, ModelAnswer
from mendlab.repair.models.answering import Call, filled
from mendlab.repair.models.calls import ModelSettings, Request
from mendlab.repair.models.endpoints import Endpoint
from mendlab.repair.models.prices import Price, most_of
from mendlab.repair.models.service import Service
from mendlab.repair.models.spending import Spending
from mendlab.repair.models.tape import Tape

_LOOK_UP_SECONDS: Final = 0.1
_GRACE_SECONDS: Final = 3.0


class Answers(Protocol):
    """Whatever answers the calls of attempts; :class:`Model` is one."""

    @property
    def settings(self) -> ModelSettings:
        """What is recorded of the model."""
        ...

    def ask(self, task_id: str, sample: int, call: int, request: Request) -> ModelAnswer:
        """Return the answer to one call of one attempt; a call that failed is an answer too.

        Raises:
            ModelError: no call will be answered any more: the run is to stop.
            KeyboardInterrupt: the user is stopping the run.
        """
        ...

    def find_step(self, task_id: str, sample: int, step: int, request: str) -> AgentStep | None:
        """Return the step that followed the answer to a request, if it is on record."""
        ...

    def add_step(self, step: AgentStep) -> None:
        """Put a step on record."""
        ...


@final
class Model:
    """One model. Threads ask at once; at most ``at_once`` calls are under way, and ``per_minute`` begin.

    Without an ``endpoint`` nothing is ever sent: every answer has to be on the tape, and ``missing`` says why one may
    not be. Setting ``stopping`` ends whoever waits: calls under way have a few seconds left, so that what is paid for
    is kept if it comes.
    """

    def __init__(
        self,
        settings: ModelSettings,
        tape: Tape,
        *,
        endpoint: Endpoint | None,
        price: Price | None = None,
        limit: float | None = None,
        at_once: int = 4,
        per_minute: float | None = None,
        missing: str = "that run is not finished, or its settings, prompts or test outputs were others",
    ) -> None:
        self.stopping = threading.Event()
        self._settings = settings
        self._missing = missing
        self._tape = tape
        self._price = price
        self._spending = Spending(limit, tape.run, tape.spent)
        self._rejected = set(tape.rejected)
        self._service = (
            None
            if endpoint is None
            else Service(settings, endpoint, at_once=at_once, per_minute=per_minute, rejected=self._rejected)
        )

    @property
    def settings(self) -> ModelSettings:
        """What is recorded of the model."""
        return self._settings

    def ask(self, task_id: str, sample: int, call: int, request: Request) -> ModelAnswer:
        """Return the answer to one call of one attempt; errors as :meth:`Answers.ask`."""
        digest = self._settings.digest(request)
        found = self._tape.find(task_id, sample, call, digest)
        if found is not None:
            return found
        if self._service is None:
            raise ModelError(
                f"there is no answer to call {call + 1} of sample {sample} of task {task_id}",
                where=self._tape.replayed,
                hint=self._missing,
            )
        if self.stopping.is_set():
            raise KeyboardInterrupt
        blank = ModelAnswer(task_id=task_id, sample=sample, call=call, request=digest, finish="failed")
        answer = self._ask_service(self._service, request, blank)
        self._tape.add(answer)
        return answer

    def find_step(self, task_id: str, sample: int, step: int, request: str) -> AgentStep | None:
        """Return the step that followed the answer to a request, if it is on the tape."""
        return self._tape.find_step(task_id, sample, step, request)

    def add_step(self, step: AgentStep) -> None:
        """Put a step on the tape."""
        self._tape.add_step(step)

    def finalise(self) -> None:
        """Put the tape in order."""
        self._tape.finalise()

    def close(self) -> None:
        """Close the connections, and let others append to the tape."""
        if self._service is not None:
            self._service.close()
        self._spending.close()
        self._tape.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _ask_service(self, service: Service, request: Request, blank: ModelAnswer) -> ModelAnswer:
        most = most_of(self._price, request, self._settings)
        self._spending.reserve(most, self.stopping.is_set)
        spent: float | None = None
        try:
            started = time.monotonic()
            call = self._wait(service.start(request))
            took = round(time.monotonic() - started, 6)
            answer = filled(blank, call, self._price).model_copy(update={"wall_seconds": took})
            last = 0.0 if call.reply is None else most if answer.cost_usd is None else answer.cost_usd
            spent = last + call.lost * most
        except ModelError:
            spent = 0.0
            raise
        finally:
            self._spending.settle(most, spent)
        return answer

    def _wait(self, future: Future[Call]) -> Call:
        patience: float | None = None
        while True:
            try:
                return future.result(_LOOK_UP_SECONDS)
            except TimeoutError:
                if future.done():
                    raise
            if self.stopping.is_set():
                patience = patience or time.monotonic() + _GRACE_SECONDS
                if time.monotonic() > patience:
                    future.cancel()
                    raise KeyboardInterrupt


def stop_reason(answer: ModelAnswer) -> str:
    """Return how an attempt ended that ends with this answer."""
    match answer.finish:
        case "complete":
            return "answered"
        case "cut_off":
            return "cut off at the limit of output tokens"
        case "refused":
            return "the model refused"
        case "failed":
            return f"{INFRA_STOP if answer.infra else 'error'}: {answer.error}"
