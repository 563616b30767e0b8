"""Batches over the real SDKs: sent, waited for, read, resumed, and paid for once."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mendlab.errors import ModelError
from mendlab.records import BatchedCall
from mendlab.repair.models.batching.batches import Batches
from mendlab.repair.models.batching.collecting import Collecting, Wanted
from mendlab.repair.models.calls import Message, Request
from mendlab.repair.models.prices import Price
from mendlab.repair.models.provider import open_endpoint
from mendlab.repair.models.spending import Spending
from mendlab.repair.models.tape import Tape

if TYPE_CHECKING:
    from conftest import BatchEndpoints, Server

SERVICES = ("anthropic", "openai")
RATES = {"input": 2.0, "output": 20.0}
PRICE = Price.model_validate({"as_of": "2026-11-30", "source": "these tests", "rates": RATES, "batch": 0.5}).batched()
COST = (100 * 1 + 10 * 10) / 1e6  # of one answer of the server


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mendlab.repair.models.batching.batches._FIRST_WAIT", 0.01)
    monkeypatch.setattr("mendlab.repair.models.batching.anthropic_batches._LOOK_SECONDS", 0.01)


class Desk:
    """Sends calls as batches for the run in ``folder``, each time as a command would that begins or goes on."""

    def __init__(self, server: Server, folder: Path) -> None:
        self.server = server
        self.folder = folder
        self.progress: list[tuple[str, int, int]] = []

    def send(self, provider: str, count: int, **options: Any) -> list[Any]:
        """Have ``count`` calls answered, and return the answers."""
        settings = self.server.settings(provider, max_output_tokens=100, parameters=options.pop("parameters", {}))
        endpoint = open_endpoint(settings, timeout=10)
        with closing(Tape(self.folder)) as tape:
            batches = Batches(
                self.folder, settings, endpoint, tape, progress=lambda *told: self.progress.append(told), **options
            )
            collecting = Collecting(settings, tape)
            with closing(batches):
                batches.resume()
                for number in range(count):
                    collecting.ask("T", number, 0, Request("s", (Message("user", f"question {number}"),)))
                batches.send(collecting.wanted)
            return [collecting.ask("T", number, 0, Request("s", (Message("user", f"question {number}"),)))
                    for number in range(count)]  # fmt: skip

    def lines(self, name: str = "batches.jsonl") -> list[dict[str, Any]]:
        file = self.folder / name
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    def cut_after(self, state: str) -> None:
        """Leave the run as a kill would have that came right after a batch was written down in that state."""
        kept: list[str] = []
        for line in (self.folder / "batches.jsonl").read_text().splitlines(keepends=True):
            kept.append(line)
            if json.loads(line)["state"] == state:
                break
        (self.folder / "batches.jsonl").write_text("".join(kept))
        (self.folder / "answers.jsonl").unlink(missing_ok=True)
        ledger = self.folder / "spending.jsonl"
        if ledger.exists():
            ledger.write_text(ledger.read_text().splitlines(keepends=True)[0])


@pytest.fixture
def desk(server: Server, endpoints: BatchEndpoints, tmp_path: Path) -> Desk:
    server.default = lambda seen: server.move(text=f"answer to {seen.prompt}")
    return Desk(server, tmp_path / "run")


@pytest.mark.parametrize("provider", SERVICES)
def test_a_batch_is_answered_whatever_the_order(desk: Desk, endpoints: BatchEndpoints, provider: str) -> None:
    endpoints.looks = 3
    answers = desk.send(provider, 5, price=PRICE)
    assert [answer.text for answer in answers] == [f"answer to question {number}" for number in range(5)]
    assert {answer.batch for answer in answers} == {"batch_0"}
    assert {answer.model for answer in answers} == {"test-model-2026"}
    assert [answer.cost_usd for answer in answers] == [pytest.approx(COST)] * 5, "half the price"
    assert [line["state"] for line in desk.lines()] == ["sending", "sent", "read"]
    assert desk.progress[-1] == ("batches: calls answered", 5, 5)
    assert len(endpoints.batches) == 1 and endpoints.calls == 5


@pytest.mark.parametrize("provider", SERVICES)
def test_the_body_of_a_call_is_that_of_a_call_by_itself(desk: Desk, provider: str) -> None:
    desk.send(provider, 1, parameters={"temperature": 0.5})
    (seen,) = desk.server.seen
    if provider == "anthropic":
        want = {"model": "test-model", "max_tokens": 100, "system": "s", "temperature": 0.5}
        assert seen.body == {**want, "messages": [{"role": "user", "content": "question 0"}]}
    else:
        want = {"model": "test-model", "max_output_tokens": 100, "instructions": "s", "temperature": 0.5}
        assert seen.body == {**want, "input": [{"role": "user", "content": "question 0"}], "store": False}


@pytest.mark.parametrize("provider", SERVICES)
@pytest.mark.parametrize("state", ["sending", "sent", "read"])
def test_a_run_killed_at_any_stage_sends_no_call_twice(
    desk: Desk, endpoints: BatchEndpoints, provider: str, state: str
) -> None:
    other = Desk(desk.server, desk.folder.with_name("other"))
    other.send(provider, 3)  # of the same size, and not ours
    first = desk.send(provider, 3, price=PRICE)
    if state != "read":
        desk.cut_after(state)
    again = desk.send(provider, 3, price=PRICE)
    assert [answer.text for answer in again] == [answer.text for answer in first]
    assert {answer.batch for answer in again} == {"batch_1"}
    assert len(endpoints.batches) == 2 and endpoints.calls == 6


@pytest.mark.parametrize("provider", SERVICES)
def test_a_batch_whose_id_was_lost_on_the_way_is_found_again(
    desk: Desk, endpoints: BatchEndpoints, provider: str
) -> None:
    endpoints.lose_answer = 1
    with pytest.raises(ModelError, match="the same command goes on from here"):
        desk.send(provider, 3)
    assert len(desk.send(provider, 3)) == 3
    assert endpoints.calls == 3


@pytest.mark.parametrize("provider", SERVICES)
def test_a_batch_that_never_came_there_is_sent_again(desk: Desk, endpoints: BatchEndpoints, provider: str) -> None:
    desk.send(provider, 3, price=PRICE)
    desk.cut_after("sending")
    endpoints.batches.clear()
    desk.send(provider, 3, price=PRICE)
    assert endpoints.calls == 3
    assert [line["state"] for line in desk.lines()] == ["sending", "lost", "sending", "sent", "read"]
    assert Spending(1.0, desk.folder).spent == pytest.approx(3 * COST)


@pytest.mark.parametrize("provider", SERVICES)
def test_a_batch_that_is_refused_costs_nothing(desk: Desk, endpoints: BatchEndpoints, provider: str) -> None:
    endpoints.refuse = [400]
    with pytest.raises(ModelError, match="400: no"):
        desk.send(provider, 2, price=PRICE)
    assert Spending(1.0, desk.folder).spent == 0
    assert len(desk.send(provider, 2, price=PRICE)) == 2


@pytest.mark.parametrize("provider", SERVICES)
def test_what_fails_in_a_batch_fails_by_itself(desk: Desk, provider: str) -> None:
    bad = json.dumps({"error": {"type": "invalid_request_error", "message": "too long"}}).encode()
    move = desk.server.move
    desk.server.script = [move(text="a"), move(status=400, body=bad), move(status=500), move(text="d")]
    answers = desk.send(provider, 4)
    assert [answer.text for answer in answers] == ["a", "", "", "d"]
    assert [answer.finish for answer in answers] == ["complete", "failed", "failed", "complete"]
    assert [answer.infra for answer in answers] == [False, False, True, False]
    assert "too long" in answers[1].error


@pytest.mark.parametrize("provider", SERVICES)
def test_what_expired_is_sent_again_unless_all_did(desk: Desk, endpoints: BatchEndpoints, provider: str) -> None:
    endpoints.expire = {0, 1}
    with pytest.raises(ModelError, match="2 calls expired at the service"):
        desk.send(provider, 2)
    assert len(endpoints.batches) == 1
    endpoints.expire = {1}
    answers = desk.send(provider, 2)
    assert [answer.text for answer in answers] == ["answer to question 0", "answer to question 1"]
    assert len(desk.server.seen) == 2, "nothing was answered twice"


@pytest.mark.parametrize("provider", SERVICES)
def test_a_parameter_that_is_refused_is_left_out_of_the_next_batch(desk: Desk, provider: str) -> None:
    refusal = json.dumps({"error": {"type": "invalid_request_error", "message": "no top_p here", "param": "top_p"}})
    desk.server.default = lambda seen: (
        desk.server.move(status=400, body=refusal.encode()) if "top_p" in seen.body else desk.server.move(text="fine")
    )
    answers = desk.send(provider, 2, parameters={"top_p": 0.5})
    assert [(answer.text, answer.rejected, answer.sent) for answer in answers] == [("fine", ("top_p",), {})] * 2


@pytest.mark.parametrize("provider", SERVICES)
def test_no_more_is_sent_than_the_budget_has_room_for(desk: Desk, endpoints: BatchEndpoints, provider: str) -> None:
    with pytest.raises(ModelError, match="larger --max-cost"):
        desk.send(provider, 20, price=PRICE, limit=0.0035)  # one may cost 0.00106, and costs 0.0002
    sizes = [len(batch.lines) for batch in endpoints.batches]
    assert sizes[0] == 3 and 10 < sum(sizes) < 18
    assert Spending(1.0, desk.folder).spent == pytest.approx(sum(sizes) * COST)
    answered = sum(sizes)
    desk.send(provider, 20, price=PRICE, limit=1.0)
    assert endpoints.calls == 20 and len(endpoints.batches[-1].lines) == 20 - answered


def test_what_was_under_way_at_a_kill_counts_against_the_budget(desk: Desk, endpoints: BatchEndpoints) -> None:
    desk.send("openai", 3, price=PRICE)
    desk.cut_after("sent")
    assert Spending(1.0, desk.folder).spent == pytest.approx(3 * 0.00106, rel=0.05)
    desk.send("openai", 3, price=PRICE)
    assert Spending(1.0, desk.folder).spent == pytest.approx(3 * COST), "settled when its answers came"


def test_a_batch_that_fails_as_a_whole_says_why(desk: Desk, endpoints: BatchEndpoints) -> None:
    endpoints.fail = "too many tokens are enqueued"
    with pytest.raises(ModelError, match="batch_0 failed: too many tokens are enqueued"):
        desk.send("openai", 2, price=PRICE)
    assert Spending(1.0, desk.folder).spent == 0
    endpoints.fail = None
    assert len(desk.send("openai", 2, price=PRICE)) == 2


def test_many_calls_are_several_batches(desk: Desk, endpoints: BatchEndpoints, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mendlab.repair.models.batching.batches._MOST_CALLS", 4)
    desk.send("anthropic", 10)
    assert [len(batch.lines) for batch in endpoints.batches] == [4, 4, 2]


def test_collected_calls_are_in_order(desk: Desk) -> None:
    with closing(Tape(desk.folder)) as tape:
        collecting = Collecting(desk.server.settings("openai"), tape)
        request = Request("s", (Message("user", "u"),))
        for task, sample in [("b", 1), ("a", 0), ("b", 0)]:
            assert collecting.ask(task, sample, 0, request).finish == "failed"
        assert [(each.call.task_id, each.call.sample) for each in collecting.wanted] == [("a", 0), ("b", 0), ("b", 1)]
        assert isinstance(collecting.wanted[0], Wanted) and isinstance(collecting.wanted[0].call, BatchedCall)
