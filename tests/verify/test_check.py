"""A task set that is what it says holds; every way of making it untrue is found."""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from mendlab.corpora.diffs import make_diff
from mendlab.corpora.layout import canary
from mendlab.corpora.taskset import TaskSet
from mendlab.verify.check import check_taskset

GOOD = "def top(items):\n    return max(items)\n"
BUGGY = "def top(items):\n    return min(items)\n"
CHECKS = ["candidate([1, 2]) == 2", "candidate([3]) == 3"]


@pytest.fixture(scope="module")
def made(module_shapes):
    rows = [module_shapes.problem(f"C/{n}", GOOD + "\n" * n, CHECKS, BUGGY) for n in range(2)]
    candidates = module_shapes.candidates("humanevalpack", module_shapes.rows(rows))
    tasks = module_shapes.tasks(candidates)
    return module_shapes.taskset(tasks, candidates).path


@pytest.fixture
def folder(made, tmp_path):
    return shutil.copytree(made, tmp_path / "set")


def rewrite(folder, change):
    """Change the tasks and put the digests right again, as a careful forger would."""
    lines = [json.loads(line) for line in (folder / "tasks.jsonl").read_text().splitlines()]
    text = "".join(json.dumps(change(fields), separators=(",", ":")) + "\n" for fields in lines)
    (folder / "tasks.jsonl").write_text(text)
    manifest = json.loads((folder / "manifest.json").read_text())
    digest = hashlib.sha256(text.encode()).hexdigest()
    manifest["digests"]["tasks.jsonl"] = digest
    manifest["canary"] = canary(manifest["name"], digest)
    (folder / "manifest.json").write_text(json.dumps(manifest))


@pytest.fixture
def check(bench):
    def check(folder, runs=2):
        seen = []
        findings = check_taskset(
            TaskSet.open(folder, damaged=True),
            bench,
            runs=runs,
            workers=2,
            progress=lambda *report: seen.append(report),
        )
        assert seen or findings
        return [(finding.task, finding.what) for finding in findings]

    return check


def test_a_set_that_is_what_it_says_holds(check, folder):
    assert check(folder, runs=3) == []


def test_a_changed_task_is_told_by_its_digest(check, folder):
    path = folder / "tasks.jsonl"
    path.write_text(path.read_text().replace("has a bug", "has a pug"))
    assert [what for _, what in check(folder)] == ["tasks.jsonl: its digest is not the one in manifest.json"]


def test_a_changed_program_is_told_by_its_name(check, folder):
    blob = next((folder / "snapshots" / "blobs").rglob("*"))
    blob = blob if blob.is_file() else next(path for path in blob.rglob("*") if path.is_file())
    blob.write_bytes(blob.read_bytes() + b"\n")
    assert any("snapshot" in what for _, what in check(folder))


def test_a_stranger_and_a_loss_are_found(check, folder):
    (folder / "notes.txt").write_text("hello")
    next((folder / "snapshots" / "trees").iterdir()).unlink()
    found = [what for _, what in check(folder)]
    assert "notes.txt: not in manifest.json" in found
    assert any(what.endswith(": missing") for what in found)


def test_a_bug_that_is_none_is_found(check, folder):
    taskset = TaskSet.open(folder)
    same = taskset.good_tree(taskset.tasks[0]).replace(
        {"solution.py": b"def top(items):\n    return sorted(items)[-1]\n"}
    )

    def change(fields):
        good = taskset.good_tree(taskset.task(fields["id"]))
        if fields["id"] == "C/0":
            fields["defect"]["diff"], fields["reference"] = make_diff(good, same), make_diff(same, good)
        return fields

    rewrite(folder, change)
    (test,) = taskset.task("C/0").fail_to_pass
    assert check(folder) == [("C/0", f"run {run}: the buggy program passes {test}") for run in (1, 2)]


def test_a_buggy_tree_that_is_the_good_one_is_found(check, folder):
    rewrite(folder, lambda fields: {**fields, "defect": {**fields["defect"], "diff": ""}, "reference": ""})
    assert "C/1: the buggy tree is the good one" in [what for _, what in check(folder)]


def test_tests_in_the_wrong_list_are_found(check, folder):
    def swap(fields):
        fields["fail_to_pass"], fields["pass_to_pass"] = fields["pass_to_pass"], fields["fail_to_pass"]
        return fields

    told, still = TaskSet.open(folder).tasks[0].fail_to_pass[0], TaskSet.open(folder).tasks[0].pass_to_pass[0]
    rewrite(folder, swap)
    found = check(folder, runs=1)
    assert ("C/0", f"run 1: the buggy program passes {still}") in found
    assert ("C/0", f"run 1: the buggy program does not pass {told}: failed") in found


def test_a_reference_that_fails_is_found(check, folder):
    def weaken(fields):
        for group in fields["harness"]["groups"]:
            for step in group["steps"]:
                step["code"] = step["code"].replace("== 3", "== 4")
        return fields

    rewrite(folder, weaken)
    assert any("the reference does not pass" in what for _, what in check(folder, runs=1))


def test_doing_nothing_must_not_pass(check, folder):
    rewrite(folder, lambda fields: {**fields, "fail_to_pass": [], "before": {}})
    assert ("C/0: no test tells the buggy tree from the good one") in [what for _, what in check(folder)]


def test_a_test_that_there_is_not_is_found(check, folder):
    rewrite(folder, lambda fields: {**fields, "pass_to_pass": [*fields["pass_to_pass"], "no_such_test"]})
    assert ("C/0", "run 1: there is no test no_such_test") in check(folder, runs=1)


def test_a_gate_that_there_is_not_is_found(check, shapes):
    folder = shapes.project(
        {
            "sum/prompt.md": "Mend the sum.\n",
            "sum/repo/solution.py": BUGGY,
            "sum/solution/solution.py": GOOD,
            "sum/verify.sh": "python3 -c 'from solution import top; assert top([1, 2]) == 2'\n",
        },
        "gates",
    )
    candidates = shapes.candidates("taskdirs", folder)
    (task,) = shapes.tasks(candidates)
    forged = task.model_copy(update={"pass_to_pass": ("no_such_gate",)})
    taskset = shapes.taskset([forged], candidates)
    assert check(taskset.path, runs=1) == [("sum", "run 1: there is no test no_such_gate")]


def test_a_machine_that_cannot_run_it_is_a_finding_for_each_task(made, bench):
    gone = replace(bench, interpreter=replace(bench.interpreter, executable=Path("/usr/bin/false")))
    findings = check_taskset(TaskSet.open(made), gone, runs=1, workers=1, progress=lambda *_: None)
    assert [finding.task for finding in findings] == ["C/0", "C/1"]
    assert all(finding.what.startswith("cannot be run: ") for finding in findings)
