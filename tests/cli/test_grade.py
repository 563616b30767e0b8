"""``mendlab grade``, and ``inject --difficulty``."""

from __future__ import annotations

import json

import pytest

from mendlab.corpora.taskset import TaskSet

SHAPES = """\
def area(width, height):
    if width < 0 or height < 0:
        raise ValueError("negative")
    return width * height


def total(shapes):
    found = 0
    for width, height in shapes:
        if width and height:
            found += area(width, height)
    return found


assert area(2, 3) == 6
assert total([(2, 3), (1, 1)]) == 7
assert total([]) == 0
assert total([(0, 5), (2, 2)]) == 4
assert total([(1, 1), (1, 1), (3, 2)]) == 8
"""


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


def test_what_is_no_grades_is_not_written_over(mendlab, tasks):
    file = tasks / "grades.json"
    file.write_text('{"by": "hand"}')
    refused = mendlab("grade", tasks).refusal()
    assert f"{file}: these are no grades, and are not written over (move it away to keep it" in refused
    assert file.read_text() == '{"by": "hand"}'
    file.unlink()


@pytest.mark.parametrize("count", ["99999999999", "9" * 5000])
def test_a_mix_of_more_than_can_be_made_is_refused_at_once(mendlab, tmp_path, count):
    refused = mendlab("inject", "humaneval", "--out", tmp_path / "x", "--difficulty", f"hard:{count}").refusal()
    assert "ask for 1,000,000 at most" in refused
    assert len(refused) < 300


@pytest.mark.slow
def test_a_mix_is_injected(mendlab, tmp_path):
    (tmp_path / "shapes.py").write_text(SHAPES)
    words = ("inject", tmp_path / "shapes.py", "--out", tmp_path / "mix", "--difficulty", "easy:2,hard:1", "--seed", 2)
    said = mendlab(*words, "--json")
    assert said.code == 0
    assert said.json["difficulty"] == {"easy": 2, "hard": 1}
    made = TaskSet.open(tmp_path / "mix")
    assert sorted(task.difficulty.grade for task in made.tasks) == ["easy", "easy", "hard"]
    assert mendlab("grade", tmp_path / "mix", "--json").json["counts"] == {"easy": 2, "medium": 0, "hard": 1}
    assert "nothing is left to do" in mendlab(*words).err


def test_a_mix_without_a_number_is_refused(mendlab, tmp_path):
    refused = mendlab("inject", "humaneval", "--out", tmp_path / "x", "--difficulty", "hard").refusal()
    assert "how many hard tasks are wanted is not said (add --limit, or give hard:50)" in refused
