"""The demo runs the whole lab and ends with a table and a page."""

from __future__ import annotations

import json
import re

import pytest

from mendlab.corpora.taskset import TaskSet
from mendlab.reports.packing import unpack

pytestmark = pytest.mark.slow


def test_the_demo(mendlab, tmp_path):
    out = tmp_path / "demo"
    said = mendlab("demo", "--tasks", 6, "--out", out, timeout=600)
    assert said.code == 0, said
    assert said.out.splitlines()[-1] == f"report: {out / 'report.html'}"
    for word in ("noop, baseline", "reference, baseline", "search mended "):
        assert word in said.out
    for stage in ("functions mutated", "clean runs", "candidates tried", "search: attempts judged"):
        assert stage in said.err
    taskset = TaskSet.open(out / "tasks")
    assert len(taskset.tasks) == 6
    kinds = {task.harness.kind for task in taskset.tasks}
    assert kinds == {"function", "pytest"}
    assert outcomes(out / "runs" / "noop") == ["no_patch"] * 6
    assert outcomes(out / "runs" / "reference") == ["exact"] * 6
    assert len(outcomes(out / "runs" / "search")) == 6
    assert "infra_error" not in outcomes(out / "runs" / "search")
    page = (out / "report.html").read_text()
    rows = unpack(re.search('id="task-index">([^<]*)', page).group(1))
    assert [row["id"] for row in rows] == [task.id for task in taskset.tasks]
    assert "http://" not in page.replace("http://www.w3.org/", "")
    again = mendlab("demo", "--tasks", 2, "--out", out, "--json", timeout=600)
    assert again.code == 0
    assert again.json["report"] == str(out / "report.html")
    assert len(TaskSet.open(out / "tasks").tasks) == 2


def outcomes(run):
    return [json.loads(line)["outcome"] for line in (run / "verdicts.jsonl").read_text().splitlines()]
