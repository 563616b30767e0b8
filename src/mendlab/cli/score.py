"""``mendlab score``: mutation testing, with the ways in which a mutant can end kept apart."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from mendlab.cli import fail
from mendlab.cli.opening import note_set_aside, nothing_to_do, open_subject, tests_set_aside
from mendlab.cli.operators import operator_names, templates_option
from mendlab.cli.options import bench_options, example, json_option, new_path, seed_option
from mendlab.cli.output import note, print_json, progress_on_stderr, show_refusals
from mendlab.cli.places import source_name
from mendlab.cli.score_output import print_score, score_json
from mendlab.corpora.candidates import LoadedSubject
from mendlab.corpora.score_folder import ScoreFolder
from mendlab.mutators.choosing.sampling import STRATEGIES
from mendlab.mutators.registry import origins
from mendlab.mutators.scoring.score import Scope, score
from mendlab.mutators.scoring.summary import Counts
from mendlab.records import BuildConfig
from mendlab.verify.bench import Bench
from mendlab.versions import tool_versions

SURVIVORS_SHOWN = 5


@click.command(
    "score",
    epilog=example(
        "mendlab score ./myproject --sample 100",
        "mendlab score ./myproject --function Parser.read --full",
        "mendlab score ./myproject --out score --fail-under 80",
        "mendlab score module_with_doctests.py",
        "mendlab score humaneval --sample 200 --json",
    ),
)
@click.argument("subject")
@click.option("--operators", help="Operators or families, separated by commas. [default: all]")
@templates_option
@click.option("--function", help="Only inside the functions of this name; Class.method is one.")
@click.option(
    "--sample", "--limit", "size", type=click.IntRange(1), help="Only so many, chosen by --seed and --strategy."
)
@click.option("--strategy", type=click.Choice(STRATEGIES), help="How --sample chooses. [default: uniform]")
@click.option(
    "--full",
    is_flag=True,
    help="Run every test that reaches a mutant, to know all that kill it. [default: stop at the first]",
)
@click.option("--out", type=new_path, help="Folder of the verdicts, to go on from. [default: none is kept]")
@click.option(
    "--show-survivors",
    "shown",
    type=click.IntRange(0),
    default=SURVIVORS_SHOWN,
    show_default=True,
    metavar="N",
    help="Most diffs of surviving mutants to print.",
)
@click.option("--fail-under", type=click.FloatRange(0, 100), metavar="PERCENT", help="Exit code 1 below this score.")
@seed_option
@bench_options
@json_option
def command(
    subject: str,
    operators: str | None,
    function: str | None,
    size: int | None,
    strategy: str | None,
    full: bool,
    out: Path | None,
    shown: int,
    fail_under: float | None,
    seed: int,
    workers: int,
    python: Path | None,
    allow_unconfined: bool,
    as_json: bool,
) -> None:
    """Run the tests of SUBJECT on mutants of it, and tell which they kill: the mutation score.

    The score is the share killed by a failing test, of those killed or surviving. Timeouts, broken imports, mutants
    that no test reaches and mutants of equal code are counted apart. SUBJECT is as for `mendlab inject`. With --out,
    the same command goes on where it was stopped.
    """
    if strategy is not None and size is None:
        raise click.UsageError("--strategy needs --sample")
    scope = Scope(
        seed=seed,
        operators=operator_names(operators),
        function=function,
        size=size,
        strategy=strategy or "uniform",
        full=full,
    )
    bench, subjects, refusals = open_subject(subject, python, allow_unconfined=allow_unconfined)
    config = _config(subject, subjects, scope, bench)
    with _folder(out, config) as folder, progress_on_stderr() as progress:
        if folder.finished is not None:
            note(f"{out} was made by this very command before: nothing is left to do")
        scored = score(subjects, scope, bench, folder, workers=workers, progress=progress)
        baselines = folder.baselines
        if not scored.verdicts:
            folder.remove()
    refusals = [*scored.refused, *refusals]
    if not scored.verdicts:
        raise nothing_to_do(subject, refusals)
    show_refusals(refusals, "cannot be scored")
    note_set_aside(tests_set_aside(baselines.values()))
    if as_json:
        print_json(score_json(scored, baselines, refusals, full=full, out=out))
    else:
        print_score(scored, baselines, shown=shown, full=full, out=out)
    _check(Counts.of(scored.verdicts), fail_under)


@contextmanager
def _folder(out: Path | None, config: BuildConfig) -> Iterator[ScoreFolder]:
    """The folder that was named, or one that is removed in the end; an interruption then says so."""
    if out is not None:
        with ScoreFolder(out, config) as folder:
            yield folder
        return
    with tempfile.TemporaryDirectory(prefix="mendlab-score-") as scratch, ScoreFolder(Path(scratch), config) as folder:
        try:
            yield folder
        except KeyboardInterrupt:
            fail(f"interrupted; {len(folder.verdicts)} verdicts are lost: name a folder with --out to keep them", 130)


def _config(subject: str, subjects: list[LoadedSubject], scope: Scope, bench: Bench) -> BuildConfig:
    return BuildConfig(
        command="score",
        parameters={
            "subject": source_name(subject),
            "program_files": [loaded.subject.snapshot for loaded in subjects],
            "seed": scope.seed,
            "operators": None if scope.operators is None else list(scope.operators),
            "function": scope.function,
            "sample": scope.size,
            "strategy": scope.strategy,
            "full": scope.full,
            "python": bench.interpreter.version_text,
        },
        tools={**tool_versions(), **origins(scope.operators)},
    )


def _check(counts: Counts, fail_under: float | None) -> None:
    """End with 1 if the score is below what was asked for."""
    if fail_under is None:
        return
    if counts.score is None:
        note(f"no score, which is not {fail_under:g}% or more")
    elif 100 * counts.score < fail_under:
        note(f"the score of {100 * counts.score:.1f}% is below {fail_under:g}%")
    else:
        return
    click.get_current_context().exit(1)
