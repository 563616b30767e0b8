"""Published bugs become tasks where their tests hold them up, and are refused with the reason where they do not."""

from __future__ import annotations

import pytest

from mendlab.records import TestOutcome
from mendlab.verify.intake import take_in

GOOD = "def top(items):\n    return max(items)\n"
BUGGY = "def top(items):\n    return min(items)\n"
CHECKS = ["candidate([1, 2]) == 2", "candidate([3]) == 3"]


@pytest.fixture
def take(shapes):
    def take(format, path, workers=1, **options):
        with shapes.building() as building:
            taken = take_in(
                shapes.candidates(format, path),
                shapes.bench,
                building,
                workers=workers,
                progress=lambda *_: None,
                **options,
            )
            building.finish()
        return taken

    return take


def test_pairs_that_hold_and_pairs_that_do_not_stand_side_by_side(shapes, take):
    rows = [
        shapes.problem("P/holds", GOOD, CHECKS, BUGGY),
        shapes.problem("P/reference_fails", GOOD, [*CHECKS, "candidate([1]) == 7"], BUGGY),
        shapes.problem("P/survives", GOOD, ["candidate([3]) == 3"], BUGGY),
        shapes.problem("P/same_code", GOOD, CHECKS, GOOD.replace("max(items)", "max((items))")),
        shapes.problem("P/no_test_passes", GOOD, ["candidate([3]) == 4"], BUGGY),
    ]
    taken = take("humanevalpack", shapes.rows(rows), workers=2)
    held = {task.id: task for task in taken.tasks}
    assert set(held) == {"P/holds"}
    assert len(held["P/holds"].fail_to_pass) == 1
    assert len(held["P/holds"].pass_to_pass) == 1
    assert not held["P/holds"].held_out
    reasons = {refusal.id: refusal.reason for refusal in taken.refused}
    assert set(reasons) == {"P/reference_fails", "P/survives", "P/same_code", "P/no_test_passes"}
    assert reasons["P/reference_fails"].startswith("the reference does not hold: 1 of its tests do not pass every time")
    assert reasons["P/no_test_passes"].startswith("the reference does not hold: its own tests do not pass: ")
    assert reasons["P/survives"] == "the tests do not tell the buggy program from the reference: survived"
    assert reasons["P/same_code"] == "the buggy program is no candidate: equal code"


def test_some_tests_are_held_out_where_that_is_asked_for(shapes, take):
    checks = ["candidate([1, 2]) == 2", "candidate([3, 4, 1]) == 4", *(f"candidate([{n}]) == {n}" for n in range(3))]
    rows = shapes.rows([shapes.problem("P/0", GOOD, checks, BUGGY)])
    (task,) = take("humanevalpack", rows, hold_out=3).tasks
    held = set(task.held_out)
    assert len(held) == 2
    assert len(held & set(task.fail_to_pass)) == 1
    assert len(held & set(task.pass_to_pass)) == 1


@pytest.mark.slow
def test_a_bug_that_hangs_is_told_by_its_time(shapes, take):
    hang = "def top(items):\n    while True:\n        pass\n"
    (task,) = take("humanevalpack", shapes.rows([shapes.problem("P/hangs", GOOD, CHECKS, hang)])).tasks
    assert set(task.before.values()) == {TestOutcome.TIMEOUT}


def test_a_gate_holds_the_reference_in_and_the_bug_out(shapes, take):
    gate = "python3 -c 'from area import area; assert area(2, 3) == 6'\n"
    folder = shapes.project(
        {
            "good/prompt.md": "Mend the area.\n",
            "good/repo/area.py": "def area(a, b):\n    return a + b\n",
            "good/solution/area.py": "def area(a, b):\n    return a * b\n",
            "good/verify.sh": gate,
            "wrong/prompt.md": "Mend the area.\n",
            "wrong/repo/area.py": "def area(a, b):\n    return a + b\n",
            "wrong/solution/area.py": "def area(a, b):\n    return a - b\n",
            "wrong/verify.sh": gate,
            "loose/prompt.md": "Mend the area.\n",
            "loose/repo/area.py": "def area(a, b):\n    return a + b\n",
            "loose/solution/area.py": "def area(a, b):\n    return a * b\n",
            "loose/verify.sh": "exit 0\n",
        },
        "tasks",
    )
    taken = take("taskdirs", folder)
    (task,) = taken.tasks
    assert task.id == "good"
    assert task.fail_to_pass == ("verify",)
    reasons = {refusal.id: refusal.reason for refusal in taken.refused}
    assert reasons["wrong"].startswith("the reference does not hold: its own tests do not pass: verify: ")
    assert reasons["loose"] == "the tests do not tell the buggy program from the reference: survived"
