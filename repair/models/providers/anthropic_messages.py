"""Anthropic's Messages API.

Its ``input_tokens`` leave out what the cache took or gave; its ``output_tokens`` include thinking. The SDK no longer
has arguments for temperature and its like: parameters go into the body as they are.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, final

from pydantic import JsonValue

from mendlab.records import ModelFinish, ToolCall, Usage
from mendlab.repair.models.batching.anthropic_batches import AnthropicBatches
from mendlab.repair.models.batching.service import BatchService
from mendlab.repair.models.calls import Message, ModelSettings, Reply, Request
from mendlab.repair.models.endpoints import Endpoint, open_http
from mendlab.repair.models.failures import as_dict, count, sdk_failures, unreadable
from mendlab.repair.models.provider import provider

_OWN: Final = ("model", "max_tokens", "system", "messages", "tools", "cache_control")
_FINISH: Final[dict[str, ModelFinish]] = {
    "max_tokens": "cut_off",
    "model_context_window_exceeded": "cut_off",
    "refusal": "refused",
}


@provider("anthropic", package="anthropic", key_variable="ANTHROPIC_API_KEY", base_url="https://api.anthropic.com")
@final
class AnthropicMessages:
    """The client of one account."""

    def __init__(self, endpoint: Endpoint) -> None:
        import anthropic

        self._sdk = anthropic
        self._endpoint = endpoint
        self._client = anthropic.AsyncAnthropic(
            api_key=endpoint.key,
            base_url=endpoint.url,
            max_retries=0,
            timeout=endpoint.timeout,
            http_client=open_http(endpoint),
            open_telemetry=False,
        )

    @staticmethod
    def body(settings: ModelSettings, request: Request, parameters: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        """Return the body of a request."""
        body: dict[str, JsonValue] = {
            "model": settings.name,
            "max_tokens": settings.max_output_tokens,
            "system": request.system,
            "messages": [{"role": message.role, "content": _content(message)} for message in request.messages],
        }
        if request.tools:
            body["tools"] = [
                {"name": tool.name, "description": tool.description, "input_schema": dict(tool.schema)}
                for tool in request.tools
            ]
        if request.cache:
            body["cache_control"] = {"type": "ephemeral"}
        return {**body, **parameters}

    async def send(self, body: Mapping[str, Any]) -> Reply:
        """Send a body."""
        own = {key: body[key] for key in _OWN if key in body}
        parameters = {key: value for key, value in body.items() if key not in own}
        async with sdk_failures(self._sdk, self._endpoint):
            message = await self._client.messages.create(**own, extra_body=parameters)
            return _reply(as_dict(message))

    def batches(self) -> BatchService:
        """Return what sends batches."""
        return AnthropicBatches(self._client, _reply, partial(sdk_failures, self._sdk, self._endpoint))

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()


def _reply(answer: Mapping[str, Any]) -> Reply:
    content = answer.get("content")
    if not isinstance(content, list):
        raise unreadable("it has no content")
    blocks = [block for block in content if isinstance(block, Mapping) and block.get("type") == "text"]
    text = "".join(block["text"] for block in blocks if isinstance(block.get("text"), str))
    finish = _FINISH.get(str(answer.get("stop_reason")), "complete")
    model = answer.get("model")
    return Reply(
        text, finish, model if isinstance(model, str) else None, _usage(answer.get("usage")), *_asked_for(content)
    )


def _content(message: Message) -> JsonValue:
    if message.turn:
        return list(message.turn)
    if not message.results:
        return message.text
    content: list[JsonValue] = [
        {"type": "tool_result", "tool_use_id": result.id, "content": result.text, "is_error": result.failed}
        for result in message.results
    ]
    return [*content, {"type": "text", "text": message.text}] if message.text else content


def _asked_for(content: Sequence[Any]) -> tuple[tuple[ToolCall, ...], tuple[JsonValue, ...]]:
    """The tools asked for, and the blocks as they are sent back: without those that the service would not take."""
    calls: list[ToolCall] = []
    turn: list[JsonValue] = []
    for block in content:
        if not isinstance(block, Mapping) or (block.get("type") == "text" and not str(block.get("text") or "").strip()):
            continue
        block = dict(block)
        if block.get("type") == "tool_use":
            given = block.get("input")
            block["id"] = str(block.get("id") or f"call_{len(calls)}")
            block["name"] = str(block.get("name") or "none")
            block["input"] = given if isinstance(given, dict) else {}
            calls.append(ToolCall(id=block["id"], name=block["name"], arguments=json.dumps(given)))
        turn.append(block)
    return tuple(calls), tuple(turn) if calls else ()


def _usage(usage: Mapping[str, Any] | None) -> Usage | None:
    if not isinstance(usage, Mapping):
        return None
    return Usage(
        uncached_tokens=count(usage, "input_tokens"),
        cache_read_tokens=count(usage, "cache_read_input_tokens"),
        cache_write_tokens=count(usage, "cache_creation_input_tokens"),
        output_tokens=count(usage, "output_tokens"),
        reasoning_tokens=count(usage, "output_tokens_details", "thinking_tokens"),
    )
