"""``mendlab disguise``, whole."""

from __future__ import annotations

from mendlab.corpora.taskset import TaskSet

LONGEST = (
    "def longest(rows):\n    best = 0\n    for row in rows:\n        best = max(best, len(row))\n    return best\n"
)
CHECKS = ["candidate(['ab', 'c']) == 2", "candidate([]) == 0", "candidate(['abc']) == 3"]


def test_a_set_in_other_words_checks_and_is_mended_by_its_reference(mendlab, shapes, tmp_path):
    rows = shapes.rows([shapes.problem("D/0", LONGEST, CHECKS, LONGEST.replace("max(best", "min(best"))])
    tasks, out, run = tmp_path / "tasks", tmp_path / "other", tmp_path / "run"
    assert mendlab("import", "humanevalpack", rows, "--out", tasks).code == 0
    said = mendlab("disguise", tasks, "--out", out, "--json")
    assert said.code == 0, said
    assert (said.json["tasks"], said.json["refused"]) == (1, [])
    assert mendlab("check", out, "--runs", 1).code == 0
    taskset = TaskSet.open(out)
    assert [task.id for task in taskset.tasks] == ["D/0~disguised"]
    assert b"best" not in taskset.good_tree(taskset.tasks[0])["solution.py"]
    again = mendlab("disguise", tasks, "--out", out)
    assert "nothing is left to do" in again.err
    assert (
        mendlab("repair", out, "--strategy", "reference", "--out", run, "--json").json["runs"][0]["tasks_correct"] == 1
    )
    assert "is there already" in mendlab("disguise", tasks, "--out", out, "--seed", 9).refusal()
