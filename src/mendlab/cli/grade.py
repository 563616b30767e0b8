"""``mendlab grade``: how hard the tasks of a set are."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click

from mendlab.cli.options import example, existing_path, json_option
from mendlab.cli.output import note, print_json, print_table, progress_on_stderr
from mendlab.corpora.grades import require_place, write_grades
from mendlab.corpora.taskset import TaskSet
from mendlab.records import GRADES, Agreement, Grades
from mendlab.reports.data import Material
from mendlab.reports.difficulty.grading import features_of, grade
from mendlab.reports.load import load_runs
from mendlab.reports.statistics import FEW_TASKS
from mendlab.reports.words import counted, percent

METHODS = {
    "features": "what they are made of",
    "calibrated": "what they are made of, weighed as the runs say",
    "rasch": "what they are made of, and how each task itself fared (Rasch)",
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
    require_place(opened)
    with progress_on_stderr() as progress:
        progress.step("reading runs")
        fitted, apart = (_material(paths, opened) for paths in (runs, held_out))
        known = features_of(opened, workers=workers, progress=progress)
        progress.step("fitting, and comparing with solvers held out")
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
        (
            name,
            counts[name],
            " to ".join(dict.fromkeys(percent(edge(scores[name])) for edge in (min, max) if scores[name])),
        )
        for name in GRADES
    ]
    print_table("", ("grade", "tasks", "attempts expected to fail"), rows, right=(1,))
    click.echo(f"tasks are graded by {METHODS[grades.method]}")
    if not grades.agreement:
        note("that is a guess: no run says whether solvers agree; name some with --runs")
        return
    last = grades.agreement[-1]
    click.echo("")
    click.echo(f"Do the harder tasks fail more in {counted(len(last.held_out), 'run')} that had no part in the order?")
    click.echo("Spearman's rank correlation: 1 is the same order, 0 is none.")
    columns = ("tasks in order by", "agrees", "95% interval", "tasks")
    print_table("", columns, [tuple(_agreement(one)) for one in grades.agreement], right=(1, 2, 3))
    if last.tasks < FEW_TASKS:
        note(f"{counted(last.tasks, 'task')} are too few to say much: read the interval, not the figure")
    if last.fitted_on:
        click.echo(f"weighed by {counted(len(last.fitted_on), 'other run')}")
    if grades.calibration:
        click.echo("")
        click.echo("How many attempts of those runs mend a task, in groups of like tasks:")
        cells = [(str(b.tasks), percent(b.predicted), percent(b.observed)) for b in grades.calibration]
        print_table("", ("tasks", "predicted", "seen"), cells, right=(0, 1, 2))


def _agreement(one: Agreement) -> Iterator[str]:
    yield METHODS[one.method]
    yield "undefined" if one.correlation is None else f"{one.correlation:.2f}"
    yield "" if one.low is None or one.high is None else f"{one.low:.2f} to {one.high:.2f}"
    yield str(one.tasks)
