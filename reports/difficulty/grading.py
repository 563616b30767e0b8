"""The grades of a task set: from the features of its tasks, and from runs on it where there are any."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from mendlab.corpora.taskset import TaskSet
from mendlab.errors import InputError
from mendlab.records import CalibrationBin, Difficulty, Grades, Task
from mendlab.reports.comparison.contenders import Contender, contenders
from mendlab.reports.data import Material
from mendlab.reports.difficulty.agreeing import agreements, calibration, crossed, matrix
from mendlab.reports.difficulty.features import Features, features
from mendlab.reports.difficulty.rasch import ENOUGH_SOLVERS, fit
from mendlab.reports.difficulty.scoring import by_features, difficulty
from mendlab.reports.difficulty.solvers import Outcomes, halves, outcomes
from mendlab.workers import Progress, map_ordered

Method = Literal["features", "calibrated", "rasch"]


def features_of(taskset: TaskSet, *, workers: int, progress: Progress) -> list[Features]:
    """Return the features of every task of a set, in order."""

    def work(task: Task) -> Features:
        return features(task, taskset.good_tree(task), taskset.buggy_tree(task))

    found: list[Features] = []
    progress("tasks looked at", 0, len(taskset.tasks))
    for one in map_ordered(work, taskset.tasks, workers):
        found.append(one)
        progress("tasks looked at", len(found), len(taskset.tasks))
    return found


def grade(
    taskset: TaskSet, known: Sequence[Features], runs: Material | None = None, held_out: Material | None = None
) -> Grades:
    """Return the grades of a set whose tasks have these features.

    ``runs`` calibrate them; of those in ``held_out`` it is only asked how well they agree. Where none are held out and
    there are several, every other one is, for the agreement; the grades are then of all of them.

    Raises:
        InputError: none of the runs has a verdict, or a run is both.
    """
    solvers = () if runs is None else _solvers(runs)
    apart = () if held_out is None else _solvers(held_out)
    if both := {run for one in solvers for run in one.runs} & {run for one in apart for run in one.runs}:
        raise InputError(f"run {min(both)!r} is to be fitted on and held out", hint="name it once")
    trained, asked = (solvers, apart) if apart else halves(solvers) if len(solvers) > 1 else ((), solvers)
    fitted = outcomes(trained, taskset.tasks) if trained else None
    tested = outcomes(asked, taskset.tasks) if asked else None
    every = outcomes(solvers, taskset.tasks) if solvers else None
    method, graded = _graded(known, every)
    return Grades(
        taskset_digest=taskset.digest,
        method=method,
        solvers=every.run_ids if every else (),
        agreement=agreements(taskset.tasks, known, fitted, tested) if tested else (),
        calibration=_calibration(taskset.tasks, known, fitted, tested) if fitted and tested else (),
        tasks={task.id: one for task, one in zip(taskset.tasks, graded, strict=True)},
    )


def _solvers(material: Material) -> tuple[Contender, ...]:
    found = [one for one in contenders(material) if not one.is_bound]
    if not any(one.counts for one in found):
        raise InputError("none of the runs says what a solver can mend", hint="runs of noop and reference do not count")
    return tuple(found)


def _graded(known: Sequence[Features], every: Outcomes | None) -> tuple[Method, list[Difficulty]]:
    if every is None:
        return "features", [by_features(one) for one in known]
    rows = matrix(known)
    model = fit(rows, every.successes, every.samples)
    failing = model.failing(model.difficulty(rows, model.rests))
    method: Method = "rasch" if len(every.solvers) >= ENOUGH_SOLVERS else "calibrated"
    return method, [difficulty(float(score), one) for score, one in zip(failing, known, strict=True)]


def _calibration(
    tasks: Sequence[Task], known: Sequence[Features], fitted: Outcomes, tested: Outcomes
) -> tuple[CalibrationBin, ...]:
    """Of the calibrated features: what they say of a task that no solver has tried."""
    model = fit(matrix(known), fitted.successes, fitted.samples, with_rests=False)
    return calibration(model.failing(crossed(tasks, known, fitted)), tasks, tested)
