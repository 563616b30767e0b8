"""A model with tools."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, final

from pydantic import JsonValue, PositiveFloat, PositiveInt

from mendlab.records import AgentStep, ModelAnswer, ToolResult
from mendlab.repair.context import RepairContext
from mendlab.repair.models.calls import Message, Request
from mendlab.repair.models.model import stop_reason
from mendlab.repair.prompts.requests import opening_request
from mendlab.repair.strategy import Proposal, strategy
from mendlab.repair.tools.registry import tools, unused, use
from mendlab.repair.tools.workspace import Workspace

_MOST_CALLS: Final = 16  # of one answer
_MOST_ASKED: Final = 128  # in one answer: each is refused in words that are sent, and paid for, from then on
_MOST_SILENT: Final = 3  # answers in a row that ask for no tool


@strategy("agent", needs_model=True)
@dataclass(frozen=True, slots=True)
class Agent:
    """Let a model look around, edit and run the visible tests with tools, up to so many steps, seconds and dollars.

    ``seconds`` are those of answers and tools, ``cost`` is in US dollars; both are looked at after each step.
    """

    steps: PositiveInt = 30
    seconds: PositiveFloat = 900.0
    cost: PositiveFloat | None = None

    def propose(self, context: RepairContext) -> Proposal:
        """Return the change that the model has made when it submits or a limit is reached."""
        with Workspace(context) as workspace:
            return _Session(self, context, workspace).run()


@final
class _Session:
    """One attempt under way."""

    def __init__(self, limits: Agent, context: RepairContext, workspace: Workspace) -> None:
        self._limits = limits
        self._context = context
        self._workspace = workspace
        self._used: Counter[str] = Counter()
        self._seconds = 0.0
        self._cost: float | None = 0.0
        self._silent = 0

    def run(self) -> Proposal:
        """Answer the model until it is done."""
        model = self._context.model
        opening = opening_request(self._context, cache=True, said=("agent", "agent_task"))
        request = replace(opening, tools=tuple(info.tool for info in tools().values()))
        for number in range(self._limits.steps):
            answer = model.ask(number, request)
            if answer.finish in ("failed", "refused"):
                return self._proposal(answer, number + 1, stop_reason(answer))
            step = model.step(number, request, answer, partial(self._use_tools, answer))
            if ended := self._ended(answer, step):
                return self._proposal(answer, number + 1, ended)
            request = self._following(request, answer, step)
        return self._proposal(answer, self._limits.steps, "limit: steps")

    def _use_tools(self, answer: ModelAnswer, known: AgentStep | None) -> list[ToolResult]:
        results: list[ToolResult] = []
        for at, call in enumerate(answer.calls):
            if answer.finish == "cut_off":
                results.append(unused(call, "your answer was cut off at the limit of its length"))
            elif self._workspace.submitted:
                results.append(unused(call, "the program is handed in"))
            elif at >= _MOST_CALLS:
                results.append(unused(call, f"no more than {_MOST_CALLS} tools are used after one answer"))
            else:
                results.append(use(self._workspace, call, known.results[at] if known is not None else None))
                self._used[call.name if call.name in tools() else "unknown"] += 1
        return results

    def _ended(self, answer: ModelAnswer, step: AgentStep) -> str | None:
        """Return why no more is to be asked, or ``None``."""
        self._seconds += (answer.wall_seconds or 0.0) + step.wall_seconds
        self._cost = None if self._cost is None or answer.cost_usd is None else self._cost + answer.cost_usd
        self._silent = 0 if answer.calls else self._silent + 1
        if self._workspace.submitted:
            return "submitted"
        if len(answer.calls) > _MOST_ASKED:
            return "limit: tools of one answer"
        if self._silent >= _MOST_SILENT:
            return "no tool is asked for"
        if self._seconds >= self._limits.seconds:
            return "limit: seconds"
        if self._limits.cost is not None and (self._cost is None or self._cost >= self._limits.cost):
            return "limit: cost" if self._cost is not None else "limit: what was spent is not known"
        return None

    def _following(self, request: Request, answer: ModelAnswer, step: AgentStep) -> Request:
        """Return the conversation with an answer, and what is said to it."""
        facts = {"cut_off": answer.finish == "cut_off"}
        told = "" if answer.calls else self._context.prompting.templates.render("agent_reminder", facts)
        # No service takes an empty turn.
        said = Message("assistant", answer.text.strip() or "(no answer)", turn=answer.turn)
        return replace(request, messages=(*request.messages, said, Message("user", told, results=step.results)))

    def _proposal(self, answer: ModelAnswer, steps: int, ended: str) -> Proposal:
        """Return what has been made of the program; what a service's failure left half done is no attempt."""
        used: dict[str, JsonValue] = dict(self._used)
        facts: dict[str, JsonValue] = {"steps": steps, "tools": used}
        proposal = self._context.model.proposal(answer, facts=facts)
        patch = None if answer.finish == "failed" and answer.infra else self._workspace.patch
        return replace(proposal, raw_patch=patch, stop_reason=ended, cpu_seconds=self._workspace.cpu_seconds)
