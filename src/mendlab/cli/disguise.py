"""``mendlab disguise``: a task set in other code, which no model has seen."""

from __future__ import annotations

from pathlib import Path

import click

from mendlab.cli.opening import open_bench
from mendlab.cli.options import bench_options, example, existing_path, json_option, new_path, seed_option
from mendlab.cli.output import print_finished, print_json, print_table, progress_on_stderr, refusals_json, show_refusals
from mendlab.cli.places import remember_python
from mendlab.corpora.building import Building, finished
from mendlab.corpora.layout import ENVIRONMENTS
from mendlab.corpora.snapshots import read_bytes
from mendlab.corpora.taskset import TaskSet, write_taskset
from mendlab.errors import InputError
from mendlab.mutators.disguising.disguise import Disguised, disguise
from mendlab.mutators.disguising.variant import Variant
from mendlab.records import BuildConfig, Provenance
from mendlab.versions import tool_versions


@click.command(
    "disguise",
    epilog=example(
        "mendlab disguise hefix --out hefix-disguised", "mendlab disguise tasks --rewrites 12 --seed 3 --out other"
    ),
)
@click.argument("taskset", type=existing_path)
@click.option("--out", type=new_path, required=True, help="Folder of the new task set.")
@click.option(
    "--rewrites",
    type=click.IntRange(0),
    default=6,
    show_default=True,
    help="Most statements and expressions to write another way, a file; names and order change anyway.",
)
@seed_option
@bench_options
@json_option
def command(
    taskset: Path,
    out: Path,
    rewrites: int,
    seed: int,
    workers: int,
    python: Path | None,
    allow_unconfined: bool,
    as_json: bool,
) -> None:
    """Rewrite the programs of TASKSET so that they do the same and look different: other names of local variables,
    another order of functions, other expressions, alike in the good and the buggy program.

    Each variant is proved: neither program can be told from the original by the judge's comparison, and its tests fail
    and pass as before. Functions that no test and no recorded input comes to stay as they are, and so do names that
    tests or the statement mention. Exit code 1 if a task could not be disguised.
    """
    opened = TaskSet.open(taskset)
    bench = open_bench(opened, python, allow_unconfined=allow_unconfined)
    config = BuildConfig(
        command="disguise",
        parameters={
            "taskset": opened.digest, "seed": seed, "rewrites": rewrites, "python": bench.interpreter.version_text
        },
        tools=tool_versions(),
    )  # fmt: skip
    if (manifest := finished(out, config)) is not None:
        print_finished(out, manifest, as_json)
        click.get_current_context().exit(1 if manifest.dropped else 0)
    with Building(out, config) as building, progress_on_stderr() as progress:
        found = disguise(opened, bench, building, seed=seed, rewrites=rewrites, workers=workers, progress=progress)
        if not found.tasks:
            building.finish()
            reason = found.refused[0].reason if found.refused else "there is nothing in it"
            raise InputError(f"no task can be disguised: {reason}", where=taskset)
        trees = tuple(each.candidate.loaded.tree for each in found.variants)
        write_taskset(
            out, found.tasks, trees, name=out.name, licence=opened.manifest.licence,
            provenance=Provenance(source=f"{opened.manifest.name}, disguised", seed=seed, tools=dict(config.tools)),
            dropped={"refused": len(found.refused)} if found.refused else {}, build=config,
            beside={path: read_bytes(opened.root.joinpath(path)) for path in opened.manifest.digests
                    if path.startswith(f"{ENVIRONMENTS}/")},
        )  # fmt: skip
        remember_python(out, bench.interpreter.executable)
        building.finish()
    show_refusals(found.refused, "cannot be disguised")
    _print(out, found, as_json)
    if found.refused:
        click.get_current_context().exit(1)


def _print(out: Path, found: Disguised, as_json: bool) -> None:
    variants = found.variants
    told = {
        "tasks": len(found.tasks), "refused": len(found.refused), "names_changed": sum(v.names for v in variants),
        "functions_moved": sum(v.moved for v in variants), "rewrites": sum(found.rules.values()),
    }  # fmt: skip
    functions = {
        "functions_disguised": sum(len(v.disguised) for v in variants),
        "functions_left_unreached": sum(len(v.spared) for v in variants),
        "functions_left_with_nothing_to_rewrite": sum(map(_nothing, variants)),
    }
    if as_json:
        each = {
            task.id: {"functions": v.functions, "disguised": v.disguised, "unreached": v.spared}
            for task, v in zip(found.tasks, variants, strict=True)
        }
        refused = refusals_json(found.refused)
        print_json(
            {"taskset": str(out), **told, **functions, "refused": refused, "rules": found.rules, "variants": each}
        )
        return
    print_table("", ("", ""), [(name.replace("_", " "), count) for name, count in told.items()], right=(1,))
    click.echo("")
    rows = (
        ("functions in other code", functions["functions_disguised"]),
        ("left: no test and no recorded input comes to them", functions["functions_left_unreached"]),
        ("left: nothing in them can be rewritten", functions["functions_left_with_nothing_to_rewrite"]),
    )
    print_table("", ("", ""), rows, right=(1,))
    click.echo(f"task set: {out}")


def _nothing(variant: Variant) -> int:
    """How many functions stay because no rule and no other name fits them; those of one name count as one."""
    return max(0, variant.functions - len(variant.disguised) - len(variant.spared))
