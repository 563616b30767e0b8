"""``mendlab contamination``, and the scores that ``mendlab report`` then gives apart."""

from __future__ import annotations

import json
import os
import shutil
import threading
from pathlib import Path

import pytest

from mendlab.corpora.contamination.texts import task_texts
from mendlab.corpora.taskset import TaskSet

PROGRAM = """def running(numbers, limit):
    total, seen = 0, []
    for position, number in enumerate(numbers):
        total = total + number * (position + 1)
        if total > limit:
            raise ValueError("the sum of the weighted numbers is above the limit that was given")
        seen.append(total)
    return seen
"""


@pytest.fixture(scope="module")
def weighted(mendlab, module_shapes):
    """Two tasks, one of which is long enough to be recognised."""
    one = "def one(x):\n    return x\n"
    rows = [
        module_shapes.problem("W/0", PROGRAM, ["candidate([1, 2], 9) == [1, 5]"], PROGRAM.replace(" + 1)", ")")),
        module_shapes.problem("W/1", one, ["candidate(2) == 2"], one.replace("return x", "return 1")),
    ]
    out = module_shapes.folder / "weighted"
    said = mendlab("import", "humanevalpack", module_shapes.rows(rows), "--out", out)
    assert said.code == 0, said
    return out


def test_a_set_is_compared_and_reports_give_scores_apart(mendlab, weighted, tmp_path):
    tasks, run = tmp_path / "tasks", tmp_path / "run"
    shutil.copytree(weighted, tasks)
    assert mendlab("repair", tasks, "--strategy", "reference", "--out", run).code == 0
    assert mendlab("report", run, "--json").json["contamination"] is None
    taskset = TaskSet.open(tasks)
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "page.html").write_text(f"<p>{task_texts(taskset, taskset.tasks[0])[1]}</p>")
    said = mendlab("contamination", tasks, "--against", corpus, "--cutoff", "2024-06", "--json")
    assert said.code == 0, said
    assert {(mark["task"], mark["mark"]["method"]) for mark in said.json["marks"]} == {
        ("W/0", "13-gram"), ("W/0", "50-character"),
    }  # fmt: skip
    assert {check["method"] for check in said.json["checks"]} == {
        "13-gram", "50-character", "canary", "near-duplicate", "fix-date",
    }  # fmt: skip
    assert " bytes of text in " in said.err
    assert "MB" not in said.err
    shown = mendlab("contamination", tasks)
    assert "1 of 2 tasks are marked" in shown.out
    assert max(map(len, shown.out.splitlines())) <= 80 or str(tmp_path) in shown.out
    assert mendlab("check", tasks, "--runs", 1).code == 0  # digests stay true
    apart = mendlab("report", run, "--json").json["contamination"]
    assert (apart["tasks"], apart["marked"], apart["by_method"]["13-gram"]) == (2, 1, 1)
    assert (apart["runs"][0]["clean"]["value"], apart["runs"][0]["marked"]["value"]) == (1.0, 1.0)
    assert apart["runs"][0]["marked"]["tasks"] == 1
    assert "1 of 2 tasks may have been seen" in mendlab("report", run).out


def test_a_set_that_was_published_is_found_by_its_canary(mendlab, weighted, tmp_path):
    out = tmp_path / "found.json"
    said = mendlab("contamination", weighted, "--against", weighted, "--out", out, "--json").json
    assert {mark["task"] for mark in said["marks"] if mark["mark"]["method"] == "canary"} == {"W/0", "W/1"}
    assert json.loads(out.read_text())["taskset_digest"] == TaskSet.open(weighted).digest
    assert not (weighted / "contamination.json").exists()


def test_earlier_checks_stay_whatever_the_file_is_called_and_no_other_file_is_overwritten(mendlab, weighted, tmp_path):
    out, other = tmp_path / "found", tmp_path / "notes.txt"
    assert mendlab("contamination", weighted, "--cutoff", "2024-06", "--out", out).code == 0
    said = mendlab("contamination", weighted, "--cutoff", "2024-07", "--out", out, "--json").json
    assert [check["corpus"] for check in said["checks"]] == ["cutoff 2024-06-30", "cutoff 2024-07-31"]
    other.write_text("what took me a day\n")
    assert "is not overwritten" in mendlab("contamination", weighted, "--cutoff", "2024-06", "--out", other).refusal()
    assert other.read_text() == "what took me a day\n"
    assert (
        "no regular file" in mendlab("contamination", weighted, "--cutoff", "2024-06", "--out", "/dev/null").refusal()
    )


def test_a_pipe_is_a_corpus_and_a_device_is_none(mendlab, weighted, tmp_path):
    pipe, out = tmp_path / "pipe", tmp_path / "found.json"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(PROGRAM,))
    writer.start()
    said = mendlab("contamination", weighted, "--against", pipe, "--out", out, "--json").json
    writer.join()
    assert {mark["task"] for mark in said["marks"]} == {"W/0"}
    assert "device" in mendlab("contamination", weighted, "--against", "/dev/zero").refusal()


def test_names_that_are_not_utf_8_are_written_with_escapes(mendlab, weighted, tmp_path):
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/p\xe9le"))
    shutil.copytree(weighted, folder / "tasks")
    (folder / "page.txt").write_text(PROGRAM)
    said = mendlab("contamination", folder / "tasks", "--against", folder, "--between", folder / "tasks", "--json")
    assert said.code == 0, said
    assert said.json["file"] == f"{tmp_path}/p\\xe9le/tasks/contamination.json"
    assert f"{tmp_path}/p\\xe9le/page.txt" in {mark["place"] for mark in said.json["marks"]}
    assert "p\\xe9le" in mendlab("contamination", folder / "tasks").out


def test_near_duplicates_of_another_set(mendlab, weighted, tmp_path):
    said = mendlab("contamination", weighted, "--between", weighted, "--out", tmp_path / "found.json", "--json").json
    assert [(mark["task"], mark["mark"]["strength"]) for mark in said["marks"]] == [("W/0", 1.0)]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "nothing to compare with"),
        (["--cutoff", "soon"], "2024-06-30"),
        (["--model", "nobody:x"], "names no model"),
    ],
)
def test_bad_input_is_one_line(mendlab, weighted, arguments, said):
    assert said in mendlab("contamination", weighted, *arguments).refusal()
