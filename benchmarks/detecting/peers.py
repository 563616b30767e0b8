"""Other tools on the same projects, each through its own command line in a copy of the project."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from measures.progress import say

from detecting.peer_tools import Tool, Work
from detecting.subjects import Prepared

_MEASURED: Final = Path(__file__).with_name("measured.py")
DESELECT: Final = """
def pytest_collection_modifyitems(items):
    items[:] = [item for item in items if item.nodeid not in {unsound!r}]
"""


@dataclass(frozen=True, slots=True)
class Peers:
    """Where the peers are, a virtual environment each, called as the package; and what each may take on a subject.

    ``limit`` is the number of mutants for those that can be told one.
    """

    directory: Path
    jobs: int
    seconds: float
    limit: int


@dataclass(frozen=True, slots=True)
class PeerRun:
    """What a tool did on a subject: its verdicts, and seconds. ``problem`` says why it is not quoted."""

    tool: str
    counts: Mapping[str, int]
    wall: float
    cpu: float
    stopped: bool
    problem: str = ""

    @property
    def tested(self) -> int:
        """Mutants that were run on tests."""
        return sum(count for name, count in self.counts.items() if name != "untested")

    @property
    def rate(self) -> float:
        """Mutants tested a second of wall time."""
        return self.tested / self.wall

    @property
    def cpu_each(self) -> float:
        """CPU seconds a mutant tested."""
        return self.cpu / max(1, self.tested)

    def data(self) -> dict[str, Any]:
        """All of it, for JSON."""
        return {
            "counts": dict(self.counts), "wall": self.wall, "cpu": self.cpu, "stopped": self.stopped,
            "tested": self.tested, "problem": self.problem,
        }  # fmt: skip


def run_peer(tool: Tool, prepared: Prepared, peers: Peers) -> PeerRun:
    """Run a tool on a subject until it is done or its time is up."""
    environment = peers.directory / tool.name
    if not (environment / "bin" / "python").exists():
        return PeerRun(tool.name, {}, 1.0, 0.0, False, f"not installed: no {environment}")
    with tempfile.TemporaryDirectory(prefix="peer-") as folder:
        directory = Path(folder) / prepared.name
        copy(prepared, directory)
        tests = os.path.commonpath([path for path in prepared.loaded.subject.harness.test_files if "test" in path])  # type: ignore[union-attr]
        work = Work(directory, environment, prepared.files, tests.split("/")[0], peers.jobs, peers.limit, peers.seconds)
        return _run(tool, work, prepared.name)


def _run(tool: Tool, work: Work, name: str) -> PeerRun:
    say(f"{name}: {tool.name}")
    report, output = work.directory.parent / "report.json", work.directory.parent / "output.txt"
    variables = {**os.environ, **tool.environment, "VIRTUAL_ENV": str(work.environment)}
    variables["PATH"] = f"{work.environment / 'bin'}:{variables['PATH']}"
    if "PYTHONPATH" not in tool.environment:
        variables.pop("PYTHONPATH", None)
    command = [sys.executable, str(_MEASURED), str(report), str(work.seconds), *tool.command(work)]
    with output.open("wb") as file:
        subprocess.run(command, cwd=work.directory, env=variables, stdout=file, stderr=file, check=True)
    measured = json.loads(report.read_text())
    try:
        counts, problem = tool.counts(work), ""
    except Exception as error:
        counts, problem = {}, f"no verdicts: {type(error).__name__}: {error}"[:120]
    run = PeerRun(tool.name, counts, measured["wall"], measured["cpu"], measured["stopped"], problem)
    if counts.get("killed", 0) == 0:
        said = output.read_text(errors="replace").strip().splitlines()
        why = problem or f"it killed nothing of {run.tested}"
        last = next((line.strip() for line in reversed(said) if line.strip()), "")
        return PeerRun(run.tool, run.counts, run.wall, run.cpu, run.stopped, f"{why}; it said last: {last[:150]}")
    return run


def copy(prepared: Prepared, directory: Path) -> None:
    """Write a subject's tree down, with the tests left out that do not pass on the good tree."""
    for path, data in prepared.loaded.tree.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_bytes(data)
    unsound = {result.test_id for result in prepared.baseline.failing} | set(prepared.baseline.flaky)
    if unsound:
        with (directory / "conftest.py").open("a", encoding="utf-8") as file:
            file.write(DESELECT.format(unsound=unsound))
