"""``mendlab repair``: a strategy at work on a task set, every answer judged."""

from __future__ import annotations

from pathlib import Path

import click

from mendlab.cli.opening import open_bench
from mendlab.cli.options import bench_options, example, existing_path, json_option, new_path, seed_option
from mendlab.cli.running import finish_run, named_options
from mendlab.corpora.taskset import TaskSet
from mendlab.repair.strategy import make_strategy, strategies


@click.command(
    "repair",
    epilog=example(
        "mendlab repair tasks --strategy search --out runs/search",
        "mendlab repair tasks --strategy reference --out runs/reference",
        "mendlab repair tasks --strategy replay --option patches=./patches --out runs/mine",
    ),
)
@click.argument("taskset", type=existing_path)
@click.option(
    "--strategy",
    "name",
    required=True,
    type=click.Choice([info.name for info in strategies()]),
    help="What makes the patches.",
)
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the strategy: seconds and candidates for search, patches for replay.",
)
@click.option("--samples", type=click.IntRange(1), default=1, show_default=True, help="Answers for each task.")
@click.option("--out", type=new_path, required=True, help="Folder of the run; an unfinished run there is resumed.")
@seed_option
@bench_options
@json_option
def command(
    taskset: Path,
    name: str,
    options: tuple[str, ...],
    samples: int,
    out: Path,
    seed: int,
    workers: int,
    python: Path | None,
    allow_unconfined: bool,
    as_json: bool,
) -> None:
    """Ask a strategy for patches to every task of TASKSET, and judge each one.

    The same command goes on where it was stopped, and makes no answer twice.
    """
    strategy = make_strategy(name, **named_options(options))
    opened = TaskSet.open(taskset)
    bench = open_bench(opened, python, allow_unconfined=allow_unconfined)
    finish_run(opened, strategy, bench, out, samples=samples, seed=seed, workers=workers, as_json=as_json)
