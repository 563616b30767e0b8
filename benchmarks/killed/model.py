"""A model that mends every program it is asked for, on this machine: by chat completions, or in Anthropic's batches."""

from __future__ import annotations

import json
import re
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

BATCHES: Final = "/v1/messages/batches"
Key = tuple[int, int]
"""A call: the number of the task, and how many answers it has had before."""


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch: its calls by their custom ids, and when it ends by :func:`time.monotonic`."""

    name: str
    calls: dict[str, int]
    ends: float
    made: datetime = field(default_factory=lambda: datetime.now(UTC))

    def as_json(self) -> dict[str, Any]:
        """Return what the service says of it."""
        ended = time.monotonic() >= self.ends
        counts = dict.fromkeys(("succeeded", "errored", "canceled", "expired", "processing"), 0)
        counts["succeeded" if ended else "processing"] = len(self.calls)
        return {
            "id": self.name,
            "type": "message_batch",
            "processing_status": "ended" if ended else "in_progress",
            "request_counts": counts,
            "created_at": self.made.isoformat(),
            "expires_at": (self.made + timedelta(days=1)).isoformat(),
            "ended_at": self.made.isoformat() if ended else None,
            "results_url": f"{BATCHES}/{self.name}/results" if ended else None,
        }


class Model:
    """Answers after a moment, and remembers what it was ``asked`` for, when ``first``, and every batch."""

    def __init__(self, seconds: float) -> None:
        self.asked: Counter[Key] = Counter()
        self.first = 0.0
        self.batches: list[Batch] = []
        self._seconds = seconds
        self._lock = threading.Lock()
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                self.answer(model.take(body) if "requests" in body else model.complete(body))

            def do_GET(self) -> None:
                self.answer(model.look(self.path.partition("?")[0]))

            def answer(self, data: bytes) -> None:
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.handle_error = lambda request, client_address: None  # type: ignore[method-assign]
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def forget(self) -> None:
        """Begin anew."""
        self.asked.clear()
        self.batches.clear()

    def complete(self, body: dict[str, Any]) -> bytes:
        """Answer one call."""
        call = sum(turn["role"] == "assistant" for turn in body["messages"])
        number = self._note(body, call)
        time.sleep(self._seconds)
        answer = {
            "model": "still",
            "choices": [
                {
                    "index": 0,
                    "message": by_tools(number, call) if "tools" in body else by_patch(number),
                    "finish_reason": "stop",
                }
            ],
            "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
        }
        return json.dumps(answer).encode()

    def take(self, body: dict[str, Any]) -> bytes:
        """Take a batch."""
        calls = {each["custom_id"]: self._note(each["params"], 0) for each in body["requests"]}
        with self._lock:
            batch = Batch(f"batch_{len(self.batches)}", calls, time.monotonic() + self._seconds * len(calls))
            self.batches.append(batch)
        return json.dumps(batch.as_json()).encode()

    def look(self, path: str) -> bytes:
        """Say how far a batch is, what came of it, or which there are, the newest first."""
        if path == BATCHES:
            listed = [batch.as_json() for batch in reversed(self.batches)]
            return json.dumps({"data": listed, "has_more": False, "first_id": None, "last_id": None}).encode()
        name, _, what = path.removeprefix(f"{BATCHES}/").partition("/")
        batch = next(batch for batch in self.batches if batch.name == name)
        if not what:
            return json.dumps(batch.as_json()).encode()
        return b"".join(json.dumps(result_of(*call)).encode() + b"\n" for call in batch.calls.items())

    def _note(self, body: dict[str, Any], call: int) -> int:
        found = re.search(r"add\(1\) == (\d+)", json.dumps(body["messages"]))
        number = int(found[1]) - 1 if found else -1
        with self._lock:
            self.asked[number, call] += 1
            self.first = self.first or time.monotonic()
        return number


def by_patch(number: int) -> dict[str, Any]:
    """Return a message that mends a program by a diff."""
    patch = f"@@ -2 +2 @@\n-    return x - {number}\n+    return x + {number}\n"
    return {"role": "assistant", "content": f"--- a/solution.py\n+++ b/solution.py\n{patch}"}


def by_tools(number: int, call: int) -> dict[str, Any]:
    """Return a message that mends it step by step."""
    old, new = f"x - {number}", f"x + {number}"
    steps: tuple[tuple[str, dict[str, str]], ...] = (
        ("edit_file", {"path": "solution.py", "old": old, "new": new}),
        ("run_tests", {}),
        ("submit", {}),
    )
    name, arguments = steps[min(call, 2)]
    function = {"name": name, "arguments": json.dumps(arguments)}
    calls = [{"id": f"call_{call}", "type": "function", "function": function}]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def result_of(custom_id: str, number: int) -> dict[str, Any]:
    """Return what became of one call of a batch."""
    message = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "still",
        "content": [{"type": "text", "text": by_patch(number)["content"]}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 100, "output_tokens": 10},
    }
    return {"custom_id": custom_id, "result": {"type": "succeeded", "message": message}}
