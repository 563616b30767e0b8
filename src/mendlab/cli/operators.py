"""Operators and families as they are named on the command line, and where more of them come from."""

from __future__ import annotations

from pathlib import Path

import click

from mendlab.cli.options import F, existing_file
from mendlab.cli.output import note
from mendlab.mutators.learned import load_templates
from mendlab.mutators.registry import broken_plugins, select


def operator_names(text: str | None) -> tuple[str, ...] | None:
    """Return the operators and families of a list with commas, or None where none is given.

    Raises:
        InputError: there is no such operator or family; near names are in the hint.
    """
    note_broken_plugins()
    if text is None:
        return None
    names = tuple(name.strip() for name in text.split(","))
    select(names)
    return names


def note_broken_plugins() -> None:
    """Say on standard error which plugins are left out, and why."""
    for plugin in broken_plugins():
        note(f"plugin {plugin.origin} is left out: {plugin.reason}")


def templates_option(function: F) -> F:
    """``--templates``: the operators of a file of templates are there too, before any names are looked at."""
    return click.option(
        "--templates",
        type=existing_file,
        multiple=True,
        is_eager=True,
        expose_value=False,
        callback=_load,
        help="File of learned templates: adds the operators of the family `learned`. May be given again.",
    )(function)


def _load(_: click.Context, __: click.Parameter, files: tuple[Path, ...]) -> None:
    for file in files:
        load_templates(file)
