"""Where an export goes: a file that is replaced at once, or a new folder that is there whole or not at all."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mendlab.corpora.candidates import Refusal
from mendlab.corpora.durable import replace_file, sync_directory, writing
from mendlab.errors import InputError, OutputError


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """Yield a folder beside ``out`` to write in, which takes its place in the end.

    Raises:
        OutputError: it cannot be written, or ``out`` has something in it.
    """
    out = Path.cwd() / out  # `.` has no name
    with writing(out):
        if out.is_symlink() or out.is_file() or (out.is_dir() and any(out.iterdir())):
            raise OutputError("something is there already", where=out, hint="name another folder, or remove it first")
        out.parent.mkdir(parents=True, exist_ok=True)
        around = Path(tempfile.mkdtemp(prefix=f".{out.name[:100]}.", suffix=".partial", dir=out.parent))
    try:
        with writing(out):
            partial = around / "made"  # with the permissions of any new folder
            partial.mkdir()
            yield partial
            partial.replace(out)
            sync_directory(out.parent)
    finally:
        shutil.rmtree(around, ignore_errors=True)


def write_jsonl(out: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write rows, one JSON object a line. Raises an OutputError if it cannot be written."""
    replace_file(out, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode())


def require_some(items: int, left_out: list[Refusal], source: Path, format: str) -> None:
    """Raise an InputError if nothing could be exported; it has the first reason."""
    if not items:
        reason = left_out[0].reason if left_out else "there is nothing in it"
        raise InputError(
            f"nothing in it can be written as {format}: {reason}", where=source, hint="see docs/exports.md"
        )
