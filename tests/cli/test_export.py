"""What ``mendlab export`` writes is what others read, and comes back as the set that it was made from."""

from __future__ import annotations

import csv
import json
import subprocess
from pathlib import Path

import pytest
from junitparser import JUnitXml

from mendlab.corpora.exporters.huggingface import read_back
from mendlab.corpora.taskset import TaskSet
from mendlab.repair.predictions import read_predictions

FILES = {
    "size.py": "def size(items):\n    count = 0\n    for _ in items:\n        count += 1\n    return count\n",
    "test_size.py": "from size import size\n\n\ndef test_some():\n    assert size([1, 2]) == 2\n\n\n"
    "def test_none():\n    assert size([]) == 0\n",
}


@pytest.fixture(scope="module")
def project(module_shapes):
    return module_shapes.project(FILES)


@pytest.fixture(scope="module")
def injected(mendlab, project):
    out = project.parent / "injected"
    said = mendlab("inject", project, "--limit", 3, "--out", out)
    assert said.code == 0, said
    return out


def test_humanevalpack_comes_back_from_import_as_the_same_set(mendlab, tasks, tmp_path):
    out = tmp_path / "again.jsonl"
    said = mendlab("export", "humanevalpack", tasks, "--out", out, "--json")
    assert said.json == {"export": str(out), "format": "humanevalpack", "written": 2, "left_out": [], "lost": {}}
    assert mendlab("import", "humanevalpack", out, "--out", tmp_path / "set").code == 0
    assert TaskSet.open(tmp_path / "set").tasks == TaskSet.open(tasks).tasks


def test_what_cannot_be_written_is_named_and_counted(mendlab, injected, tmp_path):
    refusal = mendlab("export", "humanevalpack", injected, "--out", tmp_path / "x").refusal()
    assert "pytest harness" in refusal
    assert "docs/exports.md" in refusal


