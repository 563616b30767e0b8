"""A server on this machine that speaks Messages, Responses and chat completions, and does what a test tells it to."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from mendlab.repair.models.calls import Message, ModelSettings, Request
from mendlab.repair.models.model import Model
from mendlab.repair.models.provider import make_settings, open_endpoint
from mendlab.repair.models.tape import Tape

KEY = "sk-test-0123456789abcdef"
PATHS = {"/v1/messages": "anthropic", "/v1/responses": "openai", "/v1/chat/completions": "openai-compatible"}
PROVIDERS = tuple(PATHS.values())
KEYS = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENAI_COMPATIBLE_API_KEY")


@dataclass
class Move:
    """One thing that the server does: an answer in the protocol that it is asked in, unless ``body`` says otherwise."""

    text: str = "hello"
    calls: tuple[tuple[str, Any], ...] = ()  # tools asked for: a name, and arguments as an object or as text
    status: int = 200
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    usage: Mapping[str, Any] | None = None
    change: Callable[[dict[str, Any]], object] = lambda answer: None
    wait: float = 0.0
    cut: bool = False  # the connection ends in the middle of the body
    trickle: float = 0.0  # seconds between one byte and the next


@dataclass
class Seen:
    """A request as it came."""

    provider: str
    body: dict[str, Any]
    headers: dict[str, str]

    @property
    def prompt(self) -> str:
        """The text of the last turn."""
        return self.turns[-1]["content"]

    @property
    def turns(self) -> list[dict[str, Any]]:
        """The conversation in the service's own form."""
        return self.body["input"] if self.provider == "openai" else self.body["messages"]

    @property
    def told(self) -> list[str]:
        """What the tools answered last."""
        match self.provider:
            case "anthropic":
                content = self.turns[-1]["content"]
                return [] if isinstance(content, str) else [block["content"] for block in content if "content" in block]
            case "openai":
                last = itertools.takewhile(lambda item: "output" in item, reversed(self.turns))
                return [item["output"] for item in last][::-1]
            case _:
                last = itertools.takewhile(lambda turn: turn["role"] == "tool", reversed(self.turns))
                return [turn["content"] for turn in last][::-1]


class Server:
    """Makes the moves of ``script`` in order, then what ``default`` says, and remembers what it was asked."""

    move = Move
    key = KEY

    @staticmethod
    def answer(provider: str, body: dict[str, Any], move: Move) -> dict[str, Any]:
        return answer(Seen(provider, body, {}), move)

    def make_move(self, provider: str, body: dict[str, Any]) -> Move:
        """The move that is due for a request that comes otherwise than by itself."""
        seen = Seen(provider, body, {})
        self.seen.append(seen)
        return self.script.pop(0) if self.script else self.default(seen)

    def __init__(self) -> None:
        self.seen: list[Seen] = []
        self.script: list[Move] = []
        self.default: Callable[[Seen], Move] = lambda seen: Move()
        self.route: Callable[[str, str, bytes], tuple[int, bytes] | None] = lambda method, path, data: None
        self._lock = threading.Lock()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                if not self._routed(b""):
                    self.send_error(405)

            def do_POST(self) -> None:
                data = self.rfile.read(int(self.headers["content-length"]))
                if self._routed(data):
                    return
                body = json.loads(data)
                seen = Seen(PATHS.get(self.path, self.path), body, {k.lower(): v for k, v in self.headers.items()})
                with server._lock:
                    server.seen.append(seen)
                    move = server.script.pop(0) if server.script else server.default(seen)
                time.sleep(move.wait)
                try:
                    self._make(move, seen)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            def _routed(self, data: bytes) -> bool:
                with server._lock:
                    routed = server.route(self.command, self.path, data)
                if routed is not None:
                    self._make(Move(status=routed[0], body=routed[1]), Seen("", {}, {}))
                return routed is not None

            def _make(self, move: Move, seen: Seen) -> None:
                data = move.body if move.body is not None else json.dumps(answer(seen, move)).encode()
                self.send_response(move.status)
                for name, value in {"content-type": "application/json", **move.headers}.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                for byte in data if move.trickle else b"":
                    self.wfile.write(bytes([byte]))
                    time.sleep(move.trickle)
                self.wfile.write(b"" if move.trickle else data[: len(data) // 2] if move.cut else data)
                self.close_connection |= move.cut

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    def url(self, provider: str) -> str:
        return self.origin if provider == "anthropic" else f"{self.origin}/v1"

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()

    def settings(self, provider: str, **changes: Any) -> ModelSettings:
        return make_settings(f"{provider}:test-model", base_url=self.url(provider), **changes)


def answer(seen: Seen, move: Move) -> dict[str, Any]:
    """Return an answer as the service would give it."""
    made = {"anthropic": _message, "openai": _response, "openai-compatible": _completion}[seen.provider](move)
    made["model"] = f"{seen.body['model']}-2026"
    if move.usage is not None:
        made["usage"] = dict(move.usage)
    move.change(made)
    return made


def as_text(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def _message(move: Move) -> dict[str, Any]:
    asked = [
        {"type": "tool_use", "id": f"toolu_{at}", "name": name, "input": arguments}
        for at, (name, arguments) in enumerate(move.calls)
    ]
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "hm", "signature": "s"},
            {"type": "text", "text": move.text},
            *asked,
        ],
        "stop_reason": "tool_use" if asked else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 100, "output_tokens": 10},
    }


