"""The files of a source distribution, read out of the archive in memory; nothing is written, and nothing of it runs."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from mendlab.corpora.tree import FileTree
from mendlab.errors import FormatError, InputError

MOST_BYTES: Final = 300 * 1024**2
MOST_FILES: Final = 20_000
_GENERATED: Final = ("PKG-INFO", "*.egg-info/*")


def unpack(name: str, data: bytes) -> FileTree:
    """Return the files below the archive's one folder, without the metadata that building added and without links.

    Raises:
        FormatError: it is no archive, leads out of its folder, or holds more than a program has.
    """
    files: dict[str, bytes] = {}
    executable: set[str] = set()
    size = 0
    try:
        for path, content, runs in _members(name, data):
            inside = PurePosixPath(*PurePosixPath(path).parts[1:])
            if inside == PurePosixPath() or any(inside.match(pattern) for pattern in _GENERATED):
                continue
            size += len(content)
            if size > MOST_BYTES or len(files) >= MOST_FILES:
                raise FormatError("holds more than a program has", where=name)
            files[str(inside)] = content
            if runs:
                executable.add(str(inside))
        return FileTree(files, frozenset(executable))
    except (
        tarfile.TarError,
        zipfile.BadZipFile,
        InputError,
        OSError,
        EOFError,
        ValueError,
        NotImplementedError,
    ) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(f"cannot be unpacked: {error}", where=name) from error


def _members(name: str, data: bytes) -> Iterator[tuple[str, bytes, bool]]:
    return _of_zip(data) if name.endswith(".zip") else _of_tar(data)


def _of_tar(data: bytes) -> Iterator[tuple[str, bytes, bool]]:
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for member in archive:
            checked = tarfile.data_filter(member, "/unpacked")
            if checked.isreg():
                if checked.size > MOST_BYTES:
                    raise ValueError(f"{checked.name} is too large")
                content = archive.extractfile(member)
                yield checked.name, content.read() if content else b"", bool(member.mode & 0o100)


def _of_zip(data: bytes) -> Iterator[tuple[str, bytes, bool]]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for member in archive.infolist():
            if not member.is_dir():
                if member.file_size > MOST_BYTES:
                    raise ValueError(f"{member.filename} is too large")
                yield member.filename, archive.read(member), bool(member.external_attr >> 16 & 0o100)
