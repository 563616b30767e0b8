"""The reading half: a character-by-character machine with four states."""

from __future__ import annotations

from typing import Iterator

FIELD_START, PLAIN, QUOTED, QUOTE_SEEN = range(4)


class DelimitedError(ValueError):
    """Text that is not a table; ``line`` counts from 1."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line


def read_rows(text: str, delimiter: str = ",") -> Iterator[list[str]]:
    """Yields each row's fields; blank lines are left out."""
    state, line, opened = FIELD_START, 1, 0
    row: list[str] = []
    field: list[str] = []
    for char in text.replace("\r\n", "\n"):
        if state == QUOTED:
            if char == '"':
                state = QUOTE_SEEN
            else:
                field.append(char)
        elif state == QUOTE_SEEN and char == '"':
            field.append(char)
            state = QUOTED
        elif char in (delimiter, "\n"):
            if char == delimiter or row or field or state == QUOTE_SEEN:
                row.append("".join(field))
            field, state = [], FIELD_START
            if char == "\n" and row:
                yield row
                row = []
        elif state == QUOTE_SEEN:
            raise DelimitedError("text after a closing quote", line)
        elif state == FIELD_START and char == '"':
            state, opened = QUOTED, line
        else:
            field.append(char)
            state = PLAIN
        line += char == "\n"
    if state == QUOTED:
        raise DelimitedError("a quote is not closed", opened)
    if row or field or state == QUOTE_SEEN:
        yield [*row, "".join(field)]


def read_records(text: str, delimiter: str = ",") -> list[dict[str, str]]:
    """Rows as dictionaries keyed by the first row; short and long rows are refused."""
    rows = read_rows(text, delimiter)
    header = next(rows, None)
    if header is None:
        return []
    repeated = sorted({name for name in header if header.count(name) > 1})
    if repeated:
        raise DelimitedError(f"column {repeated[0]} is named twice", 1)
    records = []
    for number, row in enumerate(rows, start=1):
        if len(row) != len(header):
            raise DelimitedError(f"record {number} has {len(row)} fields, not {len(header)}", number + 1)
        records.append(dict(zip(header, row)))
    return records


def guess_delimiter(text: str, candidates: str = ",;\t|") -> str:
    """The candidate that splits the first lines into equal counts of two fields or more; the most fields win."""
    best, most = candidates[0], 1
    for candidate in candidates:
        counts = {len(row) for row in list(read_rows(text, candidate))[:5]}
        if len(counts) == 1 and max(counts) > most:
            best, most = candidate, max(counts)
    return best
