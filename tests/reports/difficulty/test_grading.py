from __future__ import annotations

import random

import pytest

from mendlab.corpora.grades import read_grades, write_grades
from mendlab.corpora.taskset import TaskSet, write_taskset
from mendlab.corpora.tree import FileTree
from mendlab.errors import InputError
from mendlab.records import Outcome, Provenance
from mendlab.reports.data import Material, RunData
from mendlab.reports.difficulty.grading import grade
from mendlab.reports.load import load_material

TASKS = 60


@pytest.fixture(scope="module")
def taskset(tmp_path_factory, make):
    good = FileTree({"a.py": b"x = 1\n"})
    tasks = [make.task(n, id=f"t-{n:03d}", snapshot=good.digest, subject=f"s{n // 2}") for n in range(TASKS)]
    folder = tmp_path_factory.mktemp("graded") / "set"
    return write_taskset(folder, tasks, [good], name="set", provenance=Provenance(source="test"))


@pytest.fixture(scope="module")
def known():
    """Features of which one decides."""
    return [{"tells": n / TASKS, "noise": float(n * 7 % 5)} for n in range(TASKS)]


@pytest.fixture(scope="module")
def runs(make, taskset):
    """Six solvers, each of which mends what is less hard than it is able, with some luck."""
    chance = random.Random(4)

    def solver(number):
        reach = [chance.gauss(0.2 + 0.12 * number, 0.1) for _ in range(TASKS)]
        outcomes = [Outcome.EXACT if n / TASKS < reach[n] else Outcome.NO_PATCH for n in range(TASKS)]
        return make.run(f"r{number}", f"solver{number}", taskset.tasks, outcomes)

    return [solver(number) for number in range(6)]


def of(taskset, runs):
    return Material(tuple(runs), taskset.tasks)


def test_features_alone_make_grades_without_runs(taskset, known):
    found = grade(taskset, known)
    assert (found.method, found.solvers, found.agreement) == ("features", (), ())
    assert set(found.tasks) == {task.id for task in taskset.tasks}


def test_runs_make_grades_that_solvers_held_out_agree_with(taskset, known, runs):
    found = grade(taskset, known, of(taskset, runs))
    assert (found.method, len(found.solvers)) == ("rasch", 6)
    by_method = {one.method: one for one in found.agreement}
    assert list(by_method) == ["features", "calibrated", "rasch"]
    assert by_method["features"].correlation is None  # none of these features is one that is weighed by hand
    calibrated = by_method["calibrated"]
    assert calibrated.low < calibrated.correlation < calibrated.high
    assert calibrated.low > 0.6
    assert not set(calibrated.fitted_on) & set(calibrated.held_out)
    assert len(calibrated.fitted_on) == len(calibrated.held_out) == 3
    scores = [found.tasks[task.id].score for task in taskset.tasks]
    assert sum(scores[:20]) / 20 < 1 / 3 < 2 / 3 < sum(scores[-15:]) / 15
    assert {one.grade for one in found.tasks.values()} == {"easy", "medium", "hard"}


def test_predictions_are_calibrated(taskset, known, runs):
    bins = grade(taskset, known, of(taskset, runs)).calibration
    assert sum(one.tasks for one in bins) == TASKS
    assert [one.predicted for one in bins] == sorted(one.predicted for one in bins)
    assert all(abs(one.predicted - one.observed) < 0.25 for one in bins)
    assert all(one.low <= one.observed <= one.high for one in bins)


def test_noise_agrees_with_nobody(taskset, runs):
    noise = [{"noise": random.Random(n).random()} for n in range(TASKS)]
    calibrated = grade(taskset, noise, of(taskset, runs)).agreement[1]
    assert abs(calibrated.correlation) < 0.4


def test_solvers_held_out_have_no_part_in_the_grades(taskset, known, runs):
    alone = grade(taskset, known, of(taskset, runs[:3]))
    beside = grade(taskset, known, of(taskset, runs[:3]), of(taskset, runs[3:]))
    assert beside.tasks == alone.tasks
    assert set(beside.agreement[-1].held_out) == {"r3", "r4", "r5"}
    with pytest.raises(InputError, match="'r2' is to be fitted on and held out"):
        grade(taskset, known, of(taskset, runs[:3]), of(taskset, runs[2:]))


def test_one_solver_calibrates_nothing_of_each_task(taskset, known, runs):
    found = grade(taskset, known, of(taskset, runs[:1]))
    assert found.method == "calibrated"
    assert [one.method for one in found.agreement] == ["features"]


def test_bounds_are_no_solvers(taskset, known, make):
    noop = make.run("n", "noop", taskset.tasks, [Outcome.NO_PATCH])
    with pytest.raises(InputError, match="none of the runs says what a solver can mend"):
        grade(taskset, known, of(taskset, [noop]))


def test_grades_lie_beside_the_set_and_leave_it_as_it_is(taskset, known):
    digest, integrity = taskset.digest, taskset.integrity()
    grades = grade(taskset, known)
    file = write_grades(taskset, grades)
    again = TaskSet.open(taskset.path)
    assert (again.digest, again.integrity()) == (digest, integrity)
    assert read_grades(again) == grades
    tasks = load_material([], taskset.path).tasks
    assert all(task.difficulty == grades.tasks[task.id] for task in tasks)
    write_grades(taskset, grades.model_copy(update={"taskset_digest": "0" * 64}))
    with pytest.raises(InputError, match="of another state of the task set"):
        read_grades(again)
    file.unlink()
    assert read_grades(again) is None


def test_unfinished_runs_count_for_what_they_have(taskset, known, runs):
    half = [RunData(run.config, run.attempts[:30], run.verdicts[:30]) for run in runs]
    found = grade(taskset, known, of(taskset, half))
    assert found.agreement[1].tasks == 30
