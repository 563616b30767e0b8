"""``mendlab grade``: how hard the tasks of a set are."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click

from mendlab.cli.options import example, existing_path, json_option
from mendlab.cli.output import note, print_json, print_table, progress_on_stderr
from mendlab.corpora.grades import write_grades
from mendlab.corpora.taskset import TaskSet
from mendlab.records import GRADES, Agreement, Grades
from mendlab.reports.data import Material
from mendlab.reports.difficulty.grading import features_of, grade
from mendlab.reports.load import load_runs
from mendlab.reports.words import percent

METHODS = {
    "features": "what the tasks are made of",
    "calibrated": "the same, weighed by runs",
    "rasch": "the same, and what solvers made of each task",
}


@click.command(
    "grade",
    epilog=example(
        "mendlab grade tasks",
        "mendlab grade tasks --runs runs/search --runs runs/model",
        "mendlab grade tasks --runs runs/search --held-out runs/model --json",
    ),
)
@click.argument("taskset", type=existing_path)
@click.option("--runs", multiple=True, type=existing_path, help="A run that says what is hard; may be given often.")
@click.option(
    "--held-out",
    multiple=True,
    type=existing_path,
    help="A run that has no part in the grades, and that they are compared with. [default: every other one of --runs, "
    "for the comparison alone]",
)
@click.option(
    "--workers",
    type=click.IntRange(1),
    default=os.cpu_count() or 1,
    show_default="number of cores",
    help="How many tasks to look at side by side.",
)
@json_option
def command(taskset: Path, runs: tuple[Path, ...], held_out: tuple[Path, ...], workers: int, as_json: bool) -> None:
    """Grade the tasks of TASKSET easy, medium or hard, and write that down beside them.

    Without runs, from what is known of a task: its defect, its tests, the function it is in, and how long a search
    would look for it. With runs, from what solvers made of it as well. The set itself stays as it is.
    """
    opened = TaskSet.open(taskset)
    fitted, apart = (_material(paths, opened) for paths in (runs, held_out))
    with progress_on_stderr() as progress:
        known = features_of(opened, workers=workers, progress=progress)
    grades = grade(opened, known, fitted, apart)
    file = write_grades(opened, grades)
    if as_json:
        print_json(
            {"grades": str(file), "counts": _counts(grades), **grades.model_dump(mode="json", exclude={"tasks"})}
        )
        return
    _print(grades)
    click.echo(f"grades: {file}")


def _material(paths: tuple[Path, ...], taskset: TaskSet) -> Material | None:
    return Material(load_runs(paths, taskset), taskset.tasks) if paths else None


def _counts(grades: Grades) -> dict[str, int]:
    counted = Counter(one.grade for one in grades.tasks.values())
    return {name: counted[name] for name in GRADES}


def _print(grades: Grades) -> None:
    counts = _counts(grades)
    scores = {name: [one.score for one in grades.tasks.values() if one.grade == name] for name in GRADES}
    rows = [
        (name, counts[name], f"{min(scores[name]):.2f} to {max(scores[name]):.2f}" if scores[name] else "")
        for name in GRADES
    ]
    print_table("", ("grade", "tasks", "score"), rows, right=(1,))
    click.echo(f"made of {METHODS[grades.method]}")
    if not grades.agreement:
        note("no run says whether solvers agree; name some with --runs")
        return
    click.echo("")
    columns = ("rank correlation with failures of solvers held out", "", "95% interval", "tasks")
    print_table("", columns, [tuple(_agreement(one)) for one in grades.agreement], right=(1, 2, 3))
    for one in grades.agreement[-1:]:
        click.echo(f"fitted on {len(one.fitted_on)} runs, held out: {len(one.held_out)}")
    if grades.calibration:
        click.echo("")
        cells = [(str(b.tasks), percent(b.predicted), percent(b.observed)) for b in grades.calibration]
        print_table("", ("tasks", "solved, predicted", "solved, seen"), cells, right=(0, 1, 2))


def _agreement(one: Agreement) -> Iterator[str]:
    yield METHODS[one.method]
    yield "undefined" if one.correlation is None else f"{one.correlation:.2f}"
    yield "" if one.low is None or one.high is None else f"{one.low:.2f} to {one.high:.2f}"
    yield str(one.tasks)