def test_swebench_has_its_own_repositories_without_the_fix_in_them(mendlab, injected, tmp_path):
    out = tmp_path / "swe"
    said = mendlab("export", "swebench", injected, "--out", out, "--json").json
    assert said["written"] == 3
    rows = [json.loads(line) for line in (out / "instances.jsonl").read_text().splitlines()]
    (repository,) = (out / "repos").iterdir()
    log = subprocess.run(
        ["git", "-C", repository, "log", "--all", "--format=%H %P."], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert {line.split(" ")[0] for line in log} == {row["base_commit"] for row in rows}
    assert all(line.endswith(" .") for line in log)  # no parents
    assert rows[0]["repo"].replace("/", "__") == repository.name
    again = mendlab(
        "import", "swebench", out / "instances.jsonl", "--option", f"repo={out / 'repos'}", "--out", out / "set"
    )
    assert again.code == 0, again
    old, new = TaskSet.open(injected), TaskSet.open(out / "set")
    key = lambda task: (task.snapshot, task.defect.diff, task.reference, task.fail_to_pass, task.pass_to_pass)  # noqa: E731
    assert sorted(map(key, new.tasks)) == sorted(map(key, old.tasks))


def test_a_hugging_face_data_set_has_everything(mendlab, injected, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    out = tmp_path / "dataset"
    assert mendlab("export", "huggingface", injected, "--out", out).code == 0
    rows = parquet.read_table(out / "tasks" / "test-00000-of-00001.parquet").to_pylist()
    taskset = TaskSet.open(injected)
    assert [row["id"] for row in rows] == [task.id for task in taskset.tasks]
    assert rows[0]["fail_to_pass"] == list(taskset.tasks[0].fail_to_pass)
    assert taskset.manifest.canary in (out / "README.md").read_text()
    described = json.loads((out / "croissant.json").read_text())
    assert [each["@id"] for each in described["recordSet"]] == ["tasks", "trees", "blobs"]
    assert read_back(out, tmp_path / taskset.manifest.name).digest == taskset.digest


def test_a_run_as_junit_csv_and_predictions(mendlab, tasks, reference_run, tmp_path):
    noop = tmp_path / "noop"
    assert mendlab("repair", tasks, "--strategy", "noop", "--out", noop).code == 0
    for run, failures in ((reference_run, 0), (noop, 2)):
        assert mendlab("export", "junit", run, "--out", tmp_path / "junit.xml").code == 0
        (suite,) = JUnitXml.fromfile(str(tmp_path / "junit.xml"))
        assert (suite.tests, suite.failures, suite.errors) == (2, failures, 0)
        assert [case.name for case in suite] == ["P/0", "P/1"]
        assert mendlab("export", "csv", run, "--out", tmp_path / "run.csv").code == 0
        rows = list(csv.DictReader((tmp_path / "run.csv").open()))
        assert [row["correct"] for row in rows] == [str(not failures)] * 2
        assert rows[0]["cost_usd"] == ""
    out = tmp_path / "predictions.jsonl"
    assert mendlab("export", "predictions", reference_run, "--out", out).code == 0
    found = read_predictions(out)
    assert found.unknown(["P/0", "P/1"]) == ()
    said = mendlab("verify", tasks, "--patches", out, "--json").json
    assert [verdict["outcome"] for verdict in said["verdicts"]] == ["exact", "exact"]
    assert "no patch" in mendlab("export", "predictions", noop, "--out", out).refusal()


def test_scores_as_mutation_testing_elements(mendlab, project, tmp_path):
    scores, out = tmp_path / "scores", tmp_path / "mutation.json"
    assert mendlab("score", project, "--sample", 8, "--out", scores).code == 0
    assert mendlab("export", "mutation-elements", scores, "--option", f"subject={project}", "--out", out).code == 0
    report = json.loads(out.read_text())
    (file,) = report["files"].values()
    assert file["source"] == FILES["size.py"]
    assert len(file["mutants"]) == 8
    known = {test["id"] for each in report["testFiles"].values() for test in each["tests"]}
    lines = file["source"].split("\n")
    for mutant in file["mutants"]:
        assert set(mutant.get("killedBy", ())) <= known
        start, end = mutant["location"]["start"], mutant["location"]["end"]
        before = "\n".join([*lines[: start["line"] - 1], lines[start["line"] - 1][: start["column"] - 1]])
        after = "\n".join([lines[end["line"] - 1][end["column"] - 1 :], *lines[end["line"] :]])
        compile(before + mutant["replacement"] + after, "mutant", "exec")
    assert "subject=" in mendlab("export", "mutation-elements", scores, "--out", out).refusal()
    (project / "size.py").write_text("def size(items):\n    return len(items)\n")
    changed = mendlab("export", "mutation-elements", scores, "--option", f"subject={project}", "--out", out).refusal()
    assert "changed since" in changed


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["humanevalpak", "."], "humanevalpack"),
        (["humanevalpack", "."], "no manifest.json"),
        (["junit", "."], "no run.json"),
        (["mutation-elements", ".", "--option", "subject=x"], "no verdicts"),
        (["csv", ".", "--option", "a=b"], "no option 'a'"),
    ],
)
def test_bad_input_is_one_line(mendlab, tmp_path, arguments, said):
    assert said in mendlab("export", *arguments, "--out", tmp_path / "out", cwd=tmp_path).refusal()


def test_a_missing_package_is_named_with_the_way_to_install_it(mendlab, tasks, tmp_path):
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.util as u\nreal = u.find_spec\n"
        "u.find_spec = lambda name, *more: None if name == 'pyarrow' else real(name, *more)\n"
    )
    said = mendlab("export", "huggingface", tasks, "--out", tmp_path / "x", env={"PYTHONPATH": str(tmp_path)})
    assert "pip install 'mendlab[exports]'" in said.refusal()
    assert not Path(tmp_path / "x").exists()
