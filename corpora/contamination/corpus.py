"""The corpora that a set is compared with, as a stream of blocks of bytes that fit in memory whatever the files' size.

A corpus is a file or a folder. Of JSONL (``.jsonl``, ``.jsonl.gz``) the strings of each row are read, of any other file
(``.gz`` unpacked) its bytes; a folder is read with all that is below it. Files with a zero byte near the beginning are
no text, and are passed over.
"""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from mendlab.errors import InputError

BLOCK: Final = 2 << 20
OVERLAP: Final = 4096
"""So much of a document is in the next block again, so that nothing is missed where it is cut."""
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
    """A corpus, and what was read of it."""

    path: Path
    read: int = 0
    documents: int = 0
    passed_over: int = 0
    unreadable: list[str] = field(default_factory=list)

    def blocks(self, on_bytes: Callable[[int], None] = lambda count: None) -> Iterator[Block]:
        """Yield all of the text. ``on_bytes`` is told how many bytes of the files have been read.

        Raises:
            InputError: the file that was named cannot be read.
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

    def size(self) -> int:
        """Return the bytes of all files, as they lie on the disk."""
        return sum(path.stat().st_size for path in self._files() if path.is_file())

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
            if not path.is_file():
                continue
            try:
                rows = path.name.endswith((".jsonl", ".jsonl.gz"))
                yield from self._rows(path) if rows else self._plain(path)
            except (OSError, EOFError, zlib.error) as error:
                if path == self.path:
                    raise InputError(f"cannot be read: {error}", where=path) from error
                self.unreadable.append(str(path))

    def _plain(self, path: Path) -> Iterator[tuple[str, bytes, bool]]:
        first = True
        with _open(path) as file:
            while piece := file.read(1 << 20):
                if first and b"\0" in piece[:4096]:
                    self.passed_over += 1
                    return
                self.read += len(piece)
                yield str(path), piece, first
                first = False

    def _rows(self, path: Path) -> Iterator[tuple[str, bytes, bool]]:
        with _open(path) as file:
            for number, line in enumerate(file, start=1):
                self.read += len(line)
                try:
                    text = "\n".join(_strings(json.loads(line)))
                except (ValueError, RecursionError):
                    self.passed_over += bool(line.strip())
                    continue
                data = text.encode("utf-8", "replace")
                for at in range(0, len(data), 1 << 20):
                    yield f"{path}:{number}", data[at : at + (1 << 20)], at == 0


def _moved(starts: list[tuple[int, str]], by: int) -> list[tuple[int, str]]:
    """The starts in a block that begins later; the document that goes on there begins before it."""
    before = [(start - by, name) for start, name in starts if start <= by]
    return [*before[-1:], *((start - by, name) for start, name in starts if start > by)]


def _open(path: Path) -> Any:
    return gzip.open(path, "rb") if path.name.endswith(".gz") else path.open("rb")


def _strings(value: Any) -> Iterator[str]:
    """Every string in a JSON value, keys left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _strings(each)
