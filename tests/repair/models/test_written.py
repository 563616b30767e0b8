"""``mendlab inject --model``: defects that a model writes, over its service."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mendlab.corpora.taskset import TaskSet
from mendlab.mutators.written.inject import MOST_USELESS

if TYPE_CHECKING:
    from conftest import Command, Server

pytestmark = pytest.mark.slow

PROGRAM = '''def low(x, y):
    """Return the smaller."""
    return x if x < y else y


def high(x, y):
    """Return the larger."""
    return x if x > y else y


def clamp(x, a, b):
    return low(high(x, a), b)


assert low(1, 2) == 1
assert low(4, 3) == 3
assert high(1, 2) == 2
assert clamp(5, 1, 3) == 3
assert clamp(0, 1, 3) == 1
'''
ANSWERS = {
    "low": 'def low(x, y):\n    """Return the smaller."""\n    return x if x > y else y\n',
    "high": 'def high(x, y):\n    """Return the larger."""\n    return x if x >= y else y\n',  # no test tells
    "clamp": "def clamp(x, a, b):\n    return high(low(x, a), b)  # the bug\n",
}


def asked_for(seen: Any) -> str:
    return re.search(r"the function `(\w+)`", seen.prompt)[1]  # type: ignore[index]


@pytest.fixture
def subject(tmp_path: Path, server: Server) -> Path:
    server.default = lambda seen: server.move(text=f"```python\n{ANSWERS[asked_for(seen)]}```")
    file = tmp_path / "clamp.py"
    file.write_text(PROGRAM)
    return file


def inject(command: Command, subject: Path, out: str, *more: object, provider: str = "anthropic") -> list[object]:
    model = ["--model", f"{provider}:test-model", "--base-url", command.server.url(provider), "--workers", 1]
    return ["inject", subject, "--out", command.folder / out, *model, *more]


def test_what_a_model_writes_becomes_tasks_where_the_tests_tell(command: Command, subject: Path) -> None:
    said = command.run(*inject(command, subject, "made", "--json"))
    assert said.code == 0, said
    told = json.loads(said.out)
    assert (told["tasks"], told["dropped"]) == (1, {"survived": 1, "gives_itself_away": 1})
    (task,) = TaskSet.open(command.folder / "made").tasks
    defect = task.defect
    assert (defect.origin, defect.operator, defect.function) == ("model", None, "low")
    assert defect.by_model is not None
    assert (defect.by_model.model, defect.by_model.answered, defect.by_model.mode) == (
        "anthropic:test-model",
        "test-model-2026",
        "change",
    )
    assert len(defect.by_model.request) == 64
    assert "-    return x if x < y else y\n+    return x if x > y else y" in defect.diff
    assert task.tags == ("written-change",)
    assert command.run("check", command.folder / "made").code == 0
    assert len(command.server.seen) == 3
    shown = command.server.seen[0]
    assert PROGRAM.split("\n\n\nassert")[0] in shown.prompt and "wrong about this: " in shown.prompt


def test_the_same_command_asks_nothing_again_and_a_replay_sends_nothing(command: Command, subject: Path) -> None:
    assert command.run(*inject(command, subject, "made")).code == 0
    again = command.run(*inject(command, subject, "made"))
    assert again.code == 0 and len(command.server.seen) == 3
    replayed = command.run(*inject(command, subject, "again", "--replay", command.folder / "made.answers"))
    assert replayed.code == 0 and len(command.server.seen) == 3, replayed
    texts = [(command.folder / name / "tasks.jsonl").read_bytes() for name in ("made", "again")]
    assert texts[0] == texts[1]


def test_a_killed_injection_goes_on_and_pays_nothing_twice(command: Command, subject: Path) -> None:
    free = command.server.default

    def slow(seen: Any) -> Any:
        move = free(seen)
        move.wait = 30 if asked_for(seen) == "low" else 0
        return move

    command.server.default = slow
    line = command.line(*inject(command, subject, "made", "--concurrency", 2))
    process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    answers = command.folder / "made.answers" / "answers.jsonl"
    while not (answers.exists() and answers.read_bytes().count(b"\n") == 2):
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    command.server.default = free
    assert command.run(*inject(command, subject, "made", "--concurrency", 2)).code == 0
    assert [asked_for(seen) for seen in command.server.seen].count("low") == 2
    assert len(command.server.seen) == 4, "what was under way, and nothing else"
    assert len(TaskSet.open(command.folder / "made").tasks) == 1


def test_a_function_is_written_anew_from_its_docstring(command: Command, subject: Path) -> None:
    said = command.run(*inject(command, subject, "made", "--write", "rewrite", provider="openai-compatible"))
    assert said.code == 0, said
    assert sorted(asked_for(seen) for seen in command.server.seen) == ["high", "low"], "clamp has none"
    prompt = next(seen.prompt for seen in command.server.seen if asked_for(seen) == "low")
    assert "x if x < y" not in prompt and "Return the smaller." in prompt


def test_each_function_is_asked_for_as_often_as_told_and_no_more_than_needed(command: Command, subject: Path) -> None:
    more = ("--per-function", 2, "--limit", 1, "--concurrency", 1)
    assert command.run(*inject(command, subject, "made", *more)).code == 0
    assert 1 <= len(command.server.seen) <= 3
    assert len(TaskSet.open(command.folder / "made").tasks) == 1


def test_a_dry_run_sends_nothing(command: Command, subject: Path) -> None:
    said = command.run(*inject(command, subject, "made", "--dry-run", "--json", "--per-function", 2))
    assert said.code == 0, said
    told = json.loads(said.out)
    assert (told["functions"], told["calls"], told["cost_usd"]) == (3, 6, None)
    assert command.server.seen == [] and not (command.folder / "made").exists()


def test_a_service_that_fails_leaves_no_task_and_says_so(command: Command, subject: Path) -> None:
    command.server.default = lambda seen: command.server.move(status=500)
    said = command.run(*inject(command, subject, "made", "--json"))
    assert json.loads(said.out)["dropped"] == {"no_answer": 3}


def test_a_model_that_gives_nothing_of_use_is_asked_no_further(command: Command, subject: Path) -> None:
    command.server.default = lambda seen: command.server.move(text="I would rather not.")
    said = command.run(*inject(command, subject, "made", "--per-function", 100, "--concurrency", 1))
    assert said.code == 2
    assert f"the last {MOST_USELESS} answers have no function" in said.err
    assert len(command.server.seen) == MOST_USELESS


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (("--operators", "comparison-swapped"), "a model is told nothing of operators"),
        (("--write", "rewrite", "--behaviour", "sorting"), "is not told what to break"),
        (("--max-cost", "1"), "the price of anthropic:test-model is not known"),
    ],
)
def test_what_makes_no_sense_is_refused(command: Command, subject: Path, more: tuple[str, ...], why: str) -> None:
    said = command.run(*inject(command, subject, "made", *more))
    assert said.code == 2 and why in said.err, said
    plain = command.run("inject", subject, "--out", command.folder / "plain", "--dry-run")
    assert plain.code == 2 and "there is no model to tell this" in plain.err
