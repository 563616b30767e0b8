"""The writing half: quotes only what would be read back differently."""

from __future__ import annotations

from typing import Iterable, Sequence


def format_field(value: object, delimiter: str = ",") -> str:
    text = "" if value is None else str(value)
    if any(char in text for char in (delimiter, '"', "\n", "\r")):
        return '"' + text.replace('"', '""') + '"'
    return text


def write_rows(rows: Iterable[Sequence[object]], delimiter: str = ",") -> str:
    """One line for each row; a row of one empty field is written as a pair of quotes."""
    lines = []
    for row in rows:
        line = delimiter.join(format_field(value, delimiter) for value in row)
        lines.append(line if line else '""')
    return "".join(line + "\n" for line in lines)
