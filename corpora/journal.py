"""A file of records, one complete line each, that only grows and that a kill cannot spoil."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Generic, Self, TypeVar

from pydantic import ValidationError

from mendlab.corpora.durable import claim, replace_file, writing
from mendlab.errors import FormatError, InputError
from mendlab.records import Record

R = TypeVar("R", bound=Record)


class Journal(Generic[R]):
    """The records of one type at ``path``; the file appears with the first append.

    Threads may append at once. One journal at a time may append to a file, until it is closed: another, in this
    process or not, is refused. Reading is always allowed.
    """

    def __init__(self, path: Path, record_type: type[R]) -> None:
        self.path = path
        self._type = record_type
        self._lock = threading.Lock()
        self._file: FileIO | None = None

    def read(self) -> list[R]:
        """Return the records in the order in which they were appended; none if there is no file.

        A last line without its newline was torn by a kill: it counts as not written, and the next append overwrites it.

        Raises:
            FormatError: a complete line is not a record; ``where`` has the line.
            InputError: the file cannot be read.
        """
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", where=self.path) from error
        return parse_lines(data[: data.rfind(b"\n") + 1], self._type, self.path)

    def claim(self) -> None:
        """Keep others from appending from now on, not only from the first append.

        Raises:
            OutputError: another does so already, or the file cannot be written.
        """
        with self._lock, writing(self.path):
            self._file = self._file or self._open()

    def append(self, record: R) -> None:
        """Add one record, which is on the disk when this returns.

        Raises:
            OutputError: it cannot be written, or another journal is appending; no part of the record stays behind.
        """
        line = dump_line(record)
        with self._lock, writing(self.path):
            file = self._file = self._file or self._open()
            end = file.seek(0, os.SEEK_END)
            try:
                _write_all(file, line)
                os.fsync(file.fileno())
            except OSError:
                file.truncate(end)
                raise

    def rewrite(self, records: Iterable[R]) -> None:
        """Put ``records`` in place of all that is there, at once."""
        data = b"".join(map(dump_line, records))
        self.close()
        replace_file(self.path, data)

    def close(self) -> None:
        """Let others append."""
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _open(self) -> FileIO:
        """Open for appending, alone, with a torn last line cut off."""
        file = claim(self.path)
        file.truncate(_end_of_last_line(file))
        return file


def dump_line(record: Record) -> bytes:
    """Return the record as one line of JSON, newline included; the same record always gives the same bytes."""
    return record.model_dump_json().encode() + b"\n"


def parse_lines(data: bytes, record_type: type[R], path: Path) -> list[R]:
    """Return the record on each line of ``data``, which was read from ``path``.

    Raises:
        FormatError: a line is not a record of that type.
    """
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return [parse_record(line, record_type, f"{path}:{number}") for number, line in enumerate(lines, start=1)]


def parse_record(data: bytes, record_type: type[R], where: str) -> R:
    """Return the record whose JSON is ``data``.

    Raises:
        FormatError: it is not, in one line that names ``where`` and the field.
    """
    try:
        return record_type.model_validate_json(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        field = ".".join(map(str, first["loc"]))
        what = f"{field}: {first['msg']}" if field else first["msg"]
        kind = record_type.__name__
        raise FormatError(f"no record of the kind {kind}: {what}", where=where, hint=_way_out(field)) from None


def _way_out(field: str) -> str:
    if field == "schema_version":
        return "it was written by another version of mendlab; read it with that one"
    return "restore the file from where it came from, or make it again"


def _write_all(file: FileIO, data: bytes) -> None:
    """Write every byte: on a disk that is nearly full, the first call may take only some of them."""
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]


def _end_of_last_line(file: FileIO, block: int = 1 << 16) -> int:
    """Return the offset just after the last newline, looking from the end."""
    end = file.seek(0, os.SEEK_END)
    while end > 0:
        start = max(0, end - block)
        file.seek(start)
        data = file.read(end - start)
        if b"\n" in data:
            return start + data.rfind(b"\n") + 1
        end = start
    return 0
