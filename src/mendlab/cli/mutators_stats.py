"""``mendlab mutators stats``: how many mutants there are of programs, by every class of operators."""

from __future__ import annotations

import textwrap
from collections import Counter
from dataclasses import asdict

import click

from mendlab.cli.operators import operator_names, templates_option
from mendlab.cli.options import example, json_option
from mendlab.cli.output import patient, print_json, print_table, progress_on_stderr, refusals_json, show_refusals
from mendlab.mutators import get_operator
from mendlab.mutators.surveying.sources import read_specification
from mendlab.mutators.surveying.statistics import Statistics, count_mutants


@click.command(
    "stats",
    short_help="Count the mutants of programs, by class.",
    epilog=example("mendlab mutators stats module.py src", "mendlab mutators stats humaneval"),
)
@click.argument("subjects", nargs=-1, required=True)
@click.option("--operators", "names", help="Operators or families, separated by commas. [default: all]")
@templates_option
@json_option
def stats_command(subjects: tuple[str, ...], names: str | None, as_json: bool) -> None:
    """Count the mutants of SUBJECTS: .py files, directories of them, and subjects as for `mendlab inject`."""
    chosen = operator_names(names)
    read = [read_specification(spec) for spec in subjects]
    refusals = [refusal for sources in read for refusal in sources.refusals]
    with progress_on_stderr() as progress:
        found = count_mutants([source for sources in read for source in sources.files], chosen, patient(progress))
    show_refusals(refusals, "cannot be mutated")
    if as_json:
        print_json({**asdict(found), "refused": refusals_json(refusals)})
    else:
        _print(found)


def _print(found: Statistics) -> None:
    rows: list[tuple[str, object]] = [("files", found.files), ("mutants", found.mutants)]
    rows += [(f"left out: {reason}", count) for reason, count in _reasons(found.left_out).items()]
    if found.per_function is not None:
        spread = found.per_function
        rows.append(("a function: least, median, most", f"{spread.least}, {spread.median:g}, {spread.most}"))
    print_table("", ("", ""), rows)
    for title, counts in (
        ("family", found.by_family),
        ("HumanEvalFix type", found.by_bug_type),
        ("ODC defect type", found.by_odc),
    ):
        click.echo()
        counted = [(each, count, _percent(count, found.mutants)) for each, count in counts.items()]
        print_table("", (title, "mutants", "%"), counted, right=(1, 2))
    click.echo()
    patterns = [
        (pattern, count, _percent(count, found.mutants), f"{found.natural[pattern]:.1f}")
        for pattern, count in found.by_pattern.items()
    ]
    print_table("", ("TSSB pattern of the fix", "mutants", "%", "% of natural draws"), patterns, right=(1, 2, 3))
    click.echo()
    operators = [
        (name, get_operator(name).family, count, _percent(count, found.mutants))
        for name, count in found.by_operator.items()
    ]
    print_table("", ("operator", "family", "mutants", "%"), operators, right=(2, 3))
    if found.idle:
        click.echo(f"\n{len(found.idle)} operators found no place:")
        names = textwrap.fill(", ".join(found.idle), 78, break_on_hyphens=False)
        click.echo(textwrap.indent(names, "  "))


def _reasons(left_out: dict[str, int]) -> dict[str, int]:
    """The counts with all rules of equivalence together."""
    reasons: Counter[str] = Counter()
    for reason, count in left_out.items():
        reasons[reason.partition(":")[0]] += count
    return dict(sorted(reasons.items()))


def _percent(count: int, total: int) -> str:
    return f"{100 * count / total:.1f}" if total else "0.0"
