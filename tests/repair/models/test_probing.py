"""A model that knows a reference by heart, one that does not, and one that fails: asked over HTTP, kept on a tape."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mendlab.corpora.taskset import TaskSet
from mendlab.repair.probing import Halves, halves, likeness, probe_request

LONG = """def table(rows, width):
    cells = []
    for row in rows:
        cells.append([str(cell).ljust(width) for cell in row])
    lines = [' '.join(cells_of_row).rstrip() for cells_of_row in cells]
    longest = max((len(line) for line in lines), default=0)
    lines.append('-' * longest)
    return '\\n'.join(lines)
"""


@pytest.fixture
def tasks(shapes: Any) -> TaskSet:
    programs = {"L/0": LONG, "L/1": "def one(x):\n    return x\n"}
    checks = {"L/0": "candidate([[1, 22]], 3) == '1   22\\n------'", "L/1": "candidate(2) == 2"}
    wrong = {"L/0": LONG.replace("'-'", "'='"), "L/1": "def one(x):\n    return 1\n"}
    rows = [shapes.problem(name, text, [checks[name]], wrong[name]) for name, text in programs.items()]
    candidates = shapes.candidates("humanevalpack", shapes.rows(rows))
    made: TaskSet = shapes.taskset(shapes.tasks(candidates), candidates)
    return made


def test_a_model_that_knows_the_rest_marks_the_task(tasks: TaskSet, server: Any, monkeypatch: Any, capsys: Any) -> None:
    cut = halves(tasks, tasks.tasks[0])
    assert cut is not None
    assert cut.shown + cut.rest == LONG
    assert cut.rest not in probe_request(cut).messages[0].text
    for answer, marked in ((f"Sure:\n```python\n{cut.rest}```", 1), ("    return rows\n", 0)):
        server.default = lambda seen, answer=answer: server.move(text=answer)
        monkeypatch.setattr(
            "sys.argv",
            ["mendlab", "contamination", str(tasks.path), "--model", f"openai-compatible:m{marked}", "--base-url",
             server.url("openai-compatible"), "--json"],
        )  # fmt: skip
        told = run_command(capsys)
        assert len(told["marks"]) == marked
        (check,) = [each for each in told["checks"] if each["corpus"].endswith(f"m{marked}")]
        assert (check["method"], check["unknown"]) == ("completion", 1)
        asked = len(server.seen)
        assert run_command(capsys)["marks"] == told["marks"]
        assert len(server.seen) == asked  # from the tape
        told["marks"] = []
        (tasks.path / "contamination.json").unlink()
    assert TaskSet.open(tasks.path).integrity() == []


def test_a_call_that_fails_says_nothing(tasks: TaskSet, server: Any, monkeypatch: Any, capsys: Any) -> None:
    server.default = lambda seen: server.move(status=400, body=b'{"error": {"message": "no"}}')
    arguments = ["--model", "openai-compatible:m", "--base-url", server.url("openai-compatible"), "--json"]
    monkeypatch.setattr("sys.argv", ["mendlab", "contamination", str(tasks.path), *arguments])
    told = run_command(capsys)
    assert told["marks"] == []
    assert told["checks"][0]["unknown"] == 2


def test_likeness_is_of_tokens_in_order() -> None:
    cut = Halves("a.py", "def f(x):\n", "    y = x + 1\n    return y * y\n")
    assert likeness("y=x+1;  return y*y", cut) > 0.9
    assert likeness(cut.shown + cut.rest, cut) == 1.0
    assert likeness("", cut) == 0.0
    assert likeness("raise NotImplementedError(str(x))", cut) < 0.5


def run_command(capsys: Any) -> Any:
    from mendlab.cli import main

    with pytest.raises(SystemExit) as ended:
        main()
    said = capsys.readouterr()
    assert ended.value.code == 0, said.err
    return json.loads(said.out)
