"""OpenAI's Responses API.

Its ``input_tokens`` include what the cache gave and took; its ``output_tokens`` include reasoning. Nothing is stored
on the service's side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, final

from pydantic import JsonValue

from mendlab.records import ModelFinish, ToolCall
from mendlab.repair.models.batching.openai_batches import OpenAIBatches
from mendlab.repair.models.batching.service import BatchService
from mendlab.repair.models.calls import CallFailedError, Message, ModelSettings, Reply, Request
from mendlab.repair.models.endpoints import Endpoint, open_http
from mendlab.repair.models.failures import as_dict, as_text, sdk_failures, unreadable
from mendlab.repair.models.openai_usage import usage_of_openai
from mendlab.repair.models.provider import provider

_OWN: Final = ("model", "max_output_tokens", "instructions", "input", "store", "tools")
_FAILED: Final = {"rate_limit_exceeded": 429, "server_error": 500, "vector_store_timeout": 500}


@provider(
    "openai",
    package="openai",
    key_variable="OPENAI_API_KEY",
    base_url="https://api.openai.com/v1",
    with_tools={"include": ["reasoning.encrypted_content"]},
)
@final
class OpenAIResponses:
    """The client of one account."""

    def __init__(self, endpoint: Endpoint) -> None:
        import openai

        self._sdk = openai
        self._endpoint = endpoint
        self._client = openai.AsyncOpenAI(
            api_key=endpoint.key,
            base_url=endpoint.url,
            max_retries=0,
            timeout=endpoint.timeout,
            http_client=open_http(endpoint),
        )

    @staticmethod
    def body(settings: ModelSettings, request: Request, parameters: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        """Return the body of a request."""
        body: dict[str, JsonValue] = {
            "model": settings.name,
            "max_output_tokens": settings.max_output_tokens,
            "instructions": request.system,
            "input": [item for message in request.messages for item in _items(message)],
            "store": False,
        }
        if request.tools:
            body["tools"] = [
                {
                    "type": "function",
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": dict(tool.schema),
                    "strict": False,
                }
                for tool in request.tools
            ]
        return {**body, **parameters}

    async def send(self, body: Mapping[str, Any]) -> Reply:
        """Send a body."""
        own = {key: body[key] for key in _OWN if key in body}
        parameters = {key: value for key, value in body.items() if key not in own}
        async with sdk_failures(self._sdk, self._endpoint):
            response = await self._client.responses.create(**own, extra_body=parameters)
            return _reply(as_dict(response), self._endpoint)

    def batches(self) -> BatchService:
        """Return what sends batches."""
        read = partial(_reply, endpoint=self._endpoint)
        return OpenAIBatches(self._client, read, partial(sdk_failures, self._sdk, self._endpoint))

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()


def _reply(answer: Mapping[str, Any], endpoint: Endpoint) -> Reply:
    output = answer.get("output")
    if answer.get("status") in ("failed", "cancelled"):
        raise _failed(answer.get("error"), endpoint)
    if not isinstance(output, list):
        raise unreadable("it has no output")
    parts = [
        part
        for item in output
        if isinstance(item, Mapping) and item.get("type") == "message" and isinstance(item.get("content"), list)
        for part in item["content"]
        if isinstance(part, Mapping)
    ]
    text = "".join(part["text"] for part in parts if isinstance(part.get("text"), str))
    refusal = "".join(part["refusal"] for part in parts if isinstance(part.get("refusal"), str))
    model = answer.get("model")
    return Reply(
        text or refusal,
        "refused" if refusal and not text else _finish(answer),
        model if isinstance(model, str) else None,
        usage_of_openai(answer.get("usage"), "input", "output"),
        *_asked_for(output),
    )


def _items(message: Message) -> list[JsonValue]:
    if message.turn:
        return list(message.turn)
    items: list[JsonValue] = [
        {"type": "function_call_output", "call_id": result.id, "output": result.text} for result in message.results
    ]
    return [*items, {"role": message.role, "content": message.text}] if message.text or not items else items


def _asked_for(output: Sequence[Any]) -> tuple[tuple[ToolCall, ...], tuple[JsonValue, ...]]:
    """The tools asked for, and the items as they are sent back.

    Nothing is stored there, so that reasoning can be sent back only where it came encrypted; items without it must
    not have the ids that tie them to it.
    """
    calls: list[ToolCall] = []
    turn: list[JsonValue] = []
    items = [dict(item) for item in output if isinstance(item, Mapping)]
    encrypted = any(item.get("type") == "reasoning" and item.get("encrypted_content") for item in items)
    for item in items:
        if item.get("type") == "reasoning" and not item.get("encrypted_content"):
            continue
        if item.get("type") == "function_call":
            item["call_id"] = str(item.get("call_id") or f"call_{len(calls)}")
            item["name"] = str(item.get("name") or "none")
            item["arguments"] = as_text(item.get("arguments"))
            calls.append(ToolCall(id=item["call_id"], name=item["name"], arguments=item["arguments"]))
        if not encrypted:
            item.pop("id", None)
        turn.append(item)
    return tuple(calls), tuple(turn) if calls else ()


def _finish(answer: Mapping[str, Any]) -> ModelFinish:
    if answer.get("status") != "incomplete":
        return "complete"
    details = answer.get("incomplete_details")
    reason = details.get("reason") if isinstance(details, Mapping) else None
    return "refused" if reason == "content_filter" else "cut_off"


def _failed(error: object, endpoint: Endpoint) -> CallFailedError:
    told = error if isinstance(error, Mapping) else {}
    what = endpoint.scrub(f"the response failed: {told.get('message') or told.get('code') or 'no reason given'}")
    return CallFailedError(what[:500], status=_FAILED.get(str(told.get("code")), 400), billable=True)
