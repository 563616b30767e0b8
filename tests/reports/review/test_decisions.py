from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from mendlab.errors import InputError
from mendlab.reports.review.decisions import REVIEWS_FILE, Decisions, last_standing, standing


def stands(decisions):
    return {key: (review.decision, review.note) for key, review in standing(decisions.read()).items()}


def test_the_last_decision_stands_and_all_are_kept(tmp_path):
    decisions = Decisions(tmp_path)
    decisions.decide("Ann", ("t", 0), "accept", "")
    decisions.decide("Bob", ("t", 0), "reject", "no")
    decisions.decide("Ann", ("t", 0), "unsure", "hm")
    assert stands(decisions) == {("Ann", "t", 0): ("unsure", "hm"), ("Bob", "t", 0): ("reject", "no")}
    assert [review.decision for review in decisions.read()] == ["accept", "reject", "unsure"]
    assert all(review.at.endswith("+00:00") for review in decisions.read())


def test_saying_it_twice_changes_nothing(tmp_path):
    decisions = Decisions(tmp_path)
    for _ in range(2):
        decisions.decide("Ann", ("t", 0), "accept", "n")
    assert len(decisions.read()) == 1


def test_undo_takes_back_ones_own_decisions_one_by_one(tmp_path):
    decisions = Decisions(tmp_path)
    decisions.decide("Ann", ("t", 0), "accept", "")
    decisions.decide("Ann", ("u", 0), "accept", "")
    decisions.decide("Ann", ("t", 0), "reject", "")
    decisions.decide("Bob", ("v", 0), "accept", "")
    assert decisions.undo("Ann") == ("t", 0)
    assert stands(decisions)["Ann", "t", 0] == ("accept", "")
    assert last_standing(decisions.read(), "Ann").task_id == "u"
    assert [decisions.undo("Ann") for _ in range(3)] == [("u", 0), ("t", 0), None]
    assert stands(decisions) == {("Bob", "v", 0): ("accept", "")}


def test_a_line_torn_by_a_kill_counts_as_not_written(tmp_path):
    decisions = Decisions(tmp_path)
    decisions.decide("Ann", ("t", 0), "accept", "")
    with (tmp_path / REVIEWS_FILE).open("ab") as file:
        file.write(b'{"schema_version":1,"task_id":"u"')
    assert len(decisions.read()) == 1
    decisions.decide("Ann", ("u", 0), "reject", "")
    assert [review.task_id for review in decisions.read()] == ["t", "u"]


def test_reviewers_may_work_at_once(tmp_path):
    with ThreadPoolExecutor(4) as pool:
        for worker in range(4):
            own = Decisions(tmp_path)
            for task in range(10):
                pool.submit(own.decide, f"reviewer {worker}", (str(task), 0), "accept", "")
    assert len(stands(Decisions(tmp_path))) == 40


def test_decisions_never_leave_the_run(tmp_path):
    (tmp_path / "run").mkdir()
    os.symlink(tmp_path / "elsewhere", tmp_path / "run" / REVIEWS_FILE)
    with pytest.raises(InputError, match="is a link"):
        Decisions(tmp_path / "run")
    assert not (tmp_path / "elsewhere").exists()
