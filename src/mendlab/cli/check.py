"""``mendlab check``: whether a task set keeps its word."""

from __future__ import annotations

from pathlib import Path

import click

from mendlab.cli.options import bench_options, example, existing_path, json_option
from mendlab.cli.output import print_json, progress_on_stderr
from mendlab.cli.places import find_python
from mendlab.corpora.taskset import TaskSet
from mendlab.verify.bench import set_up_bench
from mendlab.verify.check import check_taskset


@click.command("check", epilog=example("mendlab check tasks", "mendlab check tasks.zip --runs 5 --json"))
@click.argument("taskset", type=existing_path)
@click.option("--runs", type=click.IntRange(1), default=3, show_default=True, help="How often every test is run.")
@bench_options
@json_option
def command(taskset: Path, runs: int, workers: int, python: Path | None, allow_unconfined: bool, as_json: bool) -> None:
    """Prove TASKSET: digests match, every reference passes and every buggy program fails, in several shuffled runs.

    Prints what does not hold. Exit code 1 if there is anything.
    """
    opened = TaskSet.open(taskset)
    bench = set_up_bench(python=find_python(taskset, python), allow_unconfined=allow_unconfined)
    with progress_on_stderr() as progress:
        findings = check_taskset(opened, bench, runs=runs, workers=workers, progress=progress)
    bad = {finding.task for finding in findings}
    if as_json:
        print_json(
            {
                "taskset": str(taskset),
                "digest": opened.digest,
                "tasks": len(opened.tasks),
                "runs": runs,
                "holds": not findings,
                "findings": [{"task": finding.task, "what": finding.what} for finding in findings],
            }
        )
    else:
        for finding in findings:
            click.echo(f"{finding.task}: {finding.what}" if finding.task else finding.what)
        word = "holds" if not findings else f"does not hold: {len(findings)} findings in {len(bad)} places"
        click.echo(f"{len(opened.tasks)} tasks, {runs} runs each: {word}")
    if findings:
        click.get_current_context().exit(1)
