"""Bytes to text and back without losing one: the only way source text is read for mutation, diffs and patches."""

from __future__ import annotations

import io
import os
import tokenize
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from mendlab.errors import InputError


class Decoded(NamedTuple):
    """Text, and the codec that turns it back into the very bytes it came from."""

    text: str
    encoding: str


def read_regular(path: Path) -> bytes:
    """Return what is in a file that has an end: no pipe and no device.

    Raises:
        InputError: it is another thing, or cannot be read.
    """
    try:
        if path.exists() and not path.is_file():
            raise InputError("is no regular file", where=path, hint="copy what is in it to a file, and name that")
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", where=path) from error


def storable_name(path: str | Path) -> str:
    """Return a path as UTF-8 can hold it: bytes of a name that are none are written as ``\\xe9``."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


@lru_cache(maxsize=64)
def decode(path: str, data: bytes) -> Decoded:
    """Decode a file of a tree. Newlines, form feeds and a byte order mark (as U+FEFF) stay in the text.

    Python files follow PEP 263; others are UTF-8. What is neither is read as Latin-1, which every byte fits.
    """
    for encoding in _candidates(path, data):
        try:
            text = data.decode(encoding)
            if text.encode(encoding) == data:
                return Decoded(text, encoding)
        except (UnicodeError, LookupError):
            continue
    return Decoded(data.decode("latin-1"), "latin-1")


def _candidates(path: str, data: bytes) -> tuple[str, ...]:
    if not path.endswith((".py", ".pyi")):
        return ("utf-8",)
    try:
        declared, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError:
        return ("utf-8",)
    return ("utf-8" if declared == "utf-8-sig" else declared,)
