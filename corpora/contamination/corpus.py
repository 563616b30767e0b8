"""The corpora that a set is compared with, as a stream of blocks of bytes that fit in memory whatever the files' size.

A corpus is a file, a pipe or a folder. Of JSONL (``.jsonl``, ``.jsonl.gz``) the strings of each row are read, of any
other file (``.gz`` unpacked) its bytes; a folder is read with all that is below it. Files with a zero byte near the
beginning are no text, and are passed over, as are pipes and devices in a folder.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import stat
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Final

from mendlab.corpora.text import storable_name
from mendlab.errors import InputError

BLOCK: Final = 2 << 20
OVERLAP: Final = 4096
"""So much of a document is in the next block again, so that nothing is missed where it is cut."""
PIECE: Final = 1 << 20
LONGEST_ROW: Final = 4 << 20
"""Bytes of a row that is parsed; of a longer one the whole line is read, as text, piece by piece."""
BETWEEN: Final = b" \0 "
"""Stands between documents: no task has a zero byte in it."""


@dataclass(slots=True)
class Block:
    """Some text, and where its documents begin: offsets, with the file and row."""

    data: bytes
    starts: list[tuple[int, str]]

    def place(self, offset: int) -> str:
        """Return the document that an offset lies in."""
        return next((name for start, name in reversed(self.starts) if start <= offset), "")


@dataclass(slots=True)
class Corpus:
    """A corpus, and what was read of it.

    Raises:
        InputError: it is no file, pipe or folder.
    """

    path: Path
    read: int = 0
    documents: int = 0
    passed_over: int = 0
    unreadable: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        try:
            mode = self.path.stat().st_mode
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", where=self.path) from error
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode) or stat.S_ISDIR(mode)):
            hint = "name a file, a folder or a pipe"
            raise InputError("is a device or a socket, and is not read as a corpus", where=self.path, hint=hint)

    @property
    def name(self) -> str:
        """The path, as records have it."""
        return storable_name(self.path)

    def blocks(self, on_bytes: Callable[[int], None] = lambda count: None) -> Iterator[Block]:
        """Yield all of the text. ``on_bytes`` is told how many bytes of the files have been read.

        Raises:
            InputError: the file that was named cannot be read, or is no text.
        """
        pending = bytearray()
        starts: list[tuple[int, str]] = []
        for name, piece, first in self._pieces():
            if first:
                self.documents += 1
                pending += BETWEEN
                starts.append((len(pending), name))
            pending += piece
            while len(pending) >= BLOCK:
                yield Block(bytes(pending[:BLOCK]), starts)
                on_bytes(self.read)
                kept = BLOCK - OVERLAP
                del pending[:kept]
                starts = _moved(starts, kept)
        if pending:
            yield Block(bytes(pending), starts)
        on_bytes(self.read)
        if self.passed_over and not self.documents and not self.path.is_dir():
            hint = "if it is packed, as Parquet and Zstandard are, unpack it first"
            raise InputError("has no text that can be read", where=self.path, hint=hint)

    def size(self) -> int | None:
        """Return how many bytes there are to read; ``None`` where it is not known, of pipes and packed files."""
        if self.path.is_fifo():
            return None
        files = [path for path in self._files() if path.is_file()]
        return None if any(map(_is_packed, files)) else sum(path.stat().st_size for path in files)

    def _files(self) -> Iterator[Path]:
        if not self.path.is_dir():
            yield self.path
            return
        for folder, folders, names in os.walk(self.path):
            folders.sort()
            yield from (Path(folder, name) for name in sorted(names))

    def _pieces(self) -> Iterator[tuple[str, bytes, bool]]:
        """Pieces of documents: the document's name, some of its bytes, and whether they are its first."""
        for path in self._files():
            if path != self.path and not path.is_file():
                self.passed_over += 1
                continue
            try:
                rows = path.name.endswith((".jsonl", ".jsonl.gz"))
                yield from self._rows(path) if rows else self._plain(path)
            except (OSError, EOFError, zlib.error) as error:
                if path == self.path:
                    raise InputError(f"cannot be read: {error}", where=path) from error
                self.unreadable.append(storable_name(path))

    def _plain(self, path: Path) -> Iterator[tuple[str, bytes, bool]]:
        first = True
        with _open(path) as file:
            while piece := file.read(PIECE):
                if first and b"\0" in piece[:4096]:
                    self.passed_over += 1
                    return
                self.read += len(piece)
                yield storable_name(path), piece, first
                first = False

    def _rows(self, path: Path) -> Iterator[tuple[str, bytes, bool]]:
        file_name = storable_name(path)
        with _open(path) as file:
            for number in count(1):
                line = file.readline(LONGEST_ROW)
                if not line:
                    return
                self.read += len(line)
                name = f"{file_name}:{number}"
                if len(line) == LONGEST_ROW and not line.endswith(b"\n"):
                    yield name, _unescaped(line), True
                    yield from ((name, piece, False) for piece in self._rest_of_line(file))
                else:
                    data = self._text_of_row(line)
                    yield from ((name, data[at : at + PIECE], at == 0) for at in range(0, len(data), PIECE))

    def _text_of_row(self, line: bytes) -> bytes:
        try:
            return "\n".join(_strings(json.loads(line))).encode("utf-8", "replace")
        except (ValueError, RecursionError):
            self.passed_over += bool(line.strip())
            return b""

    def _rest_of_line(self, file: Any) -> Iterator[bytes]:
        while piece := file.readline(PIECE):
            self.read += len(piece)
            yield _unescaped(piece)
            if piece.endswith(b"\n"):
                return


def _moved(starts: list[tuple[int, str]], by: int) -> list[tuple[int, str]]:
    """The starts in a block that begins later; the document that goes on there begins before it."""
    before = [(start - by, name) for start, name in starts if start <= by]
    return [*before[-1:], *((start - by, name) for start, name in starts if start > by)]


def _open(path: Path) -> Any:
    return gzip.open(path, "rb") if _is_packed(path) else path.open("rb")


def _is_packed(path: Path) -> bool:
    return path.name.endswith(".gz")


_ESCAPE: Final = rb"\\(?:[^u]|u[0-9a-fA-F]{4})"
_ESCAPES: Final = re.compile(_ESCAPE + b"(?:" + _ESCAPE + b")*")


def _unescaped(piece: bytes) -> bytes:
    """A part of a row of JSON with what its escapes stand for; one that is cut in two stays as it is."""
    return _ESCAPES.sub(_meaning, piece)


def _meaning(escapes: re.Match[bytes]) -> bytes:
    try:
        return str(json.loads(b'"%b"' % escapes[0])).encode("utf-8", "replace")
    except ValueError:
        return escapes[0]


def _strings(value: Any) -> Iterator[str]:
    """Every string in a JSON value, keys left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _strings(each)
