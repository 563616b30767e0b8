"""A run on disk with real trees, whose attempts are what a person is asked about."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from mendlab.corpora.diffs import make_diff
from mendlab.corpora.taskset import TaskSet, write_taskset
from mendlab.corpora.tree import FileTree
from mendlab.records import Outcome, Provenance
from mendlab.repair.runs import Run

GOOD = "def mean(values):\n    return sum(values) / len(values)\n"
BUGGY = "def mean(values):\n    return sum(values) * len(values)\n"
PATCHED = "def mean(values):\n    if not values:\n        return 0\n    return sum(values) / len(values)\n"


@dataclass
class OnDisk:
    """A run, its task set, and the text that is hostile in it."""

    run: Path
    taskset: TaskSet


def tree(text: str) -> FileTree:
    return FileTree({"mean.py": text.encode()})


@pytest.fixture
def on_disk(tmp_path, make, hostile_text):
    """Six attempts: two divergent, one risky, three exact; the first has hostile text wherever it can be."""
    outcomes = [Outcome.DIVERGENT, Outcome.DIVERGENT, Outcome.TAMPERED, *[Outcome.EXACT] * 3]
    hostile = hostile_text.replace("\x00", "").replace("\ud800", "")
    good, buggy = tree(GOOD), tree(BUGGY)
    tasks = []
    for number in range(len(outcomes)):
        task = make.task(number)
        defect = task.defect.model_copy(update={"diff": make_diff(good, buggy), "files": ("mean.py",)})
        changes = {"snapshot": good.digest, "defect": defect, "reference": make_diff(buggy, good)}
        tasks.append(task.model_copy(update={**changes, "statement": hostile}))
    tasks[0] = tasks[0].model_copy(update={"id": f"0 {hostile}"})
    taskset = write_taskset(tmp_path / "set", tasks, [good], name="set", provenance=Provenance(source="here"))
    made = make.run("r", "model", taskset.tasks, [Outcome.EXACT], raw_answer=hostile)
    config = made.config.model_copy(update={"taskset": "set", "taskset_digest": taskset.digest})
    by_id = {task.id: outcome for task, outcome in zip(tasks, outcomes, strict=True)}
    with Run.begin(tmp_path / "run", config) as run:
        for attempt, task in zip(made.attempts, taskset.tasks, strict=True):
            run.add_attempt(attempt)
            verdict = make.verdict("r", task, 0, by_id[task.id])
            patch = make_diff(buggy, tree(f"{PATCHED}# {hostile}\n"))
            run.add_verdict(verdict.model_copy(update={"canonical_patch": patch, "reason": hostile}))
    return OnDisk(tmp_path / "run", taskset)


class Served:
    """``mendlab review`` as a process of its own."""

    def __init__(self, on_disk: OnDisk, *options: str) -> None:
        command = [sys.executable, "-m", "mendlab", "review", str(on_disk.run), "--taskset", str(on_disk.taskset.path)]
        self.process = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.said = ""
        while (found := re.search(r"review: (http\S+)", self.said)) is None:
            line = self.process.stdout.readline()
            assert line, self.process.stderr.read()
            self.said += line
        self.url = found.group(1)

    @property
    def port(self) -> str:
        return re.search(r":(\d+)/", self.url).group(1)

    def kill(self) -> None:
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def interrupt(self) -> int:
        self.process.send_signal(signal.SIGINT)
        _, self.errors = self.process.communicate(timeout=30)
        return self.process.returncode


@pytest.fixture
def serve():
    """Start ``mendlab review`` on a run; all are ended with the test."""
    started = []

    def start(on_disk, *options):
        started.append(Served(on_disk, *options))
        return started[-1]

    yield start
    for served in started:
        if served.process.poll() is None:
            served.kill()