def _response(move: Move) -> dict[str, Any]:
    text = {"type": "output_text", "text": move.text, "annotations": []}
    asked = [
        {"type": "function_call", "id": f"fc_{at}", "call_id": f"call_{at}", "name": name, "arguments": as_text(given)}
        for at, (name, given) in enumerate(move.calls)
    ]
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "status": "completed",
        "output": [
            {"type": "reasoning", "id": "rs_1", "summary": []},
            {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [text]},
            *asked,
        ],
        "usage": {
            "input_tokens": 100,
            "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
            "output_tokens": 10,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 110,
        },
    }


def _completion(move: Move) -> dict[str, Any]:
    asked = [
        {"id": f"call_{at}", "type": "function", "function": {"name": name, "arguments": as_text(arguments)}}
        for at, (name, arguments) in enumerate(move.calls)
    ]
    message = {"role": "assistant", "content": move.text, **({"tool_calls": asked} if asked else {})}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls" if asked else "stop"}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    }


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    for name in KEYS:
        monkeypatch.setenv(name, KEY)
    server = Server()
    yield server
    server.close()


class Models:
    """Opens models on a server, with tapes in a folder."""

    asked = Request("You mend.", (Message("user", "Mend this."),))

    def __init__(self, server: Server, folder: Path) -> None:
        self.server = server
        self.folder = folder
        self.opened: list[Model] = []

    def model(self, provider: str, **options: Any) -> Model:
        changes = {
            name: options.pop(name) for name in ("parameters", "retries", "max_output_tokens") if name in options
        }
        settings = self.server.settings(provider, **changes)
        endpoint = open_endpoint(settings, timeout=options.pop("timeout", 10.0))
        replay = options.pop("replay", None)
        tape = Tape(self.folder / options.pop("name", "run"), replay)
        model = Model(settings, tape, endpoint=None if replay else endpoint, **options)
        self.opened.append(model)
        return model

    def close(self) -> None:
        for model in self.opened:
            model.close()


@pytest.fixture
def models(server: Server, tmp_path: Path) -> Iterator[Models]:
    models = Models(server, tmp_path)
    yield models
    models.close()


CLAMP = """def clamp(x, low, high):
    if x < low:
        return low
    if x > high:
        return high
    return x
"""
WRONG = CLAMP.replace("x > high", "x < high")
CHECKS = ["candidate(1, 2, 4) == 2", "candidate(5, 2, 4) == 4", "candidate(3, 2, 4) == 3"]


@dataclass(frozen=True)
class Said:
    """What a command said and how it ended."""

    code: int
    out: str
    err: str


@dataclass
class Command:
    """The command in a process of its own, and a task set whose programs are ``clamp`` with one defect."""

    folder: Path
    server: Server
    tasks: Path
    fix = """--- a/solution.py
+++ b/solution.py
@@ -2,5 +2,5 @@
     if x < low:
         return low
-    if x < high:
+    if x > high:
         return high
     return x
"""

    def line(self, *arguments: object) -> list[str]:
        return [sys.executable, "-m", "mendlab", *map(str, arguments)]

    def run(self, *arguments: object, environment: Mapping[str, str] | None = None) -> Said:
        told = subprocess.run(
            self.line(*arguments),
            capture_output=True,
            text=True,
            env={**os.environ, **(environment or {})},
            check=False,
            timeout=120,
        )
        return Said(told.returncode, told.stdout, told.stderr)

    def repair(self, name: str, *more: object, strategy: str = "single", provider: str = "anthropic") -> list[object]:
        """Return the arguments of a run with the server's model."""
        model = ["--model", f"{provider}:test-model", "--base-url", self.server.url(provider)]
        return [
            "repair",
            self.tasks,
            "--strategy",
            strategy,
            *model,
            "--out",
            self.folder / name,
            "--workers",
            2,
            *more,
        ]

    def records(self, name: str, file: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self.folder / name / file).read_text().splitlines()]


@pytest.fixture(scope="session")
def tasksets(shapes_at: Any, tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], Path]:
    """Task sets of so many tasks, each made once."""
    made: dict[int, Path] = {}

    def make(size: int) -> Path:
        if size not in made:
            shapes = shapes_at(tmp_path_factory.mktemp("tasks"))
            rows = [shapes.problem(f"P/{number}", CLAMP, CHECKS, WRONG) for number in range(size)]
            made[size] = shapes.folder / "tasks"
            command = [sys.executable, "-m", "mendlab", "import", "humanevalpack", str(shapes.rows(rows))]
            subprocess.run([*command, "--out", str(made[size])], check=True, capture_output=True)
        return made[size]

    return make


@pytest.fixture
def command(tmp_path: Path, server: Server, tasksets: Callable[[int], Path]) -> Command:
    return Command(tmp_path, server, tasksets(2))
