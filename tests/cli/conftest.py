"""The command itself, in a process of its own, and small things to give to it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest


@dataclass(frozen=True)
class Said:
    """What a command said and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """All of standard output as JSON."""
        return json.loads(self.out)

    def refusal(self) -> str:
        """Return the one line of a command that was given bad input; anything else is a failure."""
        lines = [line for line in self.err.splitlines() if line.startswith("mendlab: ")]
        assert self.code == 2, self
        assert self.out == "", self
        assert len(lines) == 1, self
        assert "Traceback" not in self.err, self
        assert self.err.splitlines()[-1] == lines[0], self
        return lines[0].removeprefix("mendlab: ")


def run(
    *arguments: object, cwd: Path | None = None, env: Mapping[str, str] | None = None, timeout: float = 240
) -> Said:
    """Run ``mendlab`` with arguments to its end."""
    done = subprocess.run(
        [sys.executable, "-m", "mendlab", *map(str, arguments)],
        capture_output=True,
        cwd=cwd,
        env={**os.environ, **(env or {})},
        timeout=timeout,
        check=False,
    )
    said = Said(done.returncode, done.stdout.decode(), done.stderr.decode())
    assert "Traceback (most recent call last)" not in said.err, said.err
    return said


@pytest.fixture(scope="session")
def mendlab():
    """Run the command; a traceback is a failure, whatever the test."""
    return run


PACK = [
    ("P/0", "def top(items):\n    return max(items)\n", "def top(items):\n    return min(items)\n"),
    ("P/1", "def size(items):\n    return len(items)\n", "def size(items):\n    return len(items) + 1\n"),
]
CHECKS = {
    "P/0": ["candidate([1, 2]) == 2", "candidate([3]) == 3", "candidate([0, -1]) == 0", "candidate([2, 2]) == 2"],
    "P/1": ["candidate([1, 2]) == 2", "candidate([]) == 0"],
}


@pytest.fixture(scope="session")
def pack(tmp_path_factory, shapes_at):
    """Two published bugs, in one file."""
    shapes = shapes_at(tmp_path_factory.mktemp("pack"))
    return shapes.rows([shapes.problem(name, good, CHECKS[name], buggy) for name, good, buggy in PACK], "pack.jsonl")


@pytest.fixture(scope="session")
def tasks(mendlab, pack):
    """A task set made of them by the command."""
    out = pack.parent / "tasks"
    said = mendlab("import", "humanevalpack", pack, "--out", out)
    assert said.code == 0, said
    return out


@pytest.fixture(scope="session")
def reference_run(mendlab, tasks):
    """A run of the reference on that set."""
    out = tasks.parent / "reference"
    said = mendlab("repair", tasks, "--strategy", "reference", "--out", out)
    assert said.code == 0, said
    return out
