"""Chat completions, as servers speak them that are compatible with OpenAI's: vLLM, Ollama, llama.cpp.

Nothing that belongs to an account with OpenAI goes to such a server: its key has a variable of its own, and what the
SDK would add from the environment is left out.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Final, final

from pydantic import JsonValue

from mendlab.records import ModelFinish
from mendlab.repair.models.calls import ModelSettings, Reply, Request
from mendlab.repair.models.endpoints import Endpoint, open_http
from mendlab.repair.models.failures import as_dict, sdk_failures, unreadable
from mendlab.repair.models.openai_usage import usage_of_openai
from mendlab.repair.models.provider import provider

_OWN: Final = ("model", "max_tokens", "messages")
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
        messages: list[JsonValue] = [{"role": message.role, "content": message.text} for message in request.messages]
        return {
            "model": settings.name,
            "max_tokens": settings.max_output_tokens,
            "messages": [{"role": "system", "content": request.system}, *messages],
            **parameters,
        }

    async def send(self, body: Mapping[str, Any]) -> Reply:
        """Send a body."""
        own = {key: body[key] for key in _OWN}
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
    )
