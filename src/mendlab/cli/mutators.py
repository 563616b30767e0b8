"""``mendlab mutators``: the catalogue of mutation operators, and what they make of a file."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from mendlab.cli.operators import operator_names
from mendlab.cli.options import example, existing_file, json_option
from mendlab.cli.output import print_json, print_table
from mendlab.corpora.python_source import parse_python
from mendlab.corpora.text import decode
from mendlab.errors import InputError
from mendlab.mutators import Mutant, Operator, enumerate_mutants, get_operator, operators


@click.group("mutators")
def command() -> None:
    """List the mutation operators, show one with its examples, or run them on a file."""


@command.command("list", epilog=example("mendlab mutators list", "mendlab mutators list --family control"))
@click.option("--family", help="Only this family.")
@json_option
def list_command(family: str | None, as_json: bool) -> None:
    """List every operator with its family and its term in the literature."""
    chosen = [each for each in operators() if family in (None, each.family)]
    if not chosen:
        known = ", ".join(sorted({each.family for each in operators()}))
        raise InputError(f"there is no family {family!r}", hint=f"families: {known}")
    if as_json:
        print_json({"operators": [_described(each) for each in chosen]})
        return
    rows = [(each.name, each.family, each.summary) for each in chosen]
    print_table("", ("operator", "family", "what it does"), rows)


@command.command("show", epilog=example("mendlab mutators show comparison-swapped"))
@click.argument("name")
@json_option
def show_command(name: str, as_json: bool) -> None:
    """Show one operator: what it is called elsewhere, its classes, and its examples."""
    chosen = get_operator(name)
    described = _described(chosen)
    if as_json:
        print_json(described)
        return
    print_table("", ("", ""), [(key, value or "none") for key, value in described.items() if key != "examples"])
    for one in described["examples"]:
        click.echo()
        click.echo("\n".join(f"- {line}" for line in one["before"].splitlines()))
        click.echo("\n".join(f"+ {line}" for line in one["after"].splitlines()))


@command.command("run", epilog=example("mendlab mutators run module.py", "mendlab mutators run module.py --count"))
@click.argument("file", type=existing_file)
@click.option("--operators", "names", help="Operators or families, separated by commas. [default: all]")
@click.option("--count", is_flag=True, help="Only count the mutants, by operator.")
@json_option
def run_command(file: Path, names: str | None, count: bool, as_json: bool) -> None:
    """Print the diff of every mutant of FILE."""
    chosen = operator_names(names)
    try:
        data = file.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", where=file) from error
    parse_python(str(file), data)
    text = decode(file.name, data).text
    mutants = enumerate_mutants(text, operators=chosen, path=file.name)
    if count:
        _print_counts(list(mutants), as_json)
    elif as_json:
        print_json({"mutants": [_mutant(each) for each in mutants]})
    else:
        for each in mutants:
            click.echo(f"{each.id}  {each.operator}  line {each.span.start_line}")
            click.echo(each.diff)


def _print_counts(mutants: list[Mutant], as_json: bool) -> None:
    counts: dict[str, int] = {}
    for each in mutants:
        counts[each.operator] = counts.get(each.operator, 0) + 1
    if as_json:
        print_json({"total": len(mutants), "operators": counts})
        return
    print_table("", ("operator", "mutants"), [*sorted(counts.items()), ("all", len(mutants))], right=(1,))


def _described(each: Operator) -> dict[str, Any]:
    fields = ("name", "family", "summary", "term", "odc", "bug_type", "pattern", "inverse")
    described: dict[str, Any] = {field: getattr(each, field) for field in fields}
    return {**described, "examples": [asdict(one) for one in each.examples]}


def _mutant(each: Mutant) -> dict[str, object]:
    return {
        "id": each.id,
        "operator": each.operator,
        "family": each.family,
        "function": each.function,
        "span": each.span.model_dump(),
        "diff": each.diff,
    }
