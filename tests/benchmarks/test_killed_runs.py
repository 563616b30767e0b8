"""The script on few tasks, as it is run by hand."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "killed_runs.py"


@pytest.mark.slow
@pytest.mark.parametrize("how", [[], ["--batch"]])
def test_a_run_that_was_killed_is_measured(how: list[str]) -> None:
    command = [sys.executable, str(SCRIPT), "--tasks", "6", "--kills", "1", *how]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told
    lines = told.stdout.splitlines()
    assert lines[0].startswith("6 tasks, never killed: ")
    assert lines[-2:] == ["attempts lost: 0; recorded answers asked for again: 0", "files that differ: none"]
