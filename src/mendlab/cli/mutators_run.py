"""``mendlab mutators run``: the mutants of a file or a directory, printed, counted or written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from mendlab.cli.operators import operator_names, templates_option
from mendlab.cli.options import example, existing_path, json_option, new_path, seed_option
from mendlab.cli.output import note, patient, print_json, print_table, progress_on_stderr, refusals_json, show_refusals
from mendlab.mutators import Mutant, sample
from mendlab.mutators.choosing.picking import Lines, functions_named, inside
from mendlab.mutators.choosing.sampling import STRATEGIES
from mendlab.mutators.surveying.sources import Sources, mutants_of, read_path
from mendlab.mutators.surveying.writing import as_json as mutant_json
from mendlab.mutators.surveying.writing import check_new_folder, write_mutants
from mendlab.workers import Progress


class _LinesType(click.ParamType[Lines]):
    name = "A-B"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Lines:
        if isinstance(value, Lines):
            return value
        found = re.fullmatch(r"(\d+)(?:-(\d+))?", str(value))
        if found is None or not 1 <= int(found[1]) <= int(found[2] or found[1]):
            self.fail(f"{value!r} is not a line as 12, or lines as 12-20", param, ctx)
        return Lines(int(found[1]), int(found[2] or found[1]))


@click.command(
    "run",
    short_help="Print, count or write the mutants of a program.",
    epilog=example(
        "mendlab mutators run module.py --function Parser.read",
        "mendlab mutators run module.py --sample 5 --strategy natural",
        "mendlab mutators run src --operators missing-logic --count",
    ),
)
@click.argument("path", type=existing_path)
@click.option("--operators", "names", help="Operators or families, separated by commas. [default: all]")
@templates_option
@click.option("--function", help="Only inside the functions of this name; Class.method is one.")
@click.option("--lines", type=_LinesType(), help="Only what changes these lines, as 12 or 12-20; PATH is a file.")
@click.option("--sample", "size", type=click.IntRange(0), help="Only so many, chosen by --seed and --strategy.")
@click.option("--strategy", type=click.Choice(STRATEGIES), help="How --sample chooses. [default: uniform]")
@seed_option
@click.option("--count", is_flag=True, help="Only count them, by operator.")
@click.option("--out", type=new_path, help="Write them into this new folder: a diff each, and an index.")
@click.option("--whole-files", is_flag=True, help="With --out: the mutated file each, instead of a diff.")
@json_option
def run_command(
    path: Path,
    names: str | None,
    function: str | None,
    lines: Lines | None,
    size: int | None,
    strategy: str | None,
    seed: int,
    count: bool,
    out: Path | None,
    whole_files: bool,
    as_json: bool,
) -> None:
    """Print the diff of every mutant of PATH, a .py file or a directory of them."""
    _check(path, lines=lines, size=size, strategy=strategy, count=count, out=out, whole_files=whole_files)
    if out is not None:
        check_new_folder(out)
    chosen = operator_names(names)
    sources = read_path(path)
    show_refusals(sources.refusals, "cannot be mutated")
    if function is None:
        functions = None
    else:
        functions = functions_named(function, (each for source in sources.files for each in source.functions))
    streamed = size is None and out is None and not count and not as_json
    with progress_on_stderr() as report:
        found = _mutants(sources, chosen, (lambda *_: None) if streamed else patient(report))
        mutants: Iterable[Mutant] = inside(found, functions, lines)
        if size is not None:
            mutants = sample(mutants, size, seed=seed, strategy=strategy or "uniform")
        if streamed:
            _print(mutants)
            return
        if out is not None:
            by_path = {source.path: source for source in sources.files}
            written = write_mutants(out, mutants, by_path, whole_files=whole_files)
        else:
            mutants = list(mutants)
    if out is not None:
        _print_written(out, written, as_json)
    elif count:
        _print_counts(mutants, as_json)
    elif as_json:
        refused = refusals_json(sources.refusals)
        print_json({"mutants": [mutant_json(each) for each in mutants], "refused": refused})
    else:
        _print(mutants)


def _check(
    path: Path,
    *,
    lines: Lines | None,
    size: int | None,
    strategy: str | None,
    count: bool,
    out: Path | None,
    whole_files: bool,
) -> None:
    """Refuse options that would have no effect."""
    if lines is not None and path.is_dir():
        raise click.UsageError(f"--lines needs a file, and {path} is a directory")
    if strategy is not None and size is None:
        raise click.UsageError("--strategy needs --sample")
    if whole_files and out is None:
        raise click.UsageError("--whole-files needs --out")
    if count and out is not None:
        raise click.UsageError("--count and --out exclude each other")


def _mutants(sources: Sources, names: tuple[str, ...] | None, progress: Progress) -> Iterator[Mutant]:
    several = len(sources.files) > 1
    for done, source in enumerate(sources.files, start=1):
        for number, mutant in enumerate(mutants_of(source, names), start=1):
            yield mutant
            if not several and number % 100 == 0:
                progress("mutants made", number, None)
        if several:
            progress("files mutated", done, len(sources.files))


def _print(mutants: Iterable[Mutant]) -> None:
    any_at_all = False
    for each in mutants:
        any_at_all = True
        place = f"  {each.function}" if each.function else ""
        click.echo(f"{each.id}  {each.operator}  line {each.span.start_line}{place}")
        click.echo(each.diff)
    if not any_at_all:
        note("0 mutants")


def _print_counts(mutants: Iterable[Mutant], as_json: bool) -> None:
    counts = Counter(each.operator for each in mutants)
    if as_json:
        print_json({"total": counts.total(), "operators": dict(sorted(counts.items()))})
        return
    print_table("", ("operator", "mutants"), [*sorted(counts.items()), ("all", counts.total())], right=(1,))


def _print_written(out: Path, written: int, as_json: bool) -> None:
    if as_json:
        print_json({"out": str(out), "mutants": written})
    else:
        click.echo(f"{written} mutants\nfolder: {out}")
