"""``mendlab repair``: a strategy at work on a task set, every answer judged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mendlab.cli.dry_run import dry_run
from mendlab.cli.model_options import model_options
from mendlab.cli.models import choose_model
from mendlab.cli.opening import open_bench
from mendlab.cli.options import bench_options, example, existing_path, json_option, new_path, seed_option
from mendlab.cli.running import finish_run, named_options
from mendlab.corpora.taskset import TaskSet
from mendlab.repair.strategy import make_strategy, strategies


def _every_option() -> str:
    """Return the names of all options of all strategies, as in the registry."""
    return "; ".join(f"{info.name}: {', '.join(info.options)}" for info in strategies() if info.options)


@click.command(
    "repair",
    epilog=example(
        "mendlab repair tasks --strategy search --out runs/search",
        "mendlab repair tasks --strategy reference --out runs/reference",
        "mendlab repair tasks --strategy replay --option patches=./patches --out runs/mine",
        "mendlab repair tasks --strategy single --model anthropic:NAME --max-cost 5 --out runs/model",
        "mendlab repair tasks --strategy sample --option n=8 --model openai:NAME --batch --out runs/batch",
        "mendlab repair tasks --strategy feedback --model openai:NAME --dry-run",
        "mendlab repair tasks --strategy agent --model anthropic:NAME --option steps=20 --out runs/tools",
        "mendlab repair tasks --strategy command --option command='my-agent {workspace}' --out runs/agent",
    ),
)
@click.argument("taskset", type=existing_path)
@click.option(
    "--strategy",
    "name",
    required=True,
    type=click.Choice([info.name for info in strategies()]),
    metavar="NAME",
    help=f"What makes the patches: {', '.join(info.name for info in strategies())}.",
)
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help=f"An option of the strategy: {_every_option()}.",
)
@click.option("--samples", type=click.IntRange(1), default=1, show_default=True, help="Answers for each task.")
@click.option("--out", type=new_path, help="Folder of the run; an unfinished run there is resumed.")
@click.option(
    "--dry-run",
    "dry_run_only",
    is_flag=True,
    help="Count calls, tokens and cost of a model's run; send and write nothing.",
)
@model_options
@seed_option
@bench_options
@json_option
def command(
    taskset: Path,
    name: str,
    options: tuple[str, ...],
    samples: int,
    out: Path | None,
    dry_run_only: bool,
    seed: int,
    workers: int,
    python: Path | None,
    allow_unconfined: bool,
    as_json: bool,
    **model: Any,
) -> None:
    """Ask a strategy for patches to every task of TASKSET, and judge each one.

    The same command goes on where it was stopped, and makes no answer twice.
    """
    strategy = make_strategy(name, **named_options(options))
    choice = choose_model(strategy, **model)
    if out is None and not dry_run_only:
        raise click.UsageError("Missing option '--out'.")
    opened = TaskSet.open(taskset)
    bench = open_bench(opened, python, allow_unconfined=allow_unconfined)
    if dry_run_only or out is None:
        dry_run(opened, strategy, bench, choice, samples=samples, seed=seed, as_json=as_json)
        return
    finish_run(
        opened, strategy, bench, out, samples=samples, seed=seed, workers=workers, as_json=as_json, choice=choice
    )
