from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from mendlab.corpora.scripted_history import build_history

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "harvest.py"


@pytest.mark.slow
def test_the_parts_work_in_small(tmp_path: Path) -> None:
    build_history("timesheet", tmp_path / "timesheet")
    arguments = [
        "--only",
        "scan,memory,identity",
        "--long",
        tmp_path / "timesheet",
        "--repository",
        tmp_path / "timesheet",
    ]
    arguments += ["--work", tmp_path / "work", "--history", "90", "--runs", "1", "--json", tmp_path / "found.json"]
    done = subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "found.json").read_text())
    counts = found["identity"]["timesheet"]["counts"]
    assert counts["candidates"] == counts["proved"] > 10
    assert found["scan"]["scan"]["counts"]["no_parent"] == 1
    assert sum(found["memory"]["scan"]["counts"].values()) == 90
    assert "memory over 90 commits" in done.stdout
