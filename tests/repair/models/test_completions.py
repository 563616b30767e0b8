"""Functions to be written: references, samples made elsewhere, and a model, through import, run and report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mendlab.corpora.taskset import TaskSet

if TYPE_CHECKING:
    from conftest import Command, Seen

pytestmark = pytest.mark.slow

LONGEST = """    best = ''
    for word in words:
        if len(word) > len(best):
            best = word
    return best
"""
WITH_A_HELPER = """import math

def helper(x):
    return math.fsum(x)

def add_up(xs):
    return int(helper(xs))
"""
HUMANEVAL = [
    {
        "task_id": "T/0",
        "entry_point": "twice",
        "prompt": 'def twice(x):\n    """Return x two times.\n    >>> twice(2)\n    4\n    """\n',
        "canonical_solution": "    return x + x\n",
        "test": "def check(candidate):\n    assert candidate(2) == 4\n    assert candidate('a') == 'aa'\n",
    },
    {
        "task_id": "T/1",
        "entry_point": "longest",
        "prompt": "from typing import List\n\n\ndef longest(words: List[str]) -> str:\n    '''Return the longest.'''\n",
        "canonical_solution": LONGEST,
        "test": "def check(candidate):\n    assert candidate(['a', 'bcd']) == 'bcd'\n    assert candidate([]) == ''\n",
    },
]
MBPP = [
    {
        "task_id": 7,
        "text": "Write a function to add up a list.",
        "code": "def add_up(xs):\r\n\ttotal = 0\r\n\tfor x in xs:\r\n\t\ttotal += x\r\n\treturn total",
        "test_setup_code": "",
        "test_list": ["assert add_up([1, 2]) == 3", "assert add_up([]) == 0"],
        "challenge_test_list": ["assert add_up([-1, 1, 5]) == 5"],
    }
]


def rows(folder: Path, name: str, found: list[dict[str, Any]]) -> Path:
    file = folder / f"{name}.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in found))
    return file


def made(command: Command, format_: str, found: list[dict[str, Any]]) -> Path:
    out = command.folder / f"{format_}-tasks"
    said = command.run("import", format_, rows(command.folder, format_, found), "--out", out)
    assert said.code == 0, said
    return out


def test_humaneval_is_completed_by_references_samples_and_a_model(command: Command) -> None:
    tasks = made(command, "humaneval", HUMANEVAL)
    for task in TaskSet.open(tasks).tasks:
        assert task.kind == "completion" and set(task.held_out) == {*task.fail_to_pass, *task.pass_to_pass}
    reference = command.run("repair", tasks, "--strategy", "reference", "--out", command.folder / "ref", "--json")
    (run,) = json.loads(reference.out)["runs"]
    assert run["metrics"]["pass_at_1"] == 1.0 and run["tasks_correct"] == 2

    samples = [
        {"task_id": "T/0", "completion": "    return x * 2\n"},
        {"task_id": "T/1", "completion": "    return max(words)\n"},
        {"task_id": "T/0", "completion": "```python\ndef twice(x):\n    return 2 * x\n```"},
    ]
    verified = command.run("verify", tasks, "--patches", rows(command.folder, "samples", samples), "--json")
    assert verified.code == 0, verified
    told = json.loads(verified.out)
    assert {(v["task"], v["sample"]): v["outcome"] for v in told["verdicts"]} == {
        ("T/0", 0): "equivalent",
        ("T/0", 1): "equivalent",
        ("T/1", 0): "heldout_failed",
    }, "T/1 has one sample, and only that counts"
    (run,) = told["runs"]
    assert run["metrics"]["pass_at_1"] == 0.5
    assert (run["expected"], run["attempts"], run["judged"]) == (3, 3, 3)
    assert run["metrics"]["average_execution_seconds"] > 0

    def answer(seen: Seen) -> Any:
        solution = next(row for row in HUMANEVAL if row["entry_point"] in seen.prompt)
        return command.server.move(text=f"```python\n{solution['prompt']}{solution['canonical_solution']}```")

    command.server.default = answer
    command.tasks = tasks
    asked = command.run(*command.repair("model", "--json"))
    assert asked.code == 0, asked
    (run,) = json.loads(asked.out)["runs"]
    assert run["metrics"]["pass_at_1"] == 1.0 and run["tasks_correct"] == 2
    assert run["metrics"]["tokens"] == {"value": 220.0, "known": 2, "of": 2}
    assert (run["metrics"]["retries"], run["metrics"]["cost_usd"]["value"]) == (0, None)
    said = "".join(seen.prompt for seen in command.server.seen)
    assert "check(candidate)" not in said and "'aa'" not in said, "no test is shown"
    shown = command.run("report", command.folder / "model")
    assert "pass@1 100%, execution" in shown.out and "tokens 220, cost unknown, retries" in " ".join(shown.out.split())
    replayed = command.run(*command.repair("again", "--replay", command.folder / "model"))
    assert replayed.code == 0 and len(command.server.seen) == 2


def test_mbpp_is_written_from_its_sentence_and_its_tests(command: Command) -> None:
    tasks = made(command, "mbpp", MBPP)
    (task,) = TaskSet.open(tasks).tasks
    assert task.kind == "completion" and task.held_out == ("challenge_test_list[0]",)
    prompt = command.run("prompt", tasks, "MBPP/7").out
    assert "Write a function to add up a list." in prompt and "assert add_up([1, 2]) == 3" in prompt
    assert "add_up([-1" not in prompt and "total" not in prompt
    samples = [
        {"task_id": "MBPP/7", "completion": code}
        for code in (
            MBPP[0]["code"],
            f"```python\n{WITH_A_HELPER}```",
            "def add_up(xs):\n    return sum(abs(x) for x in xs)\n",
            "def add_it(xs):\n    return sum(xs)\n",
        )
    ]
    verified = command.run("verify", tasks, "--patches", rows(command.folder, "samples", samples), "--json")
    assert verified.code == 0, verified
    found = [verdict["outcome"] for verdict in json.loads(verified.out)["verdicts"]]
    assert found[0] == "exact" and found[1] in ("equivalent", "divergent")
    assert found[2:] == ["heldout_failed", "no_patch"]
