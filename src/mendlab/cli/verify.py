"""``mendlab verify``: patches made elsewhere, judged."""

from __future__ import annotations

import tempfile
from contextlib import nullcontext
from pathlib import Path

import click

from mendlab.cli.opening import open_bench
from mendlab.cli.options import bench_options, example, existing_path, json_option, new_path
from mendlab.cli.output import keeping_nothing, note
from mendlab.cli.running import finish_run
from mendlab.corpora.taskset import TaskSet
from mendlab.errors import InputError
from mendlab.repair.predictions import read_predictions
from mendlab.repair.strategy import make_strategy
from mendlab.verify.equivalence.symbolic import is_available


@click.command(
    "verify",
    epilog=example(
        "mendlab verify tasks --patches ./patches",
        "mendlab verify tasks --patches predictions.jsonl --out runs/model",
        "mendlab verify tasks --patches runs/model --out runs/model-again",
    ),
)
@click.argument("taskset", type=existing_path)
@click.option(
    "--patches",
    type=existing_path,
    required=True,
    help="Folder of <task>.diff (or <task>.<sample>.diff; / in ids as __), SWE-bench predictions, or a run.",
)
@click.option(
    "--symbolic-seconds",
    type=click.FloatRange(0, 600),
    default=0.0,
    show_default=True,
    help="Seconds of each comparison with the reference in which CrossHair looks for inputs that tell.",
)
@click.option("--out", type=new_path, help="Folder of the run to keep. [default: none is kept]")
@bench_options
@json_option
def command(
    taskset: Path,
    patches: Path,
    symbolic_seconds: float,
    out: Path | None,
    workers: int,
    python: Path | None,
    allow_unconfined: bool,
    as_json: bool,
) -> None:
    """Judge patches for TASKSET that were made elsewhere, or those of an earlier run again.

    Predictions are JSON or JSON lines with instance_id, model_name_or_path and model_patch, or HumanEval's samples with
    task_id and completion. A task without any patch counts as `no patch`; of one that has fewer samples than others
    only these count.
    """
    if symbolic_seconds and not is_available():
        raise InputError("CrossHair is not installed", hint="pip install 'mendlab[crosshair]'")
    opened = TaskSet.open(taskset)
    ids = [task.id for task in opened.tasks]
    predictions = read_predictions(patches)
    strangers = predictions.unknown(ids)
    if strangers:
        named = f"{strangers[0]} and {len(strangers) - 1} more" if strangers[1:] else strangers[0]
        note(f"patches are left out that are for no task of this set: {named}")
    if ids and len(strangers) == len({name for name, _ in predictions.entries}):
        raise InputError(
            "no patch is for a task of this set",
            where=patches,
            hint=f"task ids look like {ids[0]}, as a file {ids[0].replace('/', '__')}.diff",
        )
    strategy = make_strategy("replay", patches=str(patches))
    bench = open_bench(opened, python, allow_unconfined=allow_unconfined)
    keeping = nullcontext() if out is not None else keeping_nothing("without --out this")
    with keeping, tempfile.TemporaryDirectory(prefix="mendlab-verify-") as scratch:
        finish_run(
            opened,
            strategy,
            bench,
            out or Path(scratch) / "run",
            samples=predictions.samples(ids),
            only=predictions.given(ids),
            seed=0,
            workers=workers,
            as_json=as_json,
            keep=out is not None,
            each=True,
            symbolic_seconds=symbolic_seconds,
        )
