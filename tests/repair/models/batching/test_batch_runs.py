"""Whole runs with ``--batch``, by the command, in processes of their own."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import BatchEndpoints, Command

pytestmark = pytest.mark.slow


def outcomes(command: Command, name: str) -> list[str]:
    return [verdict["outcome"] for verdict in command.records(name, "verdicts.jsonl")]


@pytest.mark.parametrize("provider", ["anthropic", "openai"])
def test_a_run_in_a_batch_is_the_run_without(command: Command, endpoints: BatchEndpoints, provider: str) -> None:
    command.server.default = lambda seen: command.server.move(text=command.fix)
    how = {"strategy": "sample", "provider": provider}
    more = ("--option", "n=3", "--samples", 2)
    said = command.run(*command.repair("batched", *more, "--batch", **how))
    assert said.code == 0, said
    assert len(endpoints.batches) == 1 and endpoints.calls == len(command.server.seen) == 12
    assert "batches: calls answered: 12 of 12" in said.err
    assert command.run(*command.repair("plain", *more, **how)).code == 0
    assert outcomes(command, "batched") == outcomes(command, "plain") == ["exact"] * 4
    told = [[attempt[field] for field in ("raw_patch", "parameters", "prompt_digest", "usage")]
            for name in ("batched", "plain") for attempt in command.records(name, "attempts.jsonl")]  # fmt: skip
    assert told[:4] == told[4:]
    replayed = command.run(*command.repair("again", *more, "--replay", command.folder / "batched", **how))
    assert replayed.code == 0 and outcomes(command, "again") == ["exact"] * 4


def test_a_run_killed_while_it_waits_pays_for_nothing_twice(command: Command, endpoints: BatchEndpoints) -> None:
    endpoints.looks = 10**6
    command.server.default = lambda seen: command.server.move(text=command.fix)
    line = command.line(*command.repair("run", "--batch"))
    for _ in range(2):
        process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not (endpoints.batches and endpoints.batches[0].looks < 10**6):
            assert process.poll() is None
            time.sleep(0.02)
        endpoints.batches[0].looks = 10**6
        process.send_signal(signal.SIGKILL)
        process.wait()
    endpoints.batches[0].looks = 0
    assert command.run(*command.repair("run", "--batch")).code == 0
    assert len(endpoints.batches) == 1 and len(command.server.seen) == 2
    assert outcomes(command, "run") == ["exact", "exact"]


def test_ctrl_c_while_a_batch_is_waited_for(command: Command, endpoints: BatchEndpoints) -> None:
    endpoints.looks = 10**6
    process = subprocess.Popen(
        command.line(*command.repair("run", "--batch")), stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    while not endpoints.batches:
        assert process.poll() is None
        time.sleep(0.02)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "run the same command again to go on from here" in err and "Traceback" not in err


def test_what_cannot_be_batched_is_refused(command: Command, endpoints: BatchEndpoints) -> None:
    for how, why in [
        ({"strategy": "feedback"}, "strategy 'feedback' cannot be batched: its calls follow each other"),
        ({"strategy": "agent"}, "strategy 'agent' cannot be batched"),
        ({"provider": "openai-compatible"}, "openai-compatible takes no batches"),
    ]:
        said = command.run(*command.repair("run", "--batch", **how))
        assert said.code == 2 and why in said.err, said
    assert endpoints.batches == [] and not (command.folder / "run").exists()


def test_a_dry_run_counts_at_the_price_of_batches(command: Command, endpoints: BatchEndpoints) -> None:
    price = {"as_of": "2026-11-30", "source": "a test", "rates": {"input": 1.0, "output": 1000.0}}
    file = command.folder / "prices.json"
    costs = []
    for share in ({"batch": 0.5}, {}):
        file.write_text(json.dumps({"prices": {"anthropic:test-model": {**price, **share}}}))
        for more in ([], ["--batch"]):
            said = command.run(*command.repair("run", "--dry-run", "--json", "--prices", file, *more))
            assert said.code == 0, said
            costs.append(json.loads(said.out)["cost_usd"])
    assert costs[1] == pytest.approx(costs[0] / 2)
    assert costs[3] is None, "no price for batches is known"
    assert endpoints.batches == []
