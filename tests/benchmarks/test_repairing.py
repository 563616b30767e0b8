"""The script on a small set, as it is run by hand."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "repairing.py"
GOOD = "def clamp(n):\n    if n < 0:\n        return 0\n    return n if n < 100 else 100\n"
CHECKS = [
    "candidate(-5) == 0",
    "candidate(50) == 50",
    "candidate(500) == 100",
    "candidate(0) == 0",
    "candidate(7) == 7",
]


def test_what_is_held_out_is_the_family_its_inverses_and_in_strict_its_templates():
    from repaired.held_out import TEMPLATES, left_out

    from mendlab.mutators import families, operators
    from mendlab.repair.searching.template import templates

    assert {name for names in TEMPLATES.values() for name in names} <= {each.name for each in templates()}
    assert set(TEMPLATES) <= set(families()) or {name.replace("_", "-") for name in TEMPLATES} <= set(families())
    op = next(each for each in operators() if each.inverse is not None and each.inverse != each.name)
    task = type("Task", (), {"defect": type("Defect", (), {"operator": op.name, "family": op.family})()})()
    names = left_out(task, with_templates=False).split(",")
    assert names[0] == op.family and op.inverse in names
    assert set(names) <= set(left_out(task, with_templates=True).split(","))


@pytest.mark.slow
def test_it_tells_shares_and_why_what_is_not_mended_is_not(shapes, tmp_path):
    rows = [
        shapes.problem("P/0", GOOD, CHECKS, GOOD.replace("n < 0", "n > 0")),
        shapes.problem(
            "P/1", GOOD, CHECKS, "def clamp(n):\n    return [n, n * 2, n - 1, 'x'][int(str(n)[0:1] or 1)]\n"
        ),
    ]
    candidates = shapes.candidates("humanevalpack", shapes.rows(rows))
    taskset = shapes.taskset(shapes.tasks(candidates), candidates)
    command = [sys.executable, SCRIPT, taskset.path, "--json", tmp_path / "found.json"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (found,) = json.loads((tmp_path / "found.json").read_text()).values()
    assert [each["outcome"] in ("exact", "equivalent") for each in found] == [True, False]
    assert "correct    50.0% (1/2)" in done.stdout
    assert "the reference is no candidate" in done.stdout
