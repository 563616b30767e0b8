"""Options that several commands share."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

WIDTH = 80

F = TypeVar("F", bound=Callable[..., Any])

existing_path = click.Path(path_type=Path, exists=True)
existing_file = click.Path(path_type=Path, exists=True, dir_okay=False)
new_path = click.Path(path_type=Path)
new_file = click.Path(path_type=Path, dir_okay=False)


def json_option(function: F) -> F:
    """``--json``: the result as one JSON object on standard output."""
    return click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")(function)


def bench_options(function: F) -> F:
    """How tests are run: by which interpreter, how many at a time, and whether unconfined if need be."""
    for option in (
        click.option(
            "--allow-unconfined",
            "--allow-unsafe-execution",
            "allow_unconfined",
            is_flag=True,
            help="Run untrusted code without confinement where this machine cannot confine it.",
        ),
        click.option(
            "--workers",
            type=click.IntRange(1),
            default=os.cpu_count() or 1,
            show_default="number of cores",
            help="How many to run side by side.",
        ),
        click.option(
            "--python",
            type=click.Path(path_type=Path),
            help="Interpreter or virtual environment of the subject. "
            "[default: the project's .venv, or the one that the task set was made with, else mendlab's own]",
        ),
    ):
        function = option(function)
    return function


def seed_option(function: F) -> F:
    """``--seed``: everything that is chosen by chance is chosen by this."""
    return click.option("--seed", type=int, default=0, show_default=True, help="Seed of every random choice.")(function)


def example(*lines: str) -> str:
    """Return an epilog that shows how a command is used, as a shell reads it; long lines go on before an option."""
    return "\b\nExamples:\n" + "\n".join(f"  {_broken(line)}" for line in lines)


def _broken(line: str) -> str:
    parts, room = line.split(" --"), WIDTH - 4  # of indent
    lines = [parts[0]]
    for part in parts[1:]:
        if len(lines[-1]) + len(f" --{part} \\") > room:
            lines[-1] += " \\"
            lines.append(f"      --{part}")
        else:
            lines[-1] += f" --{part}"
    return "\n".join(lines)
