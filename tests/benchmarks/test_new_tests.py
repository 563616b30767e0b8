"""The script on a small set, as it is run by hand."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from mendlab.corpora.taskset import write_taskset
from mendlab.records import BuildConfig, Provenance
from mendlab.verify.newtests.taskset import Writing, write_for_taskset

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "new_tests.py"
GOOD = "def clamp(n):\n    if n < 0:\n        return 0\n    return n if n < 100 else 100\n"


@pytest.mark.slow
def test_it_counts_the_wrong_patches_that_new_tests_catch(shapes, bench, tmp_path):
    checks = ["candidate(-5) == 0", "candidate(50) == 50", "candidate(500) == 100"]
    rows = [shapes.problem("P/0", GOOD, checks, GOOD.replace("n < 0", "n < 300"))]
    candidates = shapes.candidates("humanevalpack", shapes.rows(rows))
    taskset = shapes.taskset(shapes.tasks(candidates), candidates)
    config = BuildConfig(command="write-tests", parameters={"seed": 0}, tools={})
    out = tmp_path / "tested"
    with Writing(out, config) as writing:
        made = write_for_taskset(
            taskset, bench, writing, per_task=12, seed=0, workers=1, progress=lambda stage, done, total: None
        )
        source = Provenance(source="written for these tests")
        write_taskset(out, made.tasks, made.trees, name="t", provenance=source, build=config, beside=made.beside)
        writing.finish()
    command = [sys.executable, SCRIPT, out, "--mutants", "80", "--json", tmp_path / "found.json"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "found.json").read_text())
    assert f"{len(found)} of these are wrong: {sum(each['by_new'] for each in found)} fail new tests" in done.stdout
    assert any(each["by_new"] for each in found), done.stdout
