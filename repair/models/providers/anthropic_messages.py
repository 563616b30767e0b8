"""Anthropic's Messages API.

Its ``input_tokens`` leave out what the cache took or gave; its ``output_tokens`` include thinking. The SDK no longer
has arguments for temperature and its like: parameters go into the body as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, final

from pydantic import JsonValue

from mendlab.records import ModelFinish, Usage
from mendlab.repair.models.calls import ModelSettings, Reply, Request
from mendlab.repair.models.endpoints import Endpoint, open_http
from mendlab.repair.models.failures import as_dict, count, sdk_failures, unreadable
from mendlab.repair.models.provider import provider

_OWN: Final = ("model", "max_tokens", "system", "messages", "cache_control")
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
            "messages": [{"role": message.role, "content": message.text} for message in request.messages],
        }
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
    return Reply(text, finish, model if isinstance(model, str) else None, _usage(answer.get("usage")))


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
