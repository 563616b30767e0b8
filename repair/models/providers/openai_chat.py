"""Chat completions, as servers speak them that are compatible with OpenAI's: vLLM, Ollama, llama.cpp.

Nothing that belongs to an account with OpenAI goes to such a server: its key has a variable of its own, and what the
SDK would add from the environment is left out.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, Final, final

from pydantic import JsonValue

from mendlab.records import ModelFinish, ToolCall
from mendlab.repair.models.calls import Message, ModelSettings, Reply, Request
from mendlab.repair.models.endpoints import Endpoint, open_http
from mendlab.repair.models.failures import as_dict, as_text, sdk_failures, unreadable
from mendlab.repair.models.openai_usage import usage_of_openai
from mendlab.repair.models.provider import provider

_OWN: Final = ("model", "max_tokens", "messages", "tools")
_FINISH: Final[dict[str, ModelFinish]] = {"length": "cut_off", "content_filter": "refused"}
_OF_THE_ACCOUNT: Final = ("OpenAI-Organization", "OpenAI-Project")


@provider("openai-compatible", package="openai", key_variable="OPENAI_COMPATIBLE_API_KEY", key_needed=False)
@final
class OpenAIChat:
    """The client of one server."""

    def __init__(self, endpoint: Endpoint) -> None:
        import openai

        self._sdk = openai
        self._endpoint = endpoint
        self._client = openai.AsyncOpenAI(
            api_key=endpoint.key or "none",
            base_url=endpoint.url,
            max_retries=0,
            timeout=endpoint.timeout,
            http_client=open_http(endpoint),
        )
        custom = [line.partition(":")[0].strip() for line in os.environ.get("OPENAI_CUSTOM_HEADERS", "").split("\n")]
        left_out = dict.fromkeys([*_OF_THE_ACCOUNT, *filter(None, custom)], openai.Omit())
        self._headers: Any = {
            **left_out,
            "Authorization": f"Bearer {endpoint.key}" if endpoint.key else openai.Omit(),
        }

    @staticmethod
    def body(settings: ModelSettings, request: Request, parameters: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        """Return the body of a request."""
        turns = [turn for message in request.messages for turn in _turns(message)]
        body: dict[str, JsonValue] = {
            "model": settings.name,
            "max_tokens": settings.max_output_tokens,
            "messages": [{"role": "system", "content": request.system}, *turns],
        }
        if request.tools:
            body["tools"] = [
                {
                    "type": "function",
                    "function": {
                        "name": tool.name,
                        "description": tool.description,
                        "parameters": dict(tool.schema),
                    },
                }
                for tool in request.tools
            ]
        return {**body, **parameters}

    async def send(self, body: Mapping[str, Any]) -> Reply:
        """Send a body."""
        own = {key: body[key] for key in _OWN if key in body}
        parameters = {key: value for key, value in body.items() if key not in own}
        async with sdk_failures(self._sdk, self._endpoint):
            completion = await self._client.chat.completions.create(
                **own, extra_body=parameters, extra_headers=self._headers
            )
            return _reply(as_dict(completion))

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()


def _reply(answer: Mapping[str, Any]) -> Reply:
    choices = answer.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, Mapping) else None
    if not isinstance(choice, Mapping) or not isinstance(message, Mapping):
        raise unreadable("it has no message")
    text, refusal = message.get("content"), message.get("refusal")
    if not isinstance(text, str):
        text = ""
    refused = isinstance(refusal, str) and bool(refusal) and not text
    model = answer.get("model")
    return Reply(
        str(refusal) if refused else text,
        "refused" if refused else _FINISH.get(str(choice.get("finish_reason")), "complete"),
        model if isinstance(model, str) else None,
        usage_of_openai(answer.get("usage"), "prompt", "completion"),
        *_asked_for(message),
    )


def _turns(message: Message) -> list[JsonValue]:
    if message.turn:
        return list(message.turn)
    turns: list[JsonValue] = [
        {"role": "tool", "tool_call_id": result.id, "content": result.text} for result in message.results
    ]
    return [*turns, {"role": message.role, "content": message.text}] if message.text or not turns else turns


def _asked_for(message: Mapping[str, Any]) -> tuple[tuple[ToolCall, ...], tuple[JsonValue, ...]]:
    """The tools asked for, and the turn as it is sent back: servers read its arguments again, and must be able to."""
    asked = message.get("tool_calls")
    calls: list[ToolCall] = []
    sent_back: list[JsonValue] = []
    for each in asked if isinstance(asked, list) else []:
        function = each.get("function") if isinstance(each, Mapping) else None
        if not isinstance(each, Mapping) or not isinstance(function, Mapping):
            continue
        name, arguments = str(function.get("name") or "none"), as_text(function.get("arguments"))
        call = ToolCall(id=str(each.get("id") or f"call_{len(calls)}"), name=name, arguments=arguments)
        calls.append(call)
        readable = arguments if _is_object(arguments) else "{}"
        again = {**function, "name": name, "arguments": readable}
        sent_back.append({**each, "id": call.id, "type": "function", "function": again})
    if not calls:
        return (), ()
    content = message.get("content")
    text = content if isinstance(content, str) else None
    return tuple(calls), ({"role": "assistant", "content": text, "tool_calls": sent_back},)


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False
