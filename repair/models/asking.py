"""What one attempt is given of a model: it asks, and everything it is answered goes on the record of the attempt."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import final

from pydantic import JsonValue

from mendlab.records import AgentStep, ModelAnswer, ToolResult, Usage
from mendlab.repair.models.calls import Request
from mendlab.repair.models.model import Answers, stop_reason
from mendlab.repair.strategy import Proposal


@final
class Asking:
    """A model, for one sample of one task. Threads of one attempt may ask at once, each under numbers of its own."""

    def __init__(self, answers: Answers, task_id: str, sample: int) -> None:
        self._answers = answers
        self._place = (task_id, sample)
        self._lock = threading.Lock()
        self._given: dict[int, ModelAnswer] = {}

    def ask(self, call: int, request: Request) -> ModelAnswer:
        """Return the answer to the call of that number, from 0; errors as :meth:`Answers.ask`."""
        answer = self._answers.ask(*self._place, call, request)
        with self._lock:
            self._given[call] = answer
        return answer

    def step(
        self, call: int, request: Request, answer: ModelAnswer, do: Callable[[AgentStep | None], Sequence[ToolResult]]
    ) -> AgentStep:
        """Return the step that follows an answer, on record before anything comes of it.

        ``do`` returns what the tools answer; it is given the step if that was on record already.
        """
        digest = self._answers.settings.digest(request)
        known = self._answers.find_step(*self._place, call, digest)
        started = time.monotonic()
        results = tuple(do(known))
        if known is not None:
            return known
        task_id, sample = self._place
        step = AgentStep(
            task_id=task_id,
            sample=sample,
            step=call,
            request=digest,
            text=answer.text,
            calls=answer.calls,
            results=results,
            wall_seconds=round(time.monotonic() - started, 6),
        )
        self._answers.add_step(step)
        return step

    def proposal(
        self, chosen: ModelAnswer, *, reason: str | None = None, facts: Mapping[str, JsonValue] | None = None
    ) -> Proposal:
        """Return an attempt that ends with ``chosen``, with what all of its answers took."""
        given = [self._given[call] for call in sorted(self._given)]
        retries = [why for answer in given for why in answer.retries]
        told: dict[str, JsonValue] = {"calls": len(given), "sent": dict(chosen.sent), **(facts or {})}
        if chosen.rejected:
            told["rejected"] = list(chosen.rejected)
        if retries:
            told["retried"] = list(retries)
        text = chosen.text if chosen.finish != "failed" else None
        return Proposal(
            raw_patch=text,
            raw_answer=text,
            stop_reason=reason if reason is not None and text is not None else stop_reason(chosen),
            parameters=told,
            model_requested=self._answers.settings.label,
            model_answered=chosen.model,
            prompt_digest=given[0].request,
            usage=_together([answer.usage for answer in given]),
            cost_usd=_cost([answer.cost_usd for answer in given]),
            retries=len(retries),
        )


def _together(usages: Sequence[Usage | None]) -> Usage | None:
    """The sum of each kind of tokens; a kind of which one is not known is not known."""
    known = [usage.model_dump() for usage in usages if usage is not None]
    if len(known) < len(usages) or not known:
        return None
    kinds = {kind: [usage[kind] for usage in known] for kind in known[0]}
    return Usage(**{kind: None if None in counts else sum(counts) for kind, counts in kinds.items()})


def _cost(costs: Sequence[float | None]) -> float | None:
    known = [cost for cost in costs if cost is not None]
    return None if len(known) < len(costs) else round(sum(known), 9)
