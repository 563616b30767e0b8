"""``mendlab inject``: defects put into programs that have tests, and kept where the tests tell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mendlab.cli.inject_output import print_injected
from mendlab.cli.inject_written import Writing
from mendlab.cli.model_options import calling_options, naming_options
from mendlab.cli.models import make_choice
from mendlab.cli.opening import nothing_to_do, open_subject
from mendlab.cli.operators import operator_names, templates_option
from mendlab.cli.options import bench_options, example, json_option, new_path, seed_option
from mendlab.cli.output import (
    print_finished,
    progress_on_stderr,
    show_refusals,
)
from mendlab.cli.places import remember_python, source_name
from mendlab.corpora.building import Building, finished
from mendlab.corpora.candidates import LoadedSubject
from mendlab.corpora.taskset import write_taskset
from mendlab.errors import InputError
from mendlab.mutators.choosing.preference import PREFERENCES, Preference
from mendlab.mutators.choosing.sampling import STRATEGIES
from mendlab.mutators.injecting.higher_order import ACROSS, Across
from mendlab.mutators.injecting.inject import Choice, check, inject
from mendlab.mutators.injecting.making import OVERSAMPLE, TRIES, mix_of, orders_of
from mendlab.mutators.registry import origins
from mendlab.mutators.written.inject import MODES, Mode
from mendlab.records import BuildConfig, Provenance
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
        "mendlab inject ./myproject --out tasks --limit 20 --model anthropic:NAME --max-cost 5",
        "mendlab inject humaneval --out tasks --model openai:NAME --write rewrite --dry-run",
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
@click.option(
    "--write",
    "mode",
    type=click.Choice(MODES),
    default="change",
    show_default=True,
    help="With --model: what it is told to do with a function: to change it for the worse, or to rewrite it from its "
    "docstring.",
)
@click.option("--behaviour", metavar="TEXT", help="With --model: what a change is to break. [default: several in turn]")
@click.option("--dry-run", is_flag=True, help="With --model: count calls, tokens and cost; send and write nothing.")
@calling_options
@naming_options
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
    mode: Mode,
    behaviour: str | None,
    dry_run: bool,
    seed: int,
    workers: int,
    python: Path | None,
    allow_unconfined: bool,
    as_json: bool,
    **model: Any,
) -> None:
    """Put defects into SUBJECT and keep those that its tests detect, as a task set.

    SUBJECT is a project directory with pytest tests, a .py file with asserts or doctests, `humaneval`,
    `humaneval:FILE`, `mbpp:FILE`, `bundled` or `bundled:NAME`. The same command goes on where it was stopped.

    With --model no operator makes the defects: the model is asked for each function, as often as --per-function says
    (once, else), and its answers are kept in OUT.answers, which --replay takes.
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
    writing = _writing(model, choice, mode, behaviour, dry_run)
    bench, subjects, refusals = open_subject(subject, python, allow_unconfined=allow_unconfined)
    check(choice, subjects)
    if writing is not None and dry_run:
        writing.dry_run(subjects, choice, as_json)
        return
    config = _config(subject, subjects, choice, bench, writing)
    if (manifest := finished(out, config)) is not None:
        print_finished(out, manifest, as_json)
        return
    with Building(out, config) as building, progress_on_stderr() as progress:
        make = inject if writing is None else writing.inject
        made = make(subjects, choice, bench, building, workers=workers, progress=progress)
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
    print_injected(out, subjects, baselines, made, refusals, choice, as_json)


def _writing(
    options: dict[str, Any], choice: Choice, mode: Mode, behaviour: str | None, dry_run: bool
) -> Writing | None:
    """The model that writes defects, if one is named.

    Raises:
        InputError: it is told what is for operators, or operators what is for a model.
    """
    if options["model"] is None:
        if dry_run or behaviour is not None or mode != "change":
            raise InputError("there is no model to tell this", hint="name one: --model PROVIDER:NAME")
        return None
    if (choice.operators, choice.prefer, choice.orders, choice.mix) != (None, "any", (1,), ()):
        hint = "leave --operators, --prefer, --order and --difficulty out"
        raise InputError("a model is told nothing of operators, and of no grade", hint=hint)
    if mode == "rewrite" and behaviour is not None:
        raise InputError("what is rewritten is not told what to break", hint="leave --behaviour out")
    return Writing(make_choice(**options), mode, behaviour, choice.seed)


def _config(
    subject: str, subjects: list[LoadedSubject], choice: Choice, bench: Bench, writing: Writing | None
) -> BuildConfig:
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
            **(writing.recorded() if writing is not None else {}),
        },
        tools={**tool_versions(), **origins(choice.operators)},
    )
