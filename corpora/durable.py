"""Writing that survives a kill, a power cut and a full disk: files replaced at once, and errors that name them."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from typing import Final

from mendlab.errors import OutputError

_WAYS_OUT: Final = {
    errno.ENOSPC: "free some space and run the same command again; what is already written is kept",
    errno.EDQUOT: "free some of your quota and run the same command again; what is already written is kept",
    errno.EFBIG: "raise the limit on file sizes and run the same command again; what is already written is kept",
    errno.ENOTDIR: "something on the way to it is a file; name another folder",
    errno.EISDIR: "a folder stands there; name another place",
}


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn an operating system's refusal while writing ``path`` into an :class:`OutputError` that names it."""
    try:
        yield
    except OSError as error:
        hint = _WAYS_OUT.get(error.errno or 0, "name a folder that you may write to")
        raise OutputError(f"cannot be written: {error.strerror or error}", where=path, hint=hint) from error


def replace_file(path: Path, data: bytes) -> None:
    """Write ``data`` to ``path`` and its folder: after a kill either the old content is there or the new.

    A folder has one writer at a time: a leftover of a killed one (``.<name>.partial``) is overwritten.

    Raises:
        OutputError: it cannot be written; ``path`` is then as it was.
    """
    if not path.name:
        raise OutputError("is a folder", where=path, hint=_WAYS_OUT[errno.EISDIR])
    partial = path.with_name(f".{path.name}.partial")
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with partial.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            partial.replace(path)
        except OSError:
            partial.unlink(missing_ok=True)
            raise
        sync_directory(path.parent)


def claim(path: Path) -> FileIO:
    """Open ``path`` for reading and writing, made if need be, and keep every other claim away until it is closed.

    Raises:
        OutputError: another holds it, or it cannot be written.
    """
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        file = FileIO(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666), "r+")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.close()
            hint = "wait for the other to end, or name another folder"
            raise OutputError("is being written by another run", where=path, hint=hint) from error
        sync_directory(path.parent)
        return file


def sync_directory(directory: Path) -> None:
    """Bring the names in ``directory`` to the disk."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
