"""``mendlab mutators``: the catalogue of mutation operators, and what they make of a file."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import click

from mendlab.cli.mutators_run import run_command
from mendlab.cli.mutators_stats import stats_command
from mendlab.cli.operators import note_broken_plugins, templates_option
from mendlab.cli.options import example, json_option, new_file
from mendlab.cli.output import print_json, print_table
from mendlab.errors import InputError, OutputError
from mendlab.mutators import Operator, describe, families, get_operator, operators
from mendlab.mutators.registry import select
from mendlab.mutators.registry.catalogue_page import catalogue_page, write_catalogue_page
from mendlab.mutators.registry.taxonomy import BUG_TYPES, ODC, PATTERNS, TERMS


@click.group("mutators")
def command() -> None:
    """List the mutation operators, show one with its examples, and run or count them on programs."""


@command.command(
    "list",
    short_help="List the operators by family.",
    epilog=example("mendlab mutators list", "mendlab mutators list --family control --json"),
)
@click.option("--family", help="Only this family.")
@click.option("--bug-type", type=click.Choice(BUG_TYPES), metavar="TYPE", help=f"Only {', '.join(BUG_TYPES)}.")
@click.option(
    "--pattern",
    type=click.Choice(PATTERNS),
    metavar="PATTERN",
    help="Only what is fixed by this TSSB pattern, as `change identifier`; any other word is answered with all 20.",
)
@click.option("--odc", type=click.Choice(ODC), metavar="TYPE", help=f"Only {', '.join(ODC)}.")
@templates_option
@json_option
def list_command(family: str | None, bug_type: str | None, pattern: str | None, odc: str | None, as_json: bool) -> None:
    """List the operators by family, with what each does."""
    note_broken_plugins()
    if family is not None and family not in families():
        raise InputError(f"there is no family {family!r}", hint=f"families: {', '.join(families())}")
    wanted = {"family": family, "bug_type": bug_type, "pattern": pattern, "odc": odc}
    chosen = [op for op in operators() if all(value in (None, getattr(op, name)) for name, value in wanted.items())]
    if as_json:
        _print_json(chosen)
        return
    _print_families(chosen)


def _print_json(chosen: Sequence[Operator]) -> None:
    print_json({"total": len(chosen), "operators": [describe(op) for op in chosen]})


def _print_families(chosen: Sequence[Operator]) -> None:
    width = max((len(op.name) for op in chosen), default=0)
    by_family = {name: list(group) for name, group in groupby(chosen, key=lambda op: op.family)}
    for name, group in by_family.items():
        print_table(f"{name} ({len(group)})", ("", ""), [(f"  {op.name:{width}}", op.summary) for op in group])
        click.echo()
    click.echo(f"{len(chosen)} operators in {len(by_family)} {'family' if len(by_family) == 1 else 'families'}")


@command.command(
    "show",
    short_help="Show one operator with its examples, or the operators of a family.",
    epilog=example("mendlab mutators show comparison-swapped", "mendlab mutators show control"),
)
@click.argument("name")
@templates_option
@json_option
def show_command(name: str, as_json: bool) -> None:
    """Show one operator: what it is called elsewhere, its classes, whose it is, and its examples.

    Of a family its operators are listed.
    """
    note_broken_plugins()
    if name in families():
        members = select([name])
        if as_json:
            _print_json(members)
        else:
            _print_families(members)
        return
    described = describe(get_operator(name))
    if as_json:
        print_json(described)
        return
    rows = [
        ("operator", described["name"]),
        ("family", described["family"]),
        ("what it does", described["summary"]),
        ("term in the literature", _in_full(described["term"])),
        ("ODC defect type", described["odc"]),
        ("HumanEvalFix type", described["bug_type"]),
        ("TSSB pattern of the fix", described["pattern"]),
        ("inverse", described["inverse"]),
        ("called on", ", ".join(described["nodes"])),
        ("from", described["origin"]),
    ]
    print_table("", ("", ""), [(label, value or "none") for label, value in rows])
    for one in described["examples"]:
        click.echo(f"\n{one['diff'].rstrip()}")


def _in_full(term: str | None) -> str | None:
    return f"{term}, {TERMS[term]}" if term in TERMS else term


@command.command(
    "docs",
    short_help="Write the documentation's page of operators.",
    epilog=example("mendlab mutators docs", "mendlab mutators docs --out docs/mutators.md"),
)
@click.option("--out", type=new_file, help="Write the page there. [default: print it]")
@json_option
def docs_command(out: Path | None, as_json: bool) -> None:
    """Write the page of the documentation that describes every operator of mendlab's own."""
    if out is None:
        page = catalogue_page()
        if as_json:
            print_json({"text": page})
        else:
            click.echo(page, nl=False)
        return
    if out.exists() and not out.is_file():
        raise OutputError("is no regular file", where=out, hint="name another place, or leave out --out to print it")
    count = write_catalogue_page(out)
    if as_json:
        print_json({"page": str(out), "operators": count})
    else:
        click.echo(f"{count} operators\npage: {out}")


command.add_command(run_command)
command.add_command(stats_command)
