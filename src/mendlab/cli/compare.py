"""``mendlab compare``: whether one repairer is better than another, or only luckier."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from mendlab.cli.options import example, existing_path, json_option
from mendlab.cli.output import print_json, print_renderable
from mendlab.cli.places import find_taskset
from mendlab.errors import InputError
from mendlab.repair.runs import Run
from mendlab.reports.comparison.compare import compare
from mendlab.reports.comparison.rendering import comparison_json, comparison_markdown, comparison_renderable
from mendlab.reports.load import load_material


@click.command(
    "compare",
    epilog=example(
        "mendlab compare runs/search runs/model",
        "mendlab compare runs/model runs/model-again runs/other --baseline runs/last --markdown",
    ),
)
@click.argument("runs", nargs=-1, required=True, type=existing_path)
@click.option("--taskset", type=existing_path, help="The task set of the runs. [default: where it was]")
@click.option(
    "--baseline", "baselines", multiple=True, type=existing_path, help="A run to stand beside the others as a baseline."
)
@click.option("--markdown", is_flag=True, help="Print Markdown, as for a pull request.")
@json_option
def command(
    runs: tuple[Path, ...], taskset: Path | None, baselines: tuple[Path, ...], markdown: bool, as_json: bool
) -> None:
    """Compare RUNS on one task set, task by task: differences, whether they may be chance, and who is tied.

    Runs of one repairer with the same settings, whatever their seeds, are taken together: their range is shown, never
    the better one. Runs on different task sets are refused.
    """
    _require_one_taskset([*runs, *baselines])
    material = load_material(runs, find_taskset(runs, taskset), baselines)
    comparison = compare(material)
    if as_json:
        print_json(comparison_json(comparison))
    elif markdown:
        click.echo(comparison_markdown(comparison))
    else:
        print_renderable(comparison_renderable(comparison))


def _require_one_taskset(runs: Sequence[Path]) -> None:
    first, *others = (Run.open(path).config for path in runs)
    for path, other in zip(runs[1:], others, strict=True):
        if other.taskset_digest != first.taskset_digest:
            raise InputError(
                f"was made on another task set ({_named(other.taskset, other.taskset_digest)}) than {runs[0]} "
                f"({_named(first.taskset, first.taskset_digest)}): they have no tasks in common",
                where=path,
                hint="compare runs on one set; make one of them again on the other's",
            )


def _named(name: str, digest: str) -> str:
    return f"{name!r}, {digest[:12]}"
