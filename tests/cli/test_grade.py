"""``mendlab grade``, and ``inject --difficulty``."""

from __future__ import annotations

import json

import pytest

from mendlab.corpora.taskset import TaskSet


def test_a_set_is_graded_and_the_report_has_the_grades(mendlab, tasks, reference_run, tmp_path):
    run = tmp_path / "search"
    assert mendlab("repair", tasks, "--strategy", "search", "--option", "candidates=40", "--out", run).code == 0
    said = mendlab("grade", tasks)
    assert said.code == 0
    assert said.out.splitlines()[-1] == f"grades: {tasks / 'grades.json'}"
    assert "no run says whether solvers agree" in said.err
    assert mendlab("check", tasks).code == 0
    groups = mendlab("report", run, "--json").json["runs"][0]["groups"]
    assert sum(one["correct"]["tasks"] for one in groups["difficulty"]) == len(TaskSet.open(tasks).tasks)
    found = mendlab("grade", tasks, "--runs", run, "--json").json
    assert (found["method"], sum(found["counts"].values())) == ("calibrated", 2)
    refused = mendlab("grade", tasks, "--runs", reference_run).refusal()
    assert "none of the runs says what a solver can mend" in refused
    (tasks / "grades.json").unlink()


def test_grades_of_another_state_are_not_believed(mendlab, tasks, reference_run):
    assert mendlab("grade", tasks).code == 0
    file = tasks / "grades.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "taskset_digest": "0" * 64}))
    refused = mendlab("report", reference_run, "--taskset", tasks).refusal()
    file.unlink()
    assert "these grades are of another state of the task set" in refused
    assert "mendlab grade" in refused


@pytest.mark.slow
def test_a_mix_is_injected(mendlab, tmp_path):
    said = mendlab(
        "inject", "bundled:stockroom", "--out", tmp_path / "mix", "--difficulty", "easy:2,medium:1", "--json"
    )
    assert said.code == 0
    assert said.json["difficulty"] == {"easy": 2, "medium": 1}
    made = TaskSet.open(tmp_path / "mix")
    assert sorted(task.difficulty.grade for task in made.tasks) == ["easy", "easy", "medium"]
    graded = mendlab("grade", tmp_path / "mix", "--json").json
    assert graded["counts"] == {"easy": 2, "medium": 1, "hard": 0}
    again = mendlab("inject", "bundled:stockroom", "--out", tmp_path / "mix", "--difficulty", "easy:2,medium:1")
    assert "nothing is left to do" in again.err


def test_a_mix_without_a_number_is_refused(mendlab, tmp_path):
    refused = mendlab("inject", "humaneval", "--out", tmp_path / "x", "--difficulty", "hard").refusal()
    assert "how many hard tasks are wanted is not said (add --limit, or give hard:50)" in refused
