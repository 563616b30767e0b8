"""What a measurement hands back: tables for people, data for machines, and the goals it decides."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Goal:
    """A stated goal and what was measured of it."""

    name: str
    wanted: str
    measured: str
    met: bool


@dataclass(frozen=True, slots=True)
class Table:
    """A table of texts, with notes under it."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """The outcome of one measurement; ``data`` is plain JSON."""

    name: str
    tables: Sequence[Table] = ()
    data: dict[str, Any] = field(default_factory=dict)
    goals: Sequence[Goal] = ()


def markdown(table: Table) -> str:
    """The table in Markdown, its columns in line, so that it reads in a terminal, too."""
    rows = [list(table.columns), *map(list, table.rows)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(table.columns))]
    lines = [
        "| " + " | ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) + " |" for row in rows
    ]
    rule = "| " + " | ".join("-" * width for width in widths) + " |"
    notes = [f"- {note}" for note in table.notes]
    return "\n".join([f"### {table.title}", "", lines[0], rule, *lines[1:], *([""] if notes else []), *notes, ""])


def goals_table(goals: Sequence[Goal]) -> Table:
    """The goals, and which are met."""
    rows = [(goal.name, goal.wanted, goal.measured, "met" if goal.met else "MISSED") for goal in goals]
    return Table("Goals", ("goal", "wanted", "measured", ""), rows)


def write(sections: Sequence[Section], json_file: Path | None, markdown_file: Path | None) -> None:
    """What was measured so far, into the files that were asked for."""
    goals = [goal for section in sections for goal in section.goals]
    tables = [table for section in sections for table in section.tables] + [goals_table(goals)]
    about = {
        "mendlab": version("mendlab"), "python": platform.python_version(), "arguments": sys.argv[1:],
        "cores": os.cpu_count(), "load": os.getloadavg(),
    }  # fmt: skip
    found = {"about": about, **{section.name: section.data for section in sections}, "goals": [*map(asdict, goals)]}
    if markdown_file is not None:
        markdown_file.write_text("\n".join(map(markdown, tables)), encoding="utf-8")
    if json_file is not None:
        json_file.write_text(json.dumps(found, indent=1), encoding="utf-8")
