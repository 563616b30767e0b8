"""Rows of a JSONL file, plain or gzipped: read one by one, each with its place, a bad one costing only itself."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BufferedIOBase
from pathlib import Path
from typing import Any, TypeVar

from mendlab.corpora.candidates import Refusal
from mendlab.errors import FormatError, InputError, MendlabError

Product = TypeVar("Product")


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its fields, and ``where`` it stands, as ``path:line``."""

    where: str
    fields: dict[str, Any]

    def text(self, name: str) -> str:
        """Return a field that must be a string, and one that can be written as UTF-8.

        Raises:
            FormatError: it is missing or something else.
        """
        value = self._present(name)
        if not isinstance(value, str):
            raise FormatError(f"field {name!r} is {_kind(value)}, not a string", where=self.where)
        return self._encodable(name, value)

    def optional_text(self, name: str) -> str:
        """Return a string field, or the empty string where it is missing or null."""
        return "" if self.fields.get(name) is None else self.text(name)

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a field that is a list of strings, or a string that holds such a list as JSON.

        Raises:
            FormatError: it is missing or something else.
        """
        value = self._present(name)
        if isinstance(value, str):
            try:
                value = json.loads(value)
            except (ValueError, RecursionError) as error:
                raise FormatError(f"field {name!r} is not a list written as JSON", where=self.where) from error
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise FormatError(f"field {name!r} is not a list of strings", where=self.where)
        return tuple(self._encodable(name, item) for item in value)

    def optional_texts(self, name: str) -> tuple[str, ...]:
        """Return a list of strings as :meth:`texts` does, or nothing where the field is missing or null."""
        return () if self.fields.get(name) is None else self.texts(name)

    def _present(self, name: str) -> Any:
        if name not in self.fields:
            raise FormatError(f"field {name!r} is missing", where=self.where)
        return self.fields[name]

    def _encodable(self, name: str, value: str) -> str:
        if not is_encodable(value):
            raise FormatError(f"field {name!r} has half a surrogate pair in it", where=self.where)
        return value


def read_rows(path: Path) -> Iterator[Row | Refusal]:
    """Yield the rows of a file, and a refusal for each line that is none; blank lines are passed over.

    Raises:
        InputError: the file cannot be opened.
        FormatError: there is no row in it at all, or it is not what its name says.
    """
    refused: list[Refusal] = []
    lines = _lines(path)
    for item in lines:
        if isinstance(item, Row):
            yield from refused
            yield item
            yield from lines
            return
        refused.append(item)
    raise FormatError(refused[0].reason if refused else f"{path}: there are no rows in it")


def first_row(path: Path) -> Row:
    """Return the first row that can be read. Raises as :func:`read_rows` does."""
    return next(item for item in read_rows(path) if isinstance(item, Row))


def each_row(path: Path, key: str, convert: Callable[[Row], Product]) -> Iterator[Product | Refusal]:
    """Yield what ``convert`` makes of each row; a row on which it raises becomes a refusal, named by its ``key``."""
    for row in read_rows(path):
        if isinstance(row, Refusal):
            yield row
            continue
        try:
            yield convert(row)
        except MendlabError as error:
            yield Refusal(str(row.fields.get(key, row.where)), placed(error, row.where))


def placed(error: MendlabError, where: str) -> str:
    """Return an error as one line that names the place in the input, whatever other place the error names."""
    return str(error) if where in str(error) else f"{where}: {error}"


def is_jsonl(path: Path) -> bool:
    """Whether a path names a JSONL file, plain or gzipped."""
    return path.name.endswith((".jsonl", ".jsonl.gz")) and path.is_file()


def _lines(path: Path) -> Iterator[Row | Refusal]:
    number = 0
    try:
        with _open(path) as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield _parse(f"{path}:{number}", line)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        yield Refusal(f"{path}:{number + 1}", f"{path}:{number + 1}: the gzip data is broken or cut off: {error}")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", where=path) from error


def _open(path: Path) -> BufferedIOBase:
    return gzip.open(path, "rb") if path.name.endswith(".gz") else path.open("rb")


def _parse(where: str, line: bytes) -> Row | Refusal:
    try:
        fields = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        return Refusal(where, f"{where}: not UTF-8 (byte {error.start} of the line)")
    except (ValueError, RecursionError) as error:
        return Refusal(where, f"{where}: not a whole JSON value: {error}")
    if not isinstance(fields, dict):
        return Refusal(where, f"{where}: a row is an object, and this is {_kind(fields)}")
    return Row(where, fields)


def is_encodable(text: str) -> bool:
    """Whether a text can be written as UTF-8: JSON can hold half a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "a string", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")
