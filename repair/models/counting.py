"""A model that answers nothing, and counts what would be sent: the most that a run can come to."""

from __future__ import annotations

import threading
from typing import final

from mendlab.records import AgentStep, ModelAnswer, ToolCall
from mendlab.repair.models.calls import ModelSettings, Request
from mendlab.repair.models.prices import Price, estimate_tokens


@final
class Counting:
    """Counts calls, estimates their prompts' tokens, and adds up what they may cost at most.

    A strategy that goes on after a bad answer makes all of its calls. Answers are held to be as long as they may be,
    and to be read again by every later call; what tools answer is what the first of them does.
    """

    def __init__(self, settings: ModelSettings, price: Price | None) -> None:
        self._settings = settings
        self._price = price
        self._lock = threading.Lock()
        self.calls = 0
        self.prompt_tokens = 0
        self.first: Request | None = None
        self._most = 0.0

    @property
    def settings(self) -> ModelSettings:
        """What is recorded of the model."""
        return self._settings

    @property
    def output_tokens(self) -> int:
        """How many tokens the answers have at most."""
        return self.calls * self._settings.max_output_tokens

    @property
    def most(self) -> float | None:
        """What it costs at most, in US dollars, if the price is known."""
        return round(self._most, 6) if self._price is not None else None

    def ask(self, task_id: str, sample: int, call: int, request: Request) -> ModelAnswer:
        """Count a call."""
        earlier = sum(message.role == "assistant" for message in request.messages)
        tokens = estimate_tokens(request.characters) + earlier * self._settings.max_output_tokens
        with self._lock:
            self.first = self.first or request
            self.calls += 1
            self.prompt_tokens += tokens
            if self._price is not None:
                self._most += self._price.most(tokens, self._settings.max_output_tokens)
        digest = self._settings.digest(request)
        # Whoever has tools goes on as long as one is asked for.
        asked = tuple(ToolCall(id=str(call), name=tool.name, arguments="{}") for tool in request.tools[:1])
        return ModelAnswer(task_id=task_id, sample=sample, call=call, request=digest, finish="complete", calls=asked)

    def find_step(self, task_id: str, sample: int, step: int, request: str) -> AgentStep | None:
        """Nothing is on record."""
        return None

    def add_step(self, step: AgentStep) -> None:
        """Keep nothing."""
