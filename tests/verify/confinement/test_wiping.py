"""What is left of a run goes; what is mounted below the temporary folder, as an interpreter may be, stays."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.records import Limits, ScriptHarness, TestOutcome
from mendlab.verify.confinement.interpreter import Interpreter, probe
from mendlab.verify.confinement.sandbox import choose_level
from mendlab.verify.engines.engine import RunOptions
from mendlab.verify.engines.script_engine import ScriptEngine

SCRIPT = """
test -z "$(ls -A /tmp | grep -v -e mendlab-tests -e run)" || exit 1
test "$(ls -A /tmp/mendlab-tests-*)" = inner || exit 2
mkdir -p /tmp/left/behind
touch /tmp/left/behind/file
for folder in /tmp/mendlab-tests-* /tmp/mendlab-tests-*/inner; do touch $folder/file; done
"""


@pytest.fixture
def below() -> Iterator[Interpreter]:
    """An interpreter below /tmp."""
    with tempfile.TemporaryDirectory(prefix="mendlab-tests-", dir="/tmp") as folder:
        place = Path(folder, "inner", "environment")
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place)], check=True)
        yield probe(place / "bin" / "python", choose_level(allow_unconfined=False))


def test_one_process_serves_many_runs_of_an_interpreter_below_tmp(below: Interpreter) -> None:
    level, tree = choose_level(allow_unconfined=False), FileTree({"a.txt": b""})
    engine = ScriptEngine(
        tree, ScriptHarness(scripts={"gate": SCRIPT}), limits=Limits(), level=level, interpreter=below
    )
    with closing(engine):
        servers = []
        for _ in range(3):
            run = engine.run({}, RunOptions())
            assert [result.outcome for result in run.results] == [TestOutcome.PASSED], run
            servers.append(engine._warm._server)
    assert servers[0] is not None
    assert servers[1:] == servers[:1] * 2
