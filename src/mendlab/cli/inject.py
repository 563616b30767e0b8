"""``mendlab inject``: defects put into programs that have tests, and kept where the tests tell."""

from __future__ import annotations

from pathlib import Path

import click

from mendlab.cli.operators import operator_names, templates_option
from mendlab.cli.options import bench_options, example, json_option, new_path, seed_option
from mendlab.cli.output import (
    note,
    print_finished,
    print_json,
    print_table,
    progress_on_stderr,
    refusals_json,
    show_refusals,
)
from mendlab.cli.places import remember_python
from mendlab.corpora.building import Building, finished
from mendlab.corpora.candidates import LoadedSubject, Refusal
from mendlab.corpora.subjects import read_subjects
from mendlab.corpora.taskset import write_taskset
from mendlab.errors import SubjectError
from mendlab.mutators.inject import Choice, Injected, inject
from mendlab.mutators.registry import origins
from mendlab.mutators.sampling import STRATEGIES
from mendlab.records import Baseline, BuildConfig, Provenance
from mendlab.verify.bench import Bench, set_up_bench
from mendlab.verify.detection.baseline import unusable
from mendlab.versions import tool_versions


@click.command(
    "inject",
    epilog=example(
        "mendlab inject humaneval --out tasks --limit 100",
        "mendlab inject ./myproject --out tasks --per-function 3",
        "mendlab inject mbpp:mbpp.jsonl --operators operator --out tasks",
    ),
)
@click.argument("subject")
@click.option("--out", type=new_path, required=True, help="Folder of the new task set.")
@click.option("--operators", help="Operators or families, separated by commas. [default: all]")
@templates_option
@click.option("--per-function", type=click.IntRange(1), help="Most tasks from one function.")
@click.option("--limit", type=click.IntRange(1), help="Most tasks in all.")
@click.option(
    "--sampling",
    type=click.Choice(STRATEGIES),
    default="uniform",
    show_default=True,
    help="In which order mutants are tried: each alike, each operator alike, or as often as people make them.",
)
@seed_option
@bench_options
@json_option
def command(
    subject: str,
    out: Path,
    operators: str | None,
    per_function: int | None,
    limit: int | None,
    sampling: str,
    seed: int,
    workers: int,
    python: Path | None,
    allow_unconfined: bool,
    as_json: bool,
) -> None:
    """Put defects into SUBJECT and keep those that its tests detect, as a task set.

    SUBJECT is a project directory with pytest tests, a .py file with asserts or doctests, `humaneval`,
    `humaneval:FILE`, `mbpp:FILE`, `bundled` or `bundled:NAME`. The same command goes on where it was stopped.
    """
    chosen = operator_names(operators)
    choice = Choice(seed=seed, operators=chosen, strategy=sampling, limit=limit, per_function=per_function)
    project = Path(subject) if Path(subject).is_dir() else None
    bench = set_up_bench(python=python, project=project, allow_unconfined=allow_unconfined)
    found = list(read_subjects(subject))
    subjects = [item for item in found if isinstance(item, LoadedSubject)]
    refusals = [item for item in found if isinstance(item, Refusal)]
    config = _config(subject, subjects, choice, bench)
    if (manifest := finished(out, config)) is not None:
        print_finished(out, manifest, as_json)
        return
    with Building(out, config) as building, progress_on_stderr() as progress:
        made = inject(subjects, choice, bench, building, workers=workers, progress=progress)
        baselines = building.baselines
        refusals += unusable(baselines.values())
        if not any(baseline.passing for baseline in baselines.values()):
            building.finish()
            raise _nothing_made(subject, baselines, refusals)
        provenance = Provenance(source=_source(subject), seed=seed, tools=dict(config.tools))
        trees = [loaded.tree for loaded in subjects]
        write_taskset(out, made.tasks, trees, name=out.name, provenance=provenance, dropped=made.dropped, build=config)
        remember_python(out, bench.interpreter.executable)
        building.finish()
    show_refusals(refusals, "cannot be used as subjects")
    _print(out, subjects, baselines, made, refusals, as_json)


def _nothing_made(subject: str, baselines: dict[str, Baseline], refusals: list[Refusal]) -> SubjectError:
    if not baselines and not refusals:
        what, hint = "no operator finds anything to change in it", "choose others: see `mendlab mutators list`"
        return SubjectError(what, where=subject, hint=hint)
    what = f"nothing to inject into: {refusals[0].reason if refusals else 'there is no program with tests'}"
    return SubjectError(what, where=subject, hint="its tests must pass as it is")


def _source(subject: str) -> str:
    """Return the specification without the places of this machine."""
    name, colon, path = subject.rpartition(":")
    return f"{name}{colon}{Path(path).name}" if "/" in path else subject


def _config(subject: str, subjects: list[LoadedSubject], choice: Choice, bench: Bench) -> BuildConfig:
    return BuildConfig(
        command="inject",
        parameters={
            "subject": _source(subject),
            "snapshots": [loaded.subject.snapshot for loaded in subjects],
            "seed": choice.seed,
            "operators": None if choice.operators is None else list(choice.operators),
            "sampling": choice.strategy,
            "limit": choice.limit,
            "per_function": choice.per_function,
            "python": bench.interpreter.version_text,
        },
        tools={**tool_versions(), **origins(choice.operators)},
    )


def _print(
    out: Path,
    subjects: list[LoadedSubject],
    baselines: dict[str, Baseline],
    made: Injected,
    refusals: list[Refusal],
    as_json: bool,
) -> None:
    usable = sum(bool(baseline.passing) for baseline in baselines.values())
    set_aside = {b.subject: [*(r.test_id for r in b.failing), *b.flaky] for b in baselines.values() if b.passing}
    set_aside = {subject: tests for subject, tests in set_aside.items() if tests}
    if as_json:
        print_json(
            {
                "taskset": str(out),
                "subjects": len(subjects),
                "examined": len(baselines),
                "usable": usable,
                "tasks": len(made.tasks),
                "dropped": made.dropped,
                "tests_set_aside": set_aside,
                "refused": refusals_json(refusals),
            }
        )
        return
    for subject, tests in sorted(set_aside.items()):
        note(f"{subject}: {len(tests)} tests do not pass every time and are set aside, {tests[0]} first")
    rows: list[tuple[str, object]] = [
        ("subjects", len(subjects)),
        ("of these examined", len(baselines)),
        ("of these usable", usable),
        ("tasks", len(made.tasks)),
    ]
    rows += [(f"dropped: {reason.replace('_', ' ')}", count) for reason, count in sorted(made.dropped.items())]
    print_table("", ("", ""), rows, right=(1,))
    click.echo(f"task set: {out}")
