"""The whole script on tiny data, as it is run by hand."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from measures.determinism import section
from measures.programs import File

REALISM = Path(__file__).parents[2] / "benchmarks" / "realism.py"
GOOD = "    return a + b\n"


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(REALISM), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    row = {
        "task_id": "T/0", "bug_type": "operator misuse", "prompt": "def f(a, b):\n",
        "canonical_solution": GOOD, "buggy_solution": GOOD.replace("+", "-"),
    }  # fmt: skip
    (tmp_path / "hep.jsonl").write_text(json.dumps(row) + "\n")
    buggy = {"name": "q", "solution": "def f(a):\n    return a\n", "buggy_program": "import socket\n"}
    (tmp_path / "qb.jsonl").write_text(json.dumps(buggy) + "\n")
    return tmp_path


def test_tables_json_and_an_exit_code_for_missed_goals(data: Path) -> None:
    sets = ("--humanevalpack", data / "hep.jsonl", "--quixbugs", data / "qb.jsonl", "--no-stdlib", "--seeds", 2)
    out = ("--json", data / "out.json", "--markdown", data / "out.md")
    done = run(*sets, *out, "--only", "reach,sampled,peers,histories,rate")
    assert done.returncode == 1, done.stderr
    assert "goals missed: reach QuixBugs" in done.stderr
    assert "| HumanEvalPack     | 100.0% (1/1)" in done.stdout
    assert "rate: not measured" in done.stdout
    found = json.loads((data / "out.json").read_text())
    assert found["reach"]["QuixBugs"]["whole"]["hits"] == 0
    assert found["peers"]["mutmut"] == {"error": "not measured: no --peer-python"}
    goals = {goal["name"]: goal["met"] for goal in found["goals"]}
    assert goals["reach HumanEvalPack"]
    assert not goals["reach QuixBugs"]
    assert (data / "out.md").read_text().count("###") == 6


def test_met_goals_exit_with_zero(data: Path) -> None:
    done = run("--humanevalpack", data / "hep.jsonl", "--only", "reach", "--no-stdlib")
    assert (done.returncode, "no goal missed" in done.stderr) == (0, True), done.stderr


def test_an_unknown_part_is_refused_with_those_there_are() -> None:
    done = run("--only", "reech")
    assert done.returncode == 2
    assert "reech; there are reach, sampled" in done.stderr


@pytest.mark.slow
def test_runs_are_equal_and_a_missing_interpreter_is_told(tmp_path: Path) -> None:
    files = [File("a/m.py", b"x = 1\n"), File("n.py", b"def f(a):\n    return a + 1\n")]
    equal = section(files, [Path(sys.executable)])
    assert equal.goals[0].met
    assert len({row[4] for row in equal.tables[0].rows}) == 1
    missing = section(files, [tmp_path / "python"])
    assert not missing.goals[0].met
    assert missing.tables[0].rows[2][5] == "not measured"
