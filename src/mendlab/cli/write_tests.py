"""``mendlab write-tests``: a task set with new tests, aimed at each task's defect, as its held-out part."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from mendlab.cli.opening import open_bench
from mendlab.cli.options import bench_options, example, existing_path, json_option, new_path, seed_option
from mendlab.cli.output import note, print_finished, print_json, print_table, progress_on_stderr
from mendlab.cli.places import remember_python
from mendlab.corpora.building import finished
from mendlab.corpora.taskset import TaskSet, write_taskset
from mendlab.mutators.choosing.rivals import rivals
from mendlab.records import BuildConfig, FunctionCoverage, Written
from mendlab.verify.bench import Bench
from mendlab.verify.newtests.rivals import MOST_TRIED
from mendlab.verify.newtests.taskset import FOLDER, Writing, require_without, write_for_taskset
from mendlab.verify.newtests.write import PER_TASK
from mendlab.versions import tool_versions

UNREACHED_SHOWN = 10


@click.command(
    "write-tests",
    epilog=example(
        "mendlab write-tests tasks",
        "mendlab write-tests tasks --out tasks-held-out --per-task 20",
        "mendlab write-tests hefix --json",
    ),
)
@click.argument("taskset", type=existing_path)
@click.option("--out", type=new_path, help="Folder of the new task set.  [default: TASKSET-new-tests]")
@click.option(
    "--per-task", type=click.IntRange(2), default=PER_TASK, show_default=True, metavar="N", help="Most tests of a task."
)
@seed_option
@bench_options
@json_option
def command(
    taskset: Path,
    out: Path | None,
    per_task: int,
    seed: int,
    workers: int,
    python: Path | None,
    allow_unconfined: bool,
    as_json: bool,
) -> None:
    """Write tests that aim at the defect of each task in TASKSET, and make a set that holds them out.

    A plain pytest file a task: inputs on which the buggy program and the reference differ, shrunk, and boundary
    cases. No repairer is shown them; repairs are judged by them. Says how far all tests of a task cover the function
    that is to be mended, and which branches none of them takes. The same command goes on where it was stopped.
    """
    opened = TaskSet.open(taskset)
    require_without(opened)
    out = taskset.absolute().with_name(f"{taskset.stem}-new-tests") if out is None else out
    bench = open_bench(opened, python, allow_unconfined=allow_unconfined)
    config = _config(opened, per_task, seed, bench)
    if (manifest := finished(out, config)) is not None:
        print_finished(out, manifest, as_json)
        return
    with Writing(out, config) as writing, progress_on_stderr() as progress:
        made = write_for_taskset(
            opened,
            bench,
            writing,
            per_task=per_task,
            seed=seed,
            workers=workers,
            progress=progress,
            rivals=lambda task, good, buggy: rivals(task, good, buggy, MOST_TRIED, seed),
        )
        write_taskset(
            out,
            made.tasks,
            made.trees,
            name=opened.manifest.name,
            provenance=opened.manifest.provenance,
            dropped=opened.manifest.dropped,
            licence=opened.manifest.licence,
            version=opened.manifest.version,
            build=config,
            beside=made.beside,
        )
        remember_python(out, bench.interpreter.executable)
        writing.finish()
    if as_json:
        print_json(_as_json(out, made.written))
    else:
        _print(out, made.written)


def _config(taskset: TaskSet, per_task: int, seed: int, bench: Bench) -> BuildConfig:
    return BuildConfig(
        command="write-tests",
        parameters={
            "taskset": taskset.digest,
            "per_task": per_task,
            "seed": seed,
            "python": bench.interpreter.version_text,
        },
        tools=tool_versions(),
    )


def _as_json(out: Path, written: Sequence[Written]) -> dict[str, Any]:
    return {
        "taskset": str(out),
        **_figures(written),
        "tasks": [
            {**each.about.model_dump(mode="json"), "cpu_seconds": round(each.cpu_seconds, 2)} for each in written
        ],
    }


def _figures(written: Sequence[Written]) -> dict[str, Any]:
    tests = [test for each in written for test in each.about.tests]
    smallest = [
        min(len(test.call) for test in aimed)
        for each in written
        if (aimed := [test for test in each.about.tests if test.kind == "aimed"])
    ]
    return {
        "tasks_in_all": len(written),
        "tasks_with_aimed_tests": len(smallest),
        "aimed": sum(test.kind == "aimed" for test in tests),
        "rival": sum(test.kind == "rival" for test in tests),
        "boundary": sum(test.kind == "boundary" and test.judged for test in tests),
        "not_judged": sum(not test.judged for test in tests),
        "median_call": statistics.median(smallest) if smallest else None,
        "cpu_seconds": round(sum(each.cpu_seconds for each in written), 1),
        "coverage_before": _covered([c for each in written for c in each.about.coverage_before]),
        "coverage": _covered([c for each in written for c in each.about.coverage or each.about.coverage_before]),
    }


def _covered(functions: Sequence[FunctionCoverage]) -> dict[str, int]:
    return {
        "functions": len(functions),
        "lines": sum(each.lines for each in functions),
        "lines_reached": sum(each.lines - len(each.missed_lines) for each in functions),
        "branches": sum(each.branches for each in functions),
        "branches_taken": sum(each.branches - len(each.missed_branches) for each in functions),
    }


def _print(out: Path, written: Sequence[Written]) -> None:
    for each in written:
        if not each.about.tests:
            note(f"{each.about.task}: no new tests: {each.about.why}")
    figures = _figures(written)
    before, after = figures["coverage_before"], figures["coverage"]
    rows: list[tuple[str, object]] = [
        ("tasks", figures["tasks_in_all"]),
        ("of these with tests aimed at the defect", figures["tasks_with_aimed_tests"]),
        ("aimed tests", figures["aimed"]),
        ("tests against other mistakes", figures["rival"]),
        ("boundary cases", figures["boundary"]),
        ("boundary cases that judge nothing", figures["not_judged"]),
        ("lines of the functions to mend", after["lines"]),
        ("of these reached before, and now", f"{before['lines_reached']}, {after['lines_reached']}"),
        ("branches of the functions to mend", after["branches"]),
        ("of these taken before, and now", f"{before['branches_taken']}, {after['branches_taken']}"),
    ]
    print_table("", ("", ""), rows, right=(1,))
    _print_unreached(written)
    click.echo(f"new tests: {out / FOLDER}")
    click.echo(f"task set: {out}")


def _print_unreached(written: Sequence[Written]) -> None:
    """Name the branches that no test takes: the first few, and how many more there are."""
    rows = [
        (each.about.task, f"{covered.file}:{branch.line}", covered.function, f"never {branch.when}")
        for each in written
        for covered in each.about.coverage or each.about.coverage_before
        for branch in covered.missed_branches
    ]
    if rows:
        print_table("branches that no test takes", ("task", "line", "function", ""), rows[:UNREACHED_SHOWN])
    if len(rows) > UNREACHED_SHOWN:
        click.echo(f"and {len(rows) - UNREACHED_SHOWN} more: see {FOLDER}/tests.jsonl")
