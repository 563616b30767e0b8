"""``mendlab import``: bugs that others have collected, taken in where their own tests hold them up."""

from __future__ import annotations

from pathlib import Path

import click

from mendlab.cli.options import bench_options, example, existing_path, json_option, new_path, seed_option
from mendlab.cli.output import print_finished, print_json, print_table, progress_on_stderr, refusals_json, show_refusals
from mendlab.cli.places import remember_python
from mendlab.cli.running import named_options
from mendlab.corpora.building import Building, finished
from mendlab.corpora.candidates import Candidate, Refusal
from mendlab.corpora.importers import read_candidates, task_formats
from mendlab.corpora.taskset import write_taskset
from mendlab.errors import InputError
from mendlab.records import BuildConfig, Provenance
from mendlab.verify.bench import set_up_bench
from mendlab.verify.intake import take_in
from mendlab.versions import tool_versions


@click.command(
    "import",
    epilog=example(
        "mendlab import humanevalpack humanevalpack-python.jsonl --out hefix",
        "mendlab import quixbugs ./QuixBugs --out quixbugs",
        "mendlab import swebench instances.jsonl --option repo=./checkouts --out swe",
        "mendlab import taskdirs ./tasks --out mine",
        "mendlab import humaneval HumanEval.jsonl.gz --out he",
    ),
)
@click.argument("format", type=click.Choice(tuple(task_formats())))
@click.argument("path", type=existing_path)
@click.option("--out", type=new_path, required=True, help="Folder of the new task set.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the format.")
@click.option(
    "--hold-out",
    is_flag=True,
    help="Keep 30% of each task's tests from repairers, drawn by --seed; else all are shown.",
)
@seed_option
@bench_options
@json_option
def command(
    format: str,
    path: Path,
    out: Path,
    options: tuple[str, ...],
    hold_out: bool,
    seed: int,
    workers: int,
    python: Path | None,
    allow_unconfined: bool,
    as_json: bool,
) -> None:
    """Make a task set out of the bugs at PATH, each proved: the reference passes every time, the buggy program fails.

    Exit code 1 if any of them does not hold up; the reason is printed for each. The same command goes on where it
    was stopped.
    """
    bench = set_up_bench(python=python, allow_unconfined=allow_unconfined)
    found = list(read_candidates(format, path, **named_options(options)))
    candidates = [item for item in found if isinstance(item, Candidate)]
    refusals = [item for item in found if isinstance(item, Refusal)]
    config = BuildConfig(
        command="import",
        parameters={
            "format": format,
            "path": path.name,
            "options": [*sorted(options)],
            "snapshots": [c.loaded.subject.snapshot for c in candidates],
            "python": bench.interpreter.version_text,
            **({"hold_out": seed} if hold_out else {}),
        },
        tools=tool_versions(),
    )
    if (manifest := finished(out, config)) is not None:
        print_finished(out, manifest, as_json)
        click.get_current_context().exit(1 if manifest.dropped else 0)
    with Building(out, config) as building, progress_on_stderr() as progress:
        taken = take_in(
            candidates, bench, building, workers=workers, progress=progress, hold_out=seed if hold_out else None
        )
        refusals += taken.refused
        if not taken.tasks:
            building.finish()
            reason = refusals[0].reason if refusals else "there is nothing in it"
            raise InputError(f"no task holds up: {reason}", where=path, hint="see docs/add-a-format.md for the formats")
        provenance = Provenance(source=f"{format}:{path.name}", tools=dict(config.tools))
        trees = [candidate.loaded.tree for candidate in candidates]
        write_taskset(
            out, taken.tasks, trees, name=out.name, provenance=provenance, dropped=_counted(refusals), build=config
        )
        remember_python(out, bench.interpreter.executable)
        building.finish()
    show_refusals(refusals, "do not hold up")
    if as_json:
        print_json({"taskset": str(out), "tasks": len(taken.tasks), "refused": refusals_json(refusals)})
    else:
        print_table("", ("", ""), [("tasks", len(taken.tasks)), ("refused", len(refusals))], right=(1,))
        click.echo(f"task set: {out}")
    if refusals:
        click.get_current_context().exit(1)


def _counted(refusals: list[Refusal]) -> dict[str, int]:
    return {"refused": len(refusals)} if refusals else {}
