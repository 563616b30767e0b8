"""``mendlab write-tests``, as it is used."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys

import pytest

from mendlab.corpora.taskset import TaskSet, write_taskset
from mendlab.mutators.choosing.rivals import rivals
from mendlab.verify.newtests.rivals import MOST_TRIED
from mendlab.verify.newtests.taskset import Writing, write_for_taskset

WRONG = """\
--- a/solution.py
+++ b/solution.py
@@ -1,2 +1,2 @@
 def top(items):
-    return min(items)
+    return 2 if items[1:] == [2] else items[0]
"""


@pytest.fixture(scope="module")
def said(mendlab, tasks):
    return mendlab("write-tests", tasks, "--out", tasks.parent / "tested", "--workers", 1, "--json")


@pytest.fixture(scope="module")
def tested(said, tasks):
    assert said.code == 0, said
    return tasks.parent / "tested"


@pytest.mark.slow
def test_every_task_has_aimed_tests_and_says_what_they_cover(said):
    told = said.json
    assert (told["tasks_in_all"], told["tasks_with_aimed_tests"]) == (2, 2)
    assert told["coverage"] == {
        "functions": 2,
        "lines": 2,
        "lines_reached": 2,
        "branches": 0,
        "branches_taken": 0,
    }
    assert told["aimed"] + told["rival"] + told["boundary"] + told["not_judged"] == sum(
        len(task["tests"]) for task in told["tasks"]
    )
    assert ("size([])", "0", "1") in [
        (test["call"], test["expected"], test["buggy"]) for test in told["tasks"][1]["tests"]
    ]


@pytest.mark.slow
def test_the_set_holds_and_its_files_run_by_themselves(mendlab, tested, tmp_path):
    assert mendlab("check", tested, "--runs", 2, "--workers", 1).code == 0
    (tmp_path / "solution.py").write_text("def top(items):\n    return max(items)\n")
    shutil.copy(tested / "new_tests" / "test_P_0.py", tmp_path)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True).returncode == 0


@pytest.mark.slow
def test_a_patch_that_knows_only_the_visible_tests_fails_the_held_out_ones(mendlab, tasks, tested, tmp_path):
    patches = tmp_path / "patches"
    patches.mkdir()
    (patches / "P__0.diff").write_text(WRONG)
    verdicts = {}
    for taskset in (tasks, tested):
        told = mendlab("verify", taskset, "--patches", patches, "--json").json
        verdicts[taskset.name] = {verdict["task"]: verdict["outcome"] for verdict in told["verdicts"]}["P/0"]
    assert verdicts["tested"] == "heldout_failed"
    assert verdicts["tasks"] == "divergent"


@pytest.mark.slow
def test_the_same_command_has_nothing_left_to_do_and_others_are_refused(mendlab, tasks, tested):
    again = mendlab("write-tests", tasks, "--out", tested)
    assert (again.code, again.err.splitlines()[-1]) == (
        0,
        f"{tested} was made by this very command before: nothing is left to do",
    )
    assert "something is there already" in mendlab("write-tests", tasks, "--out", tested, "--seed", 1).refusal()
    refused = mendlab("write-tests", tested).refusal()
    assert refused == f"{tested}: has new tests already (name the set that it was made from)"


@pytest.mark.slow
def test_it_goes_on_where_it_was_stopped(tasks, tested, tmp_path, bench):
    """Stopped after the first task, it leaves that one alone; the set that comes of it is the same to the byte."""
    out = tmp_path / "tested"
    taskset, seen = TaskSet.open(tasks), []
    config = TaskSet.open(tested).manifest.build
    assert config is not None
    for stops in (True, False):
        with contextlib.suppress(KeyboardInterrupt), Writing(out, config) as writing:

            def hear(stage, done, total, stops=stops):
                seen.append(done)
                if stops and done == 1:
                    raise KeyboardInterrupt

            made = write_for_taskset(
                taskset,
                bench,
                writing,
                per_task=12,
                seed=0,
                workers=1,
                progress=hear,
                rivals=lambda task, good, buggy: rivals(task, good, buggy, MOST_TRIED, 0),
            )
            about = taskset.manifest
            write_taskset(
                out,
                made.tasks,
                made.trees,
                name=about.name,
                provenance=about.provenance,
                build=config,
                beside=made.beside,
            )
            writing.finish()
    assert seen == [0, 1, 1, 2]
    for path in ("tasks.jsonl", "new_tests/tests.jsonl", "manifest.json"):
        assert (out / path).read_bytes() == (tested / path).read_bytes()


def test_a_set_that_is_none_is_refused(mendlab, tmp_path):
    assert "not a task set" in mendlab("write-tests", tmp_path).refusal()
    assert "does not exist" in mendlab("write-tests", tmp_path / "none").refusal()
