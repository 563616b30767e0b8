"""Folders that several processes fill at once: what is there is whole, and the first to finish a thing wins."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from mendlab.errors import OutputError

ELSEWHERE: Final = "make room there, or set XDG_CACHE_HOME to a folder with room that you may write to"
_ABANDONED_SECONDS: Final = 24 * 3600.0


def default_cache() -> Path:
    """Return the folder for what can be made again: mendlab's in the user's cache."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mendlab" / "harvest"


@contextlib.contextmanager
def caching(path: Path) -> Iterator[None]:
    """Turn a refusal while writing what is kept into an :class:`OutputError` that says how to keep it elsewhere."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"cannot be written: {error.strerror or error}", where=path, hint=ELSEWHERE) from error


def publish_file(place: Path, data: bytes) -> None:
    """Put a file in its place at once. Raises OutputError."""
    with caching(place):
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=place.parent, prefix=".", suffix=".partial", delete=False) as file:
            file.write(data)
        Path(file.name).replace(place)


def publish_folder(place: Path, fill: Callable[[Path], None]) -> Path:
    """Return a folder that ``fill`` has filled: the one that is there, else one made beside it and renamed.

    Where ``fill`` fails, or the process is killed, nothing is there; leftovers of kills go after a day.

    Raises:
        OutputError: it cannot be written.
    """
    if place.is_dir():
        return place
    with caching(place):
        place.parent.mkdir(parents=True, exist_ok=True)
        _sweep(place.parent)
        building = Path(tempfile.mkdtemp(dir=place.parent, prefix=".building-"))
    try:
        fill(building)
        with caching(place):
            try:
                building.rename(place)
            except OSError:
                if not place.is_dir():  # no other process made it meanwhile
                    raise
    finally:
        shutil.rmtree(building, ignore_errors=True)
    return place


def discard_folder(place: Path) -> None:
    """Take a folder out of its place at once, and remove it. Raises OutputError."""
    with caching(place):
        aside = Path(tempfile.mkdtemp(dir=place.parent, prefix=".building-"))
        with contextlib.suppress(FileNotFoundError):  # another process did
            place.rename(aside / place.name)
    shutil.rmtree(aside, ignore_errors=True)


def _sweep(folder: Path) -> None:
    for left in folder.glob(".building-*"):
        if time.time() - left.stat().st_mtime > _ABANDONED_SECONDS:
            shutil.rmtree(left, ignore_errors=True)
