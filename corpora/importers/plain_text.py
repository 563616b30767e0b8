"""Text files of the formats that are read here."""

from __future__ import annotations

import stat
from pathlib import Path

from mendlab.corpora.directories import MOST_BYTES_A_FILE
from mendlab.errors import InputError


def read_text(path: Path) -> str:
    """Return a file's text, without a byte order mark.

    Raises:
        InputError: it cannot be read, is no regular file, is too large, or is not UTF-8; ``where`` has the line.
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):  # which may never end
            raise InputError("is no regular file", where=path)
        if status.st_size > MOST_BYTES_A_FILE:
            raise InputError(f"has more than {MOST_BYTES_A_FILE // 1024**2} MB", where=path, hint="leave it out")
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", where=path) from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError("not UTF-8", where=f"{path}:{line}", hint="save it as UTF-8") from error
