"""Ctrl-C ends a command soon, in one line, with all that was found out kept and nothing left running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

CLAMP = """def clamp(x, low, high):
    if x < low:
        return low
    if x > high:
        return high
    return x
"""


def children_of(group):
    """The processes of a process group that are still there."""
    told = subprocess.run(["ps", "-eo", "pgid=,pid="], capture_output=True, text=True, check=True).stdout
    return [pid for line in told.splitlines() for pgid, pid in [line.split()] if int(pgid) == group]


def interrupt(command: list[str], ready: Path, size: int = 0):
    """Start a command, and press Ctrl-C once a file has so many bytes; returns the process, ended, and what it said."""
    process = subprocess.Popen(
        [sys.executable, "-m", "mendlab", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + 60
    while not ready.exists() or ready.stat().st_size <= size:
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=30)
    return process, out, err


def test_an_interrupted_injection_goes_on(mendlab, shapes):
    checks = [f"candidate({given}, 2, 4) == {wanted}" for given, wanted in [(1, 2), (5, 4), (3, 3)]]
    rows = [shapes.problem(f"S/{number}", CLAMP, checks) for number in range(8)]
    source, out = shapes.rows(rows), shapes.folder / "tasks"
    command = ["inject", f"humaneval:{source}", "--out", str(out), "--operators", "comparison-swapped"]
    journal = shapes.folder / "tasks.building" / "examined.jsonl"
    process, said, err = interrupt(command, journal, 500)
    assert process.returncode == 130
    assert said == ""
    assert err.splitlines()[-1] == "mendlab: interrupted; run the same command again to go on from here"
    assert "Traceback" not in err
    assert not children_of(process.pid)
    assert not out.exists()
    kept = journal.read_bytes()
    assert kept
    again = mendlab(*command)
    assert again.code == 0
    assert out.is_dir()
    assert not journal.exists()


@pytest.mark.slow
def test_tests_that_take_long_are_not_waited_for(tmp_path):
    project, out = tmp_path / "project", tmp_path / "tasks"
    (project / "tests").mkdir(parents=True)
    (project / "clamps.py").write_text(CLAMP)
    (project / "tests" / "test_clamps.py").write_text("import time\n\ndef test_it():\n    time.sleep(100)\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "mendlab", "inject", str(project), "--out", str(out), "--workers", "2"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    assert any(line.startswith("clean runs: 0 of 1") for line in process.stderr)
    time.sleep(2)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err.splitlines()[-1] == "mendlab: interrupted; run the same command again to go on from here"
    assert not (tmp_path / "tasks.building" / "baselines.jsonl").exists()
    assert not children_of(process.pid)


def test_an_interrupted_run_goes_on(mendlab, tasks, tmp_path):
    run = tmp_path / "run"
    command = ["repair", str(tasks), "--strategy", "reference", "--samples", "40", "--out", str(run)]
    process, said, err = interrupt(command, run / "verdicts.jsonl")
    assert process.returncode == 130
    assert said == ""
    assert "Traceback" not in err
    assert not children_of(process.pid)
    kept = (run / "attempts.jsonl").read_text().splitlines()
    assert len(kept) < 80
    assert mendlab(*command).code == 0
    assert len((run / "verdicts.jsonl").read_text().splitlines()) == 80


@pytest.mark.parametrize("pause", [0.0, 0.01, 0.05, 0.2])
def test_pressed_twice_it_ends_all_the_same(tasks, tmp_path, pause):
    process = subprocess.Popen(
        [sys.executable, "-m", "mendlab", "check", str(tasks), "--runs", "500", "--out", str(tmp_path / "out")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    assert process.stderr.readline().startswith("tasks proved: 0 of 2")
    for number in (signal.SIGINT, signal.SIGTERM):
        if process.poll() is None:
            os.killpg(process.pid, number)
        time.sleep(pause)
    _, err = process.communicate(timeout=60)
    assert process.returncode in (130, 143, -signal.SIGTERM)  # the last where Python itself was ending
    assert "Traceback" not in err
    assert not children_of(process.pid)


def test_an_interrupted_check_says_that_it_keeps_nothing(tasks, tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-m", "mendlab", "check", str(tasks), "--runs", "500"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    line = process.stderr.readline()
    assert line.startswith("tasks proved: 0 of 2")
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    last = "mendlab: interrupted; a check without --out keeps nothing, and begins anew the next time"
    assert err.splitlines()[-1] == last
    assert not children_of(process.pid)


@pytest.mark.slow
def test_an_interrupted_gate_goes_on(mendlab, tasks, tmp_path):
    out = tmp_path / "checked"
    command = ["check", str(tasks), "--runs", "1", "--attacks", "--workers", "1", "--json", "--out", str(out)]
    process, said, err = interrupt(command, out / "besieged.jsonl")
    assert (process.returncode, said) == (130, "")
    assert "Traceback" not in err
    assert not children_of(process.pid)
    assert len((out / "besieged.jsonl").read_text().splitlines()) == 1
    again = mendlab(*command)
    assert again.code == 0
    first = next(line for line in again.err.splitlines() if line.startswith("attacks judged"))
    assert not first.startswith("attacks judged: 0 ")
    once_more = mendlab(*command)
    assert once_more.json == again.json
    assert (again.json["attacks"]["tasks"], again.json["holds"]) == (2, True)
    assert "was begun with other settings: runs" in mendlab("check", tasks, "--runs", 2, "--out", out).refusal()
