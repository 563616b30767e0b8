"""Reading what a report is made from: run folders, and the task set they were made on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mendlab.corpora.contamination.records import read_contamination
from mendlab.corpora.grades import read_grades
from mendlab.corpora.layout import CONTAMINATION
from mendlab.corpora.taskset import TaskSet
from mendlab.errors import InputError
from mendlab.records import ContaminationMark, Grades, Task
from mendlab.repair.runs import Run
from mendlab.reports.data import Material, RunData
from mendlab.reports.review.decisions import Decisions


def load_material(runs: Sequence[Path], taskset: Path, baselines: Sequence[Path] = ()) -> Material:
    """Return the runs with their task set; ``baselines`` are further runs, that others are to be compared with.

    Raises:
        InputError: there is no task set or run, or a run was made on another set, or on this one in another state, or
            what was found out about the set (grades, contamination) is of another state.
        FormatError: a file of the set or of a run is broken; names the file and the line.
    """
    opened = TaskSet.open(taskset)
    loaded = load_runs(runs, opened, baselines)
    grades, contamination = read_grades(opened), read_contamination(taskset / CONTAMINATION, opened.digest)
    marks = {} if contamination is None else contamination.by_task()
    tasks = tuple(_known(task, grades, marks.get(task.id, ())) for task in opened.tasks)
    return Material(loaded, tasks, opened.manifest, str(taskset), grades, contamination)


def load_runs(runs: Sequence[Path], taskset: TaskSet, baselines: Sequence[Path] = ()) -> tuple[RunData, ...]:
    """Return runs on a task set, each once; errors as :func:`load_material`."""
    named = {path.resolve() for path in baselines}
    paths = {path.resolve(): path for path in (*baselines, *runs)}
    ordered = dict.fromkeys(path.resolve() for path in (*runs, *baselines))
    return tuple(_load_run(paths[path], taskset, named=path in named) for path in ordered)


def _known(task: Task, grades: Grades | None, marks: tuple[ContaminationMark, ...]) -> Task:
    """The task with what was found out about it since the set was made."""
    difficulty = task.difficulty if grades is None else grades.tasks.get(task.id)
    return task.model_copy(update={"difficulty": difficulty, "contamination": (*task.contamination, *marks)})


def _load_run(path: Path, taskset: TaskSet, *, named: bool) -> RunData:
    run = Run.open(path)
    if run.config.taskset_digest != taskset.digest:
        raise InputError(
            f"this run was made on {run.config.taskset!r} with digest {run.config.taskset_digest[:12]}, "
            f"and {taskset.path} has digest {taskset.digest[:12]}",
            where=path,
            hint="name the task set that the run was made on",
        )
    return RunData(run.config, run.attempts(), run.verdicts(), named, Decisions(path).read())
