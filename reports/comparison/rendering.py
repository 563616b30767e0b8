"""A comparison for a terminal of 80 columns, as Markdown, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from mendlab.reports.comparison.compare import Comparison
from mendlab.reports.comparison.words import (
    CONTENDER_COLUMNS,
    PAIR_COLUMNS,
    contender_rows,
    pair_rows,
    sentences,
    tests,
)
from mendlab.reports.text import visible

Rows = Sequence[Sequence[str]]
_NAMES: Final = ("run", "pair")


def comparison_renderable(comparison: Comparison) -> RenderableType:
    """Return the comparison for a rich console; it fits in 80 columns."""
    parts: list[RenderableType] = [Text(visible(sentence), style="bold") for sentence in sentences(comparison)]
    parts.append(Padding(_table(CONTENDER_COLUMNS, contender_rows(comparison)), (1, 0, 0, 0)))
    if comparison.pairs:
        parts.append(Padding(_table(PAIR_COLUMNS, pair_rows(comparison)), (1, 0, 0, 0)))
        parts.append(Text(tests(comparison), style="dim"))
    parts += [Text(visible(f"! {caution}"), style="yellow") for caution in comparison.cautions]
    return Group(*parts)


def comparison_markdown(comparison: Comparison) -> str:
    """Return the comparison as Markdown, as for a pull request."""
    parts = [" ".join(_escaped(sentence) for sentence in sentences(comparison))]
    parts.append(_markdown_table(CONTENDER_COLUMNS, contender_rows(comparison)))
    if comparison.pairs:
        parts.append(_markdown_table(PAIR_COLUMNS, pair_rows(comparison)))
        parts.append(tests(comparison))
    parts += [f"- {_escaped(caution)}" for caution in comparison.cautions]
    return "\n\n".join(parts)


def comparison_json(comparison: Comparison) -> dict[str, Any]:
    """Return the comparison as a dictionary that ``json.dumps`` takes; rates are 0 to 1."""
    found = asdict(comparison)
    for one, contender in zip(found["contenders"], comparison.contenders, strict=True):
        for internal in ("counts", "counts_failing_infra", "is_bound"):
            del one[internal]
        one["range"] = contender.span
    for one, pair in zip(found["pairs"], comparison.pairs, strict=True):
        one["tied"] = pair.tied
    return {"sentences": list(sentences(comparison)), **found}


def _filled(columns: Sequence[str], rows: Rows) -> list[int]:
    """The columns in which there is something."""
    return [place for place in range(len(columns)) if any(row[place] for row in rows)]


def _table(columns: Sequence[str], rows: Rows) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    filled = _filled(columns, rows)
    for place in filled:
        table.add_column(columns[place], justify="left" if columns[place] in _NAMES else "right", overflow="fold")
    for row in rows:
        table.add_row(*(Text(visible(row[place])) for place in filled))
    return table


def _markdown_table(columns: Sequence[str], rows: Rows) -> str:
    filled = _filled(columns, rows)
    lines = [[columns[place] for place in filled], ["---" if columns[place] in _NAMES else "---:" for place in filled]]
    lines += [[_escaped(row[place]) for place in filled] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _escaped(text: str) -> str:
    """Text from outside, which is neither markup nor the end of a cell."""
    safe = "".join(f"\\{letter}" if letter in "\\`*_[]|#~!" else letter for letter in visible(text))
    safe = safe.replace("&", "&amp;").replace("<", "&lt;")
    return " ".join(safe.split())
