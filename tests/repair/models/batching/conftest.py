"""The batch endpoints of both services, on the server that speaks their protocols."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from conftest import Server


@dataclass
class Batch:
    """A batch at the service: the lines of its results, made when it came."""

    id: str
    provider: str
    metadata: dict[str, str]
    lines: list[dict[str, Any]]
    looks: int = 0  # how often it is looked at before it has ended
    made: datetime = field(default_factory=lambda: datetime.now(UTC))


class BatchEndpoints:
    """Answers each call of a batch by a move of the server, and remembers the batches."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.batches: list[Batch] = []
        self.files: dict[str, bytes] = {}
        self.looks = 1
        self.refuse: list[int] = []  # statuses with which the next batches are refused
        self.lose_answer = 0  # so many batches are taken, and the answer to that is an error
        self.expire: set[int] = set()  # calls, by their place, that are never come to
        self.fail: str | None = None  # why the next OpenAI batches fail as a whole
        server.route = self.route

    @property
    def calls(self) -> int:
        return sum(len(batch.lines) for batch in self.batches)

    def route(self, method: str, path: str, data: bytes) -> tuple[int, bytes] | None:
        path, _, _ = path.partition("?")
        if found := re.fullmatch(r"/v1/messages/batches(?:/(\w+)(/results)?)?", path):
            return self._anthropic(method, found[1], bool(found[2]), data)
        if found := re.fullmatch(r"/v1/batches(?:/(\w+))?", path):
            return self._openai(method, found[1], data)
        if method == "POST" and path == "/v1/files":
            return 200, self._upload(data)
        if found := re.fullmatch(r"/v1/files/(\w+)/content", path):
            return 200, self.files[found[1]]
        return None

    def _anthropic(self, method: str, name: str | None, results: bool, data: bytes) -> tuple[int, bytes]:
        if method == "POST":
            requests = {each["custom_id"]: each["params"] for each in json.loads(data)["requests"]}
            return self._take("anthropic", requests, {})
        if name is None:
            listed = [self._message_batch(batch) for batch in reversed(self.batches)]
            return 200, _json({"data": listed, "has_more": False, "first_id": None, "last_id": None})
        batch = next(batch for batch in self.batches if batch.id == name)
        if results:
            return 200, b"".join(_json(line) + b"\n" for line in reversed(batch.lines))
        batch.looks -= 1
        return 200, _json(self._message_batch(batch))

    def _message_batch(self, batch: Batch) -> dict[str, Any]:
        kinds = [line["result"]["type"] for line in batch.lines]
        counts = {kind: kinds.count(kind) for kind in ("succeeded", "errored", "canceled", "expired")}
        ended = batch.looks < 0
        return {
            "id": batch.id,
            "type": "message_batch",
            "processing_status": "ended" if ended else "in_progress",
            "request_counts": {
                **(counts if ended else dict.fromkeys(counts, 0)),
                "processing": 0 if ended else len(kinds),
            },
            "created_at": batch.made.isoformat(),
            "expires_at": (batch.made + timedelta(days=1)).isoformat(),
            "ended_at": batch.made.isoformat() if ended else None,
            "results_url": f"{self.server.origin}/v1/messages/batches/{batch.id}/results" if ended else None,
        }  # fmt: skip

    def _openai(self, method: str, name: str | None, data: bytes) -> tuple[int, bytes]:
        if method == "POST":
            asked = json.loads(data)
            assert (asked["endpoint"], asked["completion_window"]) == ("/v1/responses", "24h")
            lines = [json.loads(line) for line in self.files[asked["input_file_id"]].splitlines()]
            assert {(line["method"], line["url"]) for line in lines} == {("POST", "/v1/responses")}
            return self._take("openai", {line["custom_id"]: line["body"] for line in lines}, asked.get("metadata", {}))
        if name is None:
            listed = [self._batch(batch) for batch in reversed(self.batches)]
            return 200, _json({"object": "list", "data": listed, "has_more": False})
        batch = next(batch for batch in self.batches if batch.id == name)
        batch.looks -= 1
        return 200, _json(self._batch(batch))

    def _batch(self, batch: Batch) -> dict[str, Any]:
        ended = batch.looks < 0
        good = [line for line in batch.lines if line.get("error") is None and line["response"]["status_code"] == 200]
        bad = [line for line in batch.lines if line not in good]
        files = {f"{batch.id}_output": good, f"{batch.id}_errors": bad} if ended else {}
        for name, lines in files.items():
            self.files[name] = b"".join(_json(line) + b"\n" for line in reversed(lines))
        return {
            "id": batch.id,
            "object": "batch",
            "endpoint": "/v1/responses",
            "input_file_id": "file_0",
            "completion_window": "24h",
            "created_at": int(batch.made.timestamp()),
            "status": "failed" if self.fail else "completed" if ended else "in_progress",
            "errors": {"object": "list", "data": [{"code": "limit", "message": self.fail}]} if self.fail else None,
            "output_file_id": f"{batch.id}_output" if ended and good else None,
            "error_file_id": f"{batch.id}_errors" if ended and bad else None,
            "request_counts": {"total": len(batch.lines), "completed": len(good) * ended, "failed": len(bad) * ended},
            "metadata": batch.metadata,
        }

    def _upload(self, data: bytes) -> bytes:
        boundary = data[: data.index(b"\r\n")]
        parts = {}
        for part in data.split(boundary)[1:-1]:
            head, _, body = part.partition(b"\r\n\r\n")
            parts[head.partition(b'name="')[2].partition(b'"')[0].decode()] = body.removesuffix(b"\r\n")
        assert parts["purpose"] == b"batch"
        name = f"file_{len(self.files)}"
        self.files[name] = parts["file"]
        return _json({"id": name, "object": "file", "bytes": 1, "created_at": 1, "filename": "x", "purpose": "batch"})

    def _take(self, provider: str, requests: dict[str, Any], metadata: dict[str, str]) -> tuple[int, bytes]:
        if self.refuse:
            return self.refuse.pop(0), b'{"error": {"type": "invalid_request_error", "message": "no"}}'
        make = {"anthropic": self._result, "openai": self._line}[provider]
        lines = [make(name, body, expired=at in self.expire) for at, (name, body) in enumerate(requests.items())]
        batch = Batch(f"batch_{len(self.batches)}", provider, metadata, lines, self.looks)
        self.batches.append(batch)
        if self.lose_answer:
            self.lose_answer -= 1
            return 500, b"{}"
        return 200, _json(self._message_batch(batch) if provider == "anthropic" else self._batch(batch))

    def _result(self, name: str, body: dict[str, Any], *, expired: bool) -> dict[str, Any]:
        if expired:
            return {"custom_id": name, "result": {"type": "expired"}}
        move = self.server.make_move("anthropic", body)
        if move.status != 200:
            inner = json.loads(move.body)["error"] if move.body else {"type": "api_error", "message": "broken"}
            return {"custom_id": name, "result": {"type": "errored", "error": {"type": "error", "error": inner}}}
        message = self.server.answer("anthropic", body, move)
        return {"custom_id": name, "result": {"type": "succeeded", "message": message}}

    def _line(self, name: str, body: dict[str, Any], *, expired: bool) -> dict[str, Any]:
        if expired:
            error = {"code": "batch_expired", "message": "too late"}
            return {"id": "r", "custom_id": name, "response": None, "error": error}
        move = self.server.make_move("openai", body)
        told = json.loads(move.body or b"{}") if move.status != 200 else self.server.answer("openai", body, move)
        response = {"status_code": move.status, "request_id": "q", "body": told}
        return {"id": "r", "custom_id": name, "response": response, "error": None}


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()


@pytest.fixture
def endpoints(server: Server) -> BatchEndpoints:
    return BatchEndpoints(server)
