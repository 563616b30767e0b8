"""The server as anything but its own page would ask it: over HTTP, with wrong names, tokens, paths and bodies."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from contextlib import ExitStack

import pytest

from mendlab.corpora.taskset import TaskSet
from mendlab.errors import InputError
from mendlab.reports.data import join
from mendlab.reports.load import load_material
from mendlab.reports.review.decisions import REVIEWS_FILE, Decisions
from mendlab.reports.review.desk import Desk
from mendlab.reports.review.queue import review_queue
from mendlab.reports.review.serve import open_server


class Client:
    """Asks a server, with what its page would send unless a test says otherwise."""

    def __init__(self, url: str) -> None:
        address, self.token = url.split("/#")
        self.host = address.removeprefix("http://")

    def ask(self, path, body=None, **headers):
        sent = {"Host": self.host, "Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        data = body if body is None or isinstance(body, str) else json.dumps(body)
        connection = http.client.HTTPConnection(self.host, timeout=30)
        connection.putrequest("POST" if data is not None else "GET", path, skip_host=True)
        for name, value in sent.items():
            if value is not None:
                connection.putheader(name, value)
        if data is not None:
            connection.putheader("Content-Length", str(len(data.encode())))
        connection.endheaders(data.encode() if data is not None else None)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text, dict(answer.getheaders())


@pytest.fixture
def client(on_disk):
    material = load_material([on_disk.run], on_disk.taskset.path)
    queue = review_queue(join(material.runs[0], material.tasks), sample=2, seed=0)
    desk = Desk("r", "Ann", queue, Decisions(on_disk.run), TaskSet.open(on_disk.taskset.path))
    server = open_server(desk)
    thread = threading.Thread(target=server.run)
    thread.start()
    yield Client(server.url)
    loop = server.server.asyncore
    server.server.trigger.pull_trigger(lambda: loop.close_all(server.server._map, ignore_all=True))
    thread.join()


def queue_of(client):
    status, text, _ = client.ask("/api/queue")
    assert status == 200
    return json.loads(text)["items"]


def test_those_who_open_connections_and_say_nothing_keep_nobody_out(client):
    host, port = client.host.split(":")
    with ExitStack() as opened:
        for _ in range(300):
            one = opened.enter_context(socket.create_connection((host, int(port)), timeout=30))
            one.sendall(b"GET /api/queue HTTP/1.1\r\nHost: ")
        started = time.monotonic()
        assert len(queue_of(client)) == 5
        assert time.monotonic() - started < 5  # or else it was one of theirs that had to be given up first
        one.settimeout(30)
        assert one.recv(1000) == b"" or b"408" in one.recv(1000)  # given up after some seconds


def test_it_shows_the_queue_and_takes_decisions(client, on_disk):
    items = queue_of(client)
    assert [item["why"] for item in items] == ["divergent", "divergent", "risky", "sampled", "sampled"]
    said = {"task": items[0]["task"], "sample": 0, "decision": "reject", "note": "n"}
    status, text, _ = client.ask("/api/decisions", said)
    assert (status, json.loads(text)["items"][0]["decision"]) == (200, "reject")
    (line,) = (on_disk.run / REVIEWS_FILE).read_text().splitlines()
    assert json.loads(line) | {"at": ""} == {
        "schema_version": 1,
        "task_id": items[0]["task"],
        "sample": 0,
        "decision": "reject",
        "reviewer": "Ann",
        "at": "",
        "note": "n",
    }
    status, text, _ = client.ask("/api/undo", {})
    assert json.loads(text)["undone"] == [items[0]["task"], 0]
    assert queue_of(client)[0]["decision"] is None


def test_an_attempt_is_shown_beside_the_buggy_program_and_the_reference(client):
    numbers = [number for number, item in enumerate(queue_of(client)) if item["outcome"] == "divergent"]
    html = json.loads(client.ask(f"/api/items/{numbers[0]}")[1])["html"]
    reference, buggy = html.split("<h3>The buggy and the patched program")
    assert "<code>        return 0</code>" in reference
    assert "sum(values) * len(values)" in buggy
    assert "sum(values) * len(values)" not in reference
    assert "ZeroDivisionError" in html


def test_strangers_text_is_never_markup(client):
    for number in range(5):
        html = json.loads(client.ask(f"/api/items/{number}")[1])["html"]
        assert "<script" not in html
        assert "<img" not in html
        assert "&lt;img src=http://127.0.0.1:9/x onerror=alert(2)&gt;" in html


REFUSED = [
    ("/", {"Host": "evil.example"}, 400),
    ("/", {"Host": "127.0.0.1:1"}, 400),
    ("/", {"Host": None}, 400),
    ("/", {"Origin": "http://evil.example"}, 403),
    ("/", {"Origin": "null"}, 403),
    ("/", {"Sec_Fetch_Site": "cross-site"}, 403),
    ("/api/queue", {"Sec_Fetch_Site": "same-site"}, 403),
    ("/api/queue", {"Authorization": None}, 401),
    ("/api/queue", {"Authorization": "Bearer wrong"}, 401),
    ("/api/queue", {"Authorization": "Bearer é".encode().decode("latin-1")}, 401),
    ("/api/items/99", {}, 404),
    ("/api/items/-1", {}, 404),
    ("/api/items/../../etc/passwd", {}, 404),
    ("/../run.json", {}, 404),
    ("/run.json", {}, 404),
    ("/%2e%2e/%2e%2e/etc/passwd", {}, 404),
]


def test_who_and_what_is_refused(client):
    for path, headers, status in REFUSED:
        answer, text, sent = client.ask(path, **headers)
        assert answer == status, (path, headers)
        assert "root:" not in text
        assert "default-src 'none'" in sent["Content-Security-Policy"]


def test_the_page_itself_has_no_data_and_needs_no_token(client):
    status, text, headers = client.ask("/", Authorization=None)
    assert status == 200
    assert "clamp" not in text
    policy = headers["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "script-src 'self'" in policy
    assert headers["Cache-Control"] == "no-store"
    assert "Server" not in headers


NO_DECISIONS = [
    ("not json", {}, 422),
    ({"task": "no such", "sample": 0, "decision": "accept", "note": ""}, {}, 404),
    ({"task": "TASK", "sample": 7, "decision": "accept", "note": ""}, {}, 404),
    ({"task": "TASK", "sample": 0, "decision": "maybe", "note": ""}, {}, 422),
    ({"task": "TASK", "sample": 0, "decision": "accept", "note": "", "reviewer": "Bob"}, {}, 422),
    ({"task": "TASK", "sample": 0, "decision": "accept", "note": "x" * 10_001}, {}, 422),
    ({"task": "TASK", "sample": 0, "decision": "accept", "note": "x" * 300_000}, {}, 413),
    ({"task": "TASK", "sample": 0, "decision": "accept", "note": ""}, {"Content_Type": "text/plain"}, 415),
    ({"task": "TASK", "sample": 0, "decision": "accept", "note": ""}, {"Authorization": None}, 401),
    ({"task": "TASK", "sample": 0, "decision": "accept", "note": ""}, {"Origin": "http://evil.example"}, 403),
]


def test_what_is_no_decision_leaves_no_trace(client, on_disk):
    task = queue_of(client)[0]["task"]
    for body, headers, status in NO_DECISIONS:
        if isinstance(body, dict) and body["task"] == "TASK":
            body = {**body, "task": task}
        assert client.ask("/api/decisions", body, **headers)[0] == status, (body, headers)
    assert not (on_disk.run / REVIEWS_FILE).exists()


def test_a_port_that_is_taken_is_said(client):
    with pytest.raises(InputError, match="cannot be used"):
        open_server(None, int(client.host.rpartition(":")[2]))
