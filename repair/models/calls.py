"""What is asked of a model, and what comes back."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, final

from pydantic import JsonValue

from mendlab.records import ModelFinish, ToolCall, ToolResult, Usage


@final
@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that a model may ask for; ``schema`` is the JSON schema of its arguments, an object."""

    name: str
    description: str
    schema: Mapping[str, JsonValue]


@final
@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation.

    A user's turn may have ``results`` of tools. An assistant's may be a ``turn`` of the service's own form, with the
    tool calls and whatever else the service wants to see again; ``text`` is then part of it.
    """

    role: Literal["user", "assistant"]
    text: str
    results: tuple[ToolResult, ...] = ()
    turn: tuple[JsonValue, ...] = ()

    @property
    def characters(self) -> int:
        """How long the text of all of it is."""
        told = len(json.dumps(self.turn)) if self.turn else len(self.text)
        return told + sum(len(result.text) for result in self.results)

    def parts(self) -> list[JsonValue]:
        """Return all that decides an answer."""
        told: list[JsonValue] = [self.role, self.text]
        if self.results or self.turn:
            told += [[result.model_dump() for result in self.results], list(self.turn)]
        return told


@final
@dataclass(frozen=True, slots=True)
class Request:
    """A conversation to be answered. ``cache`` says that a later call will begin with the same messages."""

    system: str
    messages: tuple[Message, ...]
    cache: bool = False
    tools: tuple[Tool, ...] = ()

    @property
    def characters(self) -> int:
        """How long the text of all of it is."""
        tools = sum(len(tool.description) + len(json.dumps(dict(tool.schema))) for tool in self.tools)
        return len(self.system) + tools + sum(message.characters for message in self.messages)


@final
@dataclass(frozen=True, slots=True)
class ModelSettings:
    """The part of a model's settings that decides what it answers; all of it is recorded with the run.

    ``parameters`` go into the body of each request as they are. ``retries`` is how often a call may be made again.
    """

    provider: str
    name: str
    base_url: str
    max_output_tokens: int = 8192
    parameters: Mapping[str, JsonValue] = field(default_factory=dict)
    retries: int = 0

    @property
    def label(self) -> str:
        """The model as the user names it."""
        return f"{self.provider}:{self.name}"

    def recorded(self) -> dict[str, JsonValue]:
        """Return what goes into ``run.json``."""
        return {
            "model": self.label,
            "base_url": self.base_url,
            "max_output_tokens": self.max_output_tokens,
            "model_parameters": dict(self.parameters),
            "retries": self.retries,
        }

    def digest(self, request: Request) -> str:
        """Return the SHA-256 of all that decides the answer to a request: another one asks for another answer."""
        messages = [message.parts() for message in request.messages]
        parts = [self.label, self.max_output_tokens, dict(self.parameters), request.system, messages]
        parts += [[tool.name, tool.description, dict(tool.schema)] for tool in request.tools]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


@final
@dataclass(frozen=True, slots=True)
class Reply:
    """An answer as a provider gives it: where it asks for tools, with the ``calls`` and the ``turn`` to send back."""

    text: str
    finish: ModelFinish
    model: str | None
    usage: Usage | None
    calls: tuple[ToolCall, ...] = ()
    turn: tuple[JsonValue, ...] = ()


@final
class CallFailedError(Exception):
    """A call that brought no answer. ``status`` is that of HTTP; ``None`` where the connection failed.

    ``billable`` says that the model may have worked, and its answer was lost.
    """

    def __init__(
        self,
        what: str,
        *,
        status: int | None = None,
        retry_after: float | None = None,
        parameter: str | None = None,
        billable: bool = False,
    ) -> None:
        super().__init__(what)
        self.what = what
        self.status = status
        self.retry_after = retry_after
        self.parameter = parameter
        self.billable = billable

    @property
    def transient(self) -> bool:
        """Whether the same call may do better later: 408, 429, 5xx, and a connection that failed."""
        return self.status is None or self.status in (408, 429) or self.status >= 500

    @property
    def hopeless(self) -> bool:
        """Whether every other call would fail alike: no key, no right, no money, no such model, another place."""
        return self.status in (401, 402, 403, 404) or (self.status is not None and 300 <= self.status < 400)


def refused_parameters(failure: CallFailedError, sent: Mapping[str, JsonValue]) -> set[str]:
    """Return the parameters that a 400 (or vLLM's 422) names."""
    if failure.status not in (400, 422):
        return set()
    named = failure.parameter.partition(".")[0] if failure.parameter else None
    return {name for name in sent if name == named or re.search(rf"\b{re.escape(name)}\b", failure.what)}
