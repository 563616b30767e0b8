"""Whole runs by the command, in processes of their own, against the server."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mendlab.cli import root
from mendlab.errors import InputError

if TYPE_CHECKING:
    from conftest import Command

pytestmark = pytest.mark.slow
TIMINGS = {"wall_seconds", "cpu_seconds"}


def timeless(value: Any) -> Any:
    """Return records without what they took."""
    if isinstance(value, dict):
        return {key: timeless(inner) for key, inner in value.items() if key not in TIMINGS}
    return [timeless(inner) for inner in value] if isinstance(value, list) else value


def all_records(command: Command, name: str) -> Any:
    files = ("answers.jsonl", "attempts.jsonl", "verdicts.jsonl")
    return [timeless(command.records(name, file)) for file in files]


def outcomes(command: Command, name: str) -> list[str]:
    return [verdict["outcome"] for verdict in command.records(name, "verdicts.jsonl")]


def test_a_run_and_its_replay_with_sockets_shut(command: Command) -> None:
    half = command.fix.replace("+    if x > high:", "+    if x < 0:")
    command.server.default = lambda seen: command.server.move(text=(half, command.fix)[len(seen.body["messages"]) // 4])
    more = ("--parameter", "top_p=0.5")
    how = {"strategy": "feedback", "provider": "openai-compatible"}
    said = command.run(*command.repair("run", *more, **how))
    assert said.code == 0, said
    assert outcomes(command, "run") == ["exact", "exact"]
    assert len(command.server.seen) == 4
    shut = {"PYTHONPATH": str(shut_sockets(command.folder))}
    replay = ("--replay", command.folder / "run")
    replayed = command.run(*command.repair("again", *more, *replay, **how), environment=shut)
    assert replayed.code == 0, replayed
    assert all_records(command, "again") == all_records(command, "run")
    for file in ("run.json", "answers.jsonl"):
        assert (command.folder / "again" / file).read_bytes() == (command.folder / "run" / file).read_bytes()
    assert len(command.server.seen) == 4
    refused = command.run(*command.repair("other", *replay, **how), environment=shut)
    assert refused.code == 2
    assert "there is no answer to call 1" in refused.err


def test_an_agents_run_and_its_replay_with_sockets_shut(command: Command) -> None:
    edit = ("edit_file", {"path": "solution.py", "old": "x < high", "new": "x > high"})
    steps = ((edit, ("run_tests", {})), (("submit", {}),))
    command.server.default = lambda seen: command.server.move(calls=steps[len(seen.turns) > 1])
    said = command.run(*command.repair("run", strategy="agent"))
    assert said.code == 0, said
    assert outcomes(command, "run") == ["exact", "exact"]
    ran = [step["results"][-1]["text"] for step in command.records("run", "trajectory.jsonl")]
    assert ran == ["All 3 tests pass.", "The program is handed in."] * 2
    shut = {"PYTHONPATH": str(shut_sockets(command.folder))}
    replay = ("--replay", command.folder / "run")
    replayed = command.run(*command.repair("again", *replay, strategy="agent"), environment=shut)
    assert replayed.code == 0, replayed
    assert all_records(command, "again") == all_records(command, "run")
    files = [(command.folder / name / "trajectory.jsonl").read_bytes() for name in ("run", "again")]
    assert files[0] == files[1]


def shut_sockets(folder: Path) -> Path:
    """Return a folder whose ``sitecustomize`` lets no socket of the internet be made."""
    place = folder / "shut"
    place.mkdir()
    (place / "sitecustomize.py").write_text(
        "import sys\n"
        "def hook(event, args):\n"
        "    if event == 'socket.__new__' and args[1] in (2, 10):\n"
        "        raise RuntimeError('sockets are shut')\n"
        "    if event in ('socket.connect', 'socket.getaddrinfo') and not isinstance(args[1], (str, bytes)):\n"
        "        raise RuntimeError('sockets are shut')\n"
        "sys.addaudithook(hook)\n"
    )
    return place


def test_the_sockets_are_shut_indeed(command: Command) -> None:
    shut = {"PYTHONPATH": str(shut_sockets(command.folder))}
    said = command.run(*command.repair("run"), environment=shut)
    assert command.server.seen == []
    assert "sockets are shut" in said.err or set(outcomes(command, "run")) == {"infra_error"}


MALFORMED = {
    "no_patch": "I am sorry, I cannot help with that.",
    "malformed_diff": "--- a/solution.py\n+++ b/solution.py\n@@ -4,2 +4,2 @@\n-    if x < high:\n",
    "patch_rejected": "--- a/solution.py\n+++ b/solution.py\n@@ -4 +4 @@\n-    if y < high:\n+    if y > high:\n",
    "policy_violation": "--- /dev/null\n+++ b/conftest.py\n@@ -0,0 +1 @@\n+x = 1\n",
    "no_change": "--- a/solution.py\n+++ b/solution.py\n@@ -4 +4 @@\n-    if x < high:\n+    if x < high:  # mended\n",
    "syntax_error": "--- a/solution.py\n+++ b/solution.py\n@@ -4 +4 @@\n-    if x < high:\n+    if x > high\n",
    "new_test_failed": "--- a/solution.py\n+++ b/solution.py\n@@ -4 +4 @@\n-    if x < high:\n+    if x <= high:\n",
    "ambiguous": "A:\n```diff\n{fix}```\nWait, better so:\n```diff\n{half}```\n",
}


@pytest.fixture
def wide(command: Command, tasksets: Callable[[int], Path]) -> Command:
    command.tasks = tasksets(len(MALFORMED))
    return command


def test_each_malformed_answer_is_classified_as_the_judge_does(wide: Command) -> None:
    half = wide.fix.replace("+    if x > high:", "+    if x < 0:")
    texts = [text.replace("{fix}", wide.fix).replace("{half}", half) for text in MALFORMED.values()]
    asked: list[str] = []
    wide.server.default = lambda seen: wide.server.move(text=texts[asked.append("") or len(asked) - 1])
    said = wide.run(*wide.repair("run", "--concurrency", 1, "--workers", 1))
    assert said.code == 0, said
    found = dict(zip(MALFORMED, outcomes(wide, "run"), strict=True))
    assert found == {kind: kind for kind in MALFORMED}
    patches = wide.folder / "patches"
    patches.mkdir()
    for number, text in enumerate(texts):
        (patches / f"P__{number}.diff").write_text(text)
    judged = wide.run("verify", wide.tasks, "--patches", patches, "--out", wide.folder / "judged")
    assert judged.code == 0, judged
    assert outcomes(wide, "judged") == outcomes(wide, "run")


def test_what_the_service_does_wrong_is_an_infra_error(wide: Command) -> None:
    wide.server.script = [
        wide.server.move(status=429),
        wide.server.move(status=500),
        wide.server.move(cut=True),
        wide.server.move(body=b"{"),
        wide.server.move(status=400),
        wide.server.move(change=lambda answer: answer.update(stop_reason="refusal", content=[])),
        wide.server.move(change=lambda answer: answer.update(stop_reason="max_tokens")),
        wide.server.move(text=""),
    ]
    said = wide.run(*wide.repair("run", "--concurrency", 1, "--workers", 1))
    assert said.code == 0, said
    assert outcomes(wide, "run") == ["infra_error"] * 4 + ["no_patch"] * 4
    reasons = [attempt["stop_reason"] for attempt in wide.records("run", "attempts.jsonl")]
    assert [reason.partition(":")[0] for reason in reasons[4:]] == [
        "error",
        "the model refused",
        "cut off at the limit of output tokens",
        "answered",
    ]


@pytest.mark.timeout(300)
def test_a_run_killed_at_any_moment_loses_and_pays_nothing_twice(
    command: Command, tasksets: Callable[[int], Path]
) -> None:
    command.tasks = tasksets(12)
    command.server.default = lambda seen: command.server.move(text=command.fix, wait=0.02)
    more = ("--samples", 3, "--concurrency", 2)
    straight = command.run(*command.repair("straight", *more))
    assert straight.code == 0, straight
    assert len(command.server.seen) == 36
    command.server.seen.clear()
    chance = random.Random(5)
    kills = 0
    answers = command.folder / "killed" / "answers.jsonl"
    for _ in range(4):
        process = subprocess.Popen(
            command.line(*command.repair("killed", *more)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        size = answers.stat().st_size if answers.exists() else 0
        while process.poll() is None and (answers.stat().st_size if answers.exists() else 0) == size:
            time.sleep(0.005)
        time.sleep(chance.uniform(0, 0.15))
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            kills += 1
        process.wait()
    assert kills >= 2
    answered = answers.read_bytes().count(b"\n")
    asked = len(command.server.seen)
    assert answered <= asked <= answered + 2 * kills, "what was under way when it was killed, and nothing else"
    assert command.run(*command.repair("killed", *more)).code == 0
    assert all_records(command, "killed") == all_records(command, "straight")
    assert len(command.server.seen) == asked + 36 - answered, "no answer that was recorded is asked for again"
    assert (command.folder / "killed" / "run.json").read_bytes() == (
        command.folder / "straight" / "run.json"
    ).read_bytes()


def test_ctrl_c_ends_a_run_that_waits_for_a_model(command: Command) -> None:
    command.server.default = lambda seen: command.server.move(text=command.fix, wait=30)
    process = subprocess.Popen(
        command.line(*command.repair("run")),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while not command.server.seen:
        assert process.poll() is None
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert err.splitlines()[-1] == "mendlab: interrupted; run the same command again to go on from here"
    assert "Traceback" not in err
    command.server.default = lambda seen: command.server.move(text=command.fix)
    assert command.run(*command.repair("run")).code == 0
    assert outcomes(command, "run") == ["exact", "exact"]


def prices(command: Command, label: str = "anthropic:test-model") -> Path:
    file = command.folder / "prices.json"
    rates = {"input": 1.0, "output": 10.0}
    file.write_text(json.dumps({"prices": {label: {"as_of": "2026-11-30", "source": "a test", "rates": rates}}}))
    return file


def test_a_run_stops_at_its_budget_and_goes_on_with_a_larger_one(
    command: Command, tasksets: Callable[[int], Path]
) -> None:
    command.tasks = tasksets(12)
    usage = {"input_tokens": 1000, "output_tokens": 900}
    command.server.default = lambda seen: command.server.move(text=command.fix, usage=usage)
    more = ("--prices", prices(command), "--max-output-tokens", 1000)
    stopped = command.run(*command.repair("run", *more, "--max-cost", 0.05))
    assert stopped.code == 2
    assert "larger --max-cost" in stopped.err and "Traceback" not in stopped.err
    made = command.records("run", "attempts.jsonl")
    assert 0.03 < sum(attempt["cost_usd"] for attempt in made) <= 0.05
    assert len(command.records("run", "verdicts.jsonl")) == len(made) == len(command.server.seen)
    went_on = command.run(*command.repair("run", *more, "--max-cost", 1))
    assert went_on.code == 0, went_on
    assert len(command.server.seen) == 12
    assert [attempt["cost_usd"] for attempt in command.records("run", "attempts.jsonl")] == [0.01] * 12


def test_a_budget_needs_a_price(command: Command) -> None:
    said = command.run(*command.repair("run", "--max-cost", 1))
    assert said.code == 2
    assert "the price of anthropic:test-model is not known, so --max-cost cannot be held" in said.err
    assert command.server.seen == [] and not (command.folder / "run").exists()


def test_a_dry_run_counts_and_sends_nothing(command: Command) -> None:
    more = ("--prices", prices(command), "--max-output-tokens", 1000, "--samples", 2, "--dry-run", "--json")
    told = command.run(*command.repair("run", *more, strategy="feedback"))
    assert told.code == 0, told
    found = json.loads(told.out)
    assert (found["attempts"], found["calls"], found["output_tokens"], found["estimated"]) == (4, 12, 12000, True)
    assert 12 * 200 < found["prompt_tokens"] < 12 * 2000
    assert found["cost_usd"] == pytest.approx((found["prompt_tokens"] + 10 * 12000) / 1e6)
    unknown = command.run(*command.repair("run", "--dry-run"))
    assert "not known" in unknown.out and "nothing was sent" in unknown.out
    assert "no price for anthropic:test-model: name a file that has one with --prices" in unknown.out
    assert command.server.seen == [] and not (command.folder / "run").exists()


def test_a_key_that_is_refused_ends_the_run(command: Command) -> None:
    command.server.default = lambda seen: command.server.move(status=401)
    said = command.run(*command.repair("run"))
    assert said.code == 2
    assert "401" in said.err and command.server.key not in said.err
    assert (command.folder / "run" / "attempts.jsonl").read_text() == ""
    command.server.default = lambda seen: command.server.move(text=command.fix)
    assert command.run(*command.repair("run")).code == 0


def test_no_key_is_written_anywhere(command: Command) -> None:
    command.server.default = lambda seen: command.server.move(text=f"{command.server.key}\n{command.fix}")
    said = command.run(*command.repair("run", strategy="feedback"), environment={"ANTHROPIC_LOG": "debug"})
    assert said.code == 0, said
    written = b"".join(file.read_bytes() for file in (command.folder / "run").iterdir())
    assert command.server.key.encode() not in written
    assert command.server.key not in said.out + said.err


def test_confined_code_that_looks_for_the_key_does_not_find_it(command: Command) -> None:
    """The spy is a model's own answer; what it finds would come back in the next prompt."""
    look = "import os; raise ValueError(dict(os.environ), open('/proc/self/environ').read())"
    spy = command.fix.replace("+    if x > high:", f"+    {look}\n+    if x > high:")
    command.server.default = lambda seen: command.server.move(text=spy)
    said = command.run(*command.repair("run", strategy="feedback"))
    assert said.code == 0, said
    told = [seen.prompt for seen in command.server.seen if len(seen.body["messages"]) > 1]
    assert told and all("ValueError" in prompt and "PYTHON" in prompt for prompt in told), told
    assert not any(command.server.key in prompt or "API_KEY" in prompt for prompt in told)


