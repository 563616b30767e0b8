"""``mendlab inject``: defects put into programs that have tests, and kept where the tests tell."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from mendlab.cli.opening import note_set_aside, nothing_to_do, open_subject, tests_set_aside
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
from mendlab.cli.places import remember_python, source_name
from mendlab.corpora.building import Building, finished
from mendlab.corpora.candidates import LoadedSubject, Refusal
from mendlab.corpora.taskset import write_taskset
from mendlab.errors import InputError
from mendlab.mutators.choosing.preference import PREFERENCES, Preference, median_kill_fraction
from mendlab.mutators.choosing.sampling import STRATEGIES
from mendlab.mutators.injecting.higher_order import ACROSS, Across
from mendlab.mutators.injecting.inject import Choice, Injected, check, inject
from mendlab.mutators.injecting.making import OVERSAMPLE, TRIES, mix_of, orders_of
from mendlab.mutators.registry import origins
from mendlab.records import Baseline, BuildConfig, Provenance
from mendlab.reports.difficulty.scoring import grade_of
from mendlab.verify.bench import Bench
from mendlab.verify.detection.baseline import unusable
from mendlab.versions import tool_versions


@click.command(
    "inject",
    epilog=example(
        "mendlab inject humaneval --out tasks --limit 100",
        "mendlab inject ./myproject --out tasks --per-function 3",
        "mendlab inject mbpp:mbpp.jsonl --operators operator --out tasks",
        "mendlab inject humaneval --out tasks --limit 50 --prefer hard",
        "mendlab inject ./myproject --out tasks --limit 20 --order 2 --across files",
        "mendlab inject humaneval --out tasks --difficulty easy:50,medium:100,hard:50 --order 1-3",
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
    help="In which order mutants are tried: each alike, each operator or family alike, or as often as people make "
    "them. Programs and functions take turns in any case.",
)
@click.option(
    "--prefer",
    type=click.Choice(PREFERENCES),
    default="any",
    show_default=True,
    help="Which of the detected defects become tasks: any, those that the fewest tests detect, or a spread over the "
    "share of the tests that detect them.",
)
@click.option(
    "--oversample",
    type=click.IntRange(2),
    metavar="N",
    help=f"With --prefer hard or spread: one of N detected defects becomes a task. [default: {OVERSAMPLE}]",
)
@click.option(
    "--order",
    default="1",
    show_default=True,
    metavar="ORDER",
    help="How many mutants make one defect: 1, 2, 3, or a mix, as 1-3 or 1,2. Fewer tests detect it than each of "
    "them alone.",
)
@click.option(
    "--across",
    type=click.Choice(ACROSS),
    default="any",
    show_default=True,
    help="Where these mutants stand: in one function, in functions that call each other, in several files, or in one "
    "of the first two.",
)
@click.option(
    "--difficulty",
    metavar="MIX",
    help="Which grades the tasks are to have: easy, medium or hard, with --limit, or a mix, as "
    "easy:50,medium:100,hard:50. See `mendlab grade`.",
)
@click.option(
    "--tries",
    type=click.IntRange(1),
    default=TRIES,
    show_default=True,
    metavar="N",
    help="With an order above 1 or --difficulty: most mutants and combinations tried for each task wanted.",
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
    prefer: Preference,
    oversample: int | None,
    order: str,
    across: Across,
    difficulty: str | None,
    tries: int,
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
    if oversample is not None and prefer == "any":
        raise InputError("any defect is as good as another", hint="with --oversample give --prefer hard or spread")
    mix = () if difficulty is None else mix_of(difficulty, limit)
    choice = Choice(
        seed=seed,
        operators=chosen,
        strategy=sampling,
        limit=sum(count for _, count in mix) or limit,
        per_function=per_function,
        prefer=prefer,
        oversample=1 if prefer == "any" else oversample or OVERSAMPLE,
        orders=orders_of(order),
        across=across,
        tries=tries,
        mix=mix,
        grade=grade_of if mix else None,
    )
    bench, subjects, refusals = open_subject(subject, python, allow_unconfined=allow_unconfined)
    check(choice, subjects)
    config = _config(subject, subjects, choice, bench)
    if (manifest := finished(out, config)) is not None:
        print_finished(out, manifest, as_json)
        return
    with Building(out, config) as building, progress_on_stderr() as progress:
        made = inject(subjects, choice, bench, building, workers=workers, progress=progress)
        baselines = building.baselines
        refusals = [*unusable(baselines.values()), *refusals]
        if not any(baseline.passing for baseline in baselines.values()):
            building.finish()
            raise nothing_to_do(subject, refusals)
        provenance = Provenance(source=source_name(subject), seed=seed, tools=dict(config.tools))
        trees = [loaded.tree for loaded in subjects]
        write_taskset(out, made.tasks, trees, name=out.name, provenance=provenance, dropped=made.dropped, build=config)
        remember_python(out, bench.interpreter.executable)
        building.finish()
    show_refusals(refusals, "cannot be used as subjects")
    _print(out, subjects, baselines, made, refusals, choice, as_json)


def _config(subject: str, subjects: list[LoadedSubject], choice: Choice, bench: Bench) -> BuildConfig:
    return BuildConfig(
        command="inject",
        parameters={
            "subject": source_name(subject),
            "snapshots": [loaded.subject.snapshot for loaded in subjects],
            "seed": choice.seed,
            "operators": None if choice.operators is None else list(choice.operators),
            "sampling": choice.strategy,
            "limit": choice.limit,
            "per_function": choice.per_function,
            "prefer": choice.prefer,
            "oversample": choice.oversample,
            "order": list(choice.orders),
            "across": choice.across,
            "tries": choice.tries,
            **({"difficulty": {str(grade): count for grade, count in choice.mix}} if choice.mix else {}),
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
    choice: Choice,
    as_json: bool,
) -> None:
    usable = sum(bool(baseline.passing) for baseline in baselines.values())
    set_aside = tests_set_aside(baselines.values())
    if as_json:
        print_json(
            {
                "taskset": str(out),
                "subjects": len(subjects),
                "examined": len(baselines),
                "usable": usable,
                "candidates": _candidates(made),
                "tasks": len(made.tasks),
                "wanted": choice.limit,
                **({} if choice.orders == (1,) else {"tags": _tags(made)}),
                **({"difficulty": _grades(made, choice)} if choice.mix else {}),
                "kill_fraction": median_kill_fraction(made.tasks),
                "dropped": made.dropped,
                "tests_set_aside": set_aside,
                "refused": refusals_json(refusals),
            }
        )
        return
    note_set_aside(set_aside)
    rows: list[tuple[str, object]] = [
        ("subjects", len(subjects)),
        ("of these examined", len(baselines)),
        ("of these usable", usable),
        ("candidates", _candidates(made)),
        ("of these tasks", len(made.tasks)),
    ]
    rows += [(f"of these dropped: {reason.replace('_', ' ')}", count) for reason, count in sorted(made.dropped.items())]
    if choice.orders != (1,):
        rows += [(f"tasks that are {what}", count) for what, count in _tags(made).items()]
    rows += [(f"tasks that are {grade}", count) for grade, count in _grades(made, choice).items()]
    if (fraction := median_kill_fraction(made.tasks)) is not None:
        rows.append(("tests that fail on a task, median", f"{fraction:.0%}"))
    print_table("", ("", ""), rows, right=(1,))
    if (choice.orders != (1,) or choice.mix) and choice.limit is not None and len(made.tasks) < choice.limit:
        more = "more --tries, or another --seed" if choice.orders != (1,) else "--order 1-3, or more --tries"
        note(f"{len(made.tasks)} of {choice.limit} tasks were found; {more}, may find more")
    click.echo(f"task set: {out}")


def _candidates(made: Injected) -> int:
    """Return how many changes were looked at: each is a task, or dropped for one reason."""
    return len(made.tasks) + sum(made.dropped.values())


def _grades(made: Injected, choice: Choice) -> dict[str, int]:
    """Return how many tasks there are of each grade that was wanted."""
    counts = Counter(task.difficulty.grade for task in made.tasks if task.difficulty is not None)
    return {grade: counts[grade] for grade, _ in choice.mix}


def _tags(made: Injected) -> dict[str, int]:
    """Return how many tasks have each tag: their order above 1, several files, strong subsumption."""
    return dict(sorted(Counter(tag for task in made.tasks for tag in task.tags).items()))
