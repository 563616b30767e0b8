"""The calls that attempts would make, collected to be sent together."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import final

from mendlab.records import AgentStep, BatchedCall, ModelAnswer
from mendlab.repair.models.calls import ModelSettings, Request
from mendlab.repair.models.tape import Tape


@final
@dataclass(frozen=True, slots=True)
class Wanted:
    """A call that has no answer yet."""

    call: BatchedCall
    request: Request


@final
class Collecting:
    """Answers from the tape; what is not on it fails, and is in ``wanted``."""

    def __init__(self, settings: ModelSettings, tape: Tape) -> None:
        self._settings = settings
        self._tape = tape
        self._lock = threading.Lock()
        self._wanted: list[Wanted] = []

    @property
    def settings(self) -> ModelSettings:
        """What is recorded of the model."""
        return self._settings

    @property
    def wanted(self) -> list[Wanted]:
        """The calls without an answer, in the order of their tasks."""
        return sorted(self._wanted, key=lambda each: (each.call.task_id, each.call.sample, each.call.call))

    def ask(self, task_id: str, sample: int, call: int, request: Request) -> ModelAnswer:
        """Return the answer if there is one."""
        digest = self._settings.digest(request)
        found = self._tape.find(task_id, sample, call, digest)
        if found is not None:
            return found
        with self._lock:
            wanted = BatchedCall(task_id=task_id, sample=sample, call=call, request=digest)
            self._wanted.append(Wanted(wanted, request))
        return ModelAnswer(task_id=task_id, sample=sample, call=call, request=digest, finish="failed")

    def find_step(self, task_id: str, sample: int, step: int, request: str) -> AgentStep | None:
        """There are no steps in a batch."""
        return None

    def add_step(self, step: AgentStep) -> None:
        """There are no steps in a batch."""