def test_the_prompt_is_what_is_sent(command: Command) -> None:
    model = ["--model", "openai:test-model", "--base-url", command.server.url("openai")]
    shown = command.run("prompt", command.tasks, "P/1", *model, "--parameter", "top_p=0.5", "--json")
    assert shown.code == 0, shown
    assert command.server.seen == []
    command.run(*command.repair("run", "--parameter", "top_p=0.5", provider="openai"))
    body = json.loads(shown.out)
    assert body["body"] in [seen.body for seen in command.server.seen]
    assert body["request"] in [attempt["prompt_digest"] for attempt in command.records("run", "attempts.jsonl")]
    plain = command.run("prompt", command.tasks, "P/1")
    assert plain.out.startswith("[system]\n") and "\n[user]\n## The task" in plain.out
    assert body["body"]["input"][0]["content"] in plain.out


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--strategy", "single"], "strategy 'single' needs a model"),
        (["--strategy", "noop", "--model", "openai:x"], "strategy 'noop' asks no model"),
        (["--strategy", "single", "--model", "openai-compatible:x"], "give the server's with --base-url"),
        (["--strategy", "single", "--model", "openai:x", "--base-url", "http://10.0.0.1"], "is not https"),
        (["--strategy", "single", "--model", "openai:x", "--parameter", "top_p"], "has no value"),
        (["--strategy", "noop", "--dry-run"], "there is nothing to count"),
    ],
)
def test_what_cannot_be_meant_is_refused(command: Command, arguments: list[str], why: str) -> None:
    given = ["repair", str(command.tasks), "--out", str(command.folder / "run"), *arguments]
    with pytest.raises(InputError, match=re.escape(why)):
        root.main(given, standalone_mode=False)
    assert not (command.folder / "run").exists()


def test_a_run_with_retries_is_another_run(command: Command) -> None:
    assert command.run(*command.repair("run")).code == 0
    for more, what in (("--retries", 2), "parameter retries 0"), (("--localisation", "true"), "parameter localisation"):
        said = command.run(*command.repair("run", *more))
        assert said.code == 2
        assert what in said.err
    assert Counter(outcomes(command, "run")) == {"no_patch": 2}
