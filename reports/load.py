"""Reading what a report is made from: run folders, and the task set they were made on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mendlab.corpora.taskset import TaskSet
from mendlab.errors import InputError
from mendlab.repair.runs import Run
from mendlab.reports.data import Material, RunData
from mendlab.reports.review.decisions import Decisions


def load_material(runs: Sequence[Path], taskset: Path) -> Material:
    """Return the runs with their task set.

    Raises:
        InputError: there is no task set or run, or a run was made on another set, or on this one in another state.
        FormatError: a file of the set or of a run is broken; names the file and the line.
    """
    opened = TaskSet.open(taskset)
    return Material(tuple(_load_run(path, opened) for path in runs), opened.tasks, opened.manifest, str(taskset))


def _load_run(path: Path, taskset: TaskSet) -> RunData:
    run = Run.open(path)
    if run.config.taskset_digest != taskset.digest:
        raise InputError(
            f"this run was made on {run.config.taskset!r} with digest {run.config.taskset_digest[:12]}, "
            f"and {taskset.path} has digest {taskset.digest[:12]}",
            where=path,
            hint="name the task set that the run was made on",
        )
    return RunData(run.config, run.attempts(), run.verdicts(), reviews=Decisions(path).read())
