"""Mutants as files in a new folder."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from mendlab.corpora.durable import writing
from mendlab.errors import OutputError
from mendlab.mutators.mutant import Mutant
from mendlab.mutators.surveying.sources import SourceFile

INDEX: Final = "mutants.jsonl"


def check_new_folder(out: Path) -> None:
    """Raise an OutputError if there is something at a path that is to be a new folder."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise OutputError("something is there already", where=out, hint="name another folder, or remove it first")


def write_mutants(out: Path, mutants: Iterable[Mutant], sources: Mapping[str, SourceFile], *, whole_files: bool) -> int:
    """Write each mutant as ``<id>.diff``, or its whole file as ``<id>/<path>``, and all of them into an index.

    Files are in the encoding of their source, which is found by path; diffs are too. A line of the index
    (``mutants.jsonl``) is what :func:`as_json` gives, without the diff, and ``file``. Returns how many there are.

    Raises:
        OutputError: there is something in the folder already, or it cannot be written.
    """
    check_new_folder(out)
    count = 0
    with writing(out):
        out.mkdir(parents=True, exist_ok=True)
        with (out / INDEX).open("w", encoding="utf-8") as index:
            for mutant in mutants:
                name = f"{mutant.id}/{mutant.path}" if whole_files else f"{mutant.id}.diff"
                (out / name).parent.mkdir(parents=True, exist_ok=True)
                text = mutant.source if whole_files else mutant.diff
                (out / name).write_bytes(text.encode(sources[mutant.path].encoding))
                described = {key: value for key, value in as_json(mutant).items() if key != "diff"}
                index.write(json.dumps({**described, "file": name}, ensure_ascii=False) + "\n")
                count += 1
    return count


def as_json(mutant: Mutant) -> dict[str, object]:
    """Return a mutant in plain data."""
    return {
        "id": mutant.id,
        "operator": mutant.operator,
        "family": mutant.family,
        "path": mutant.path,
        "function": mutant.function,
        "span": mutant.span.model_dump(),
        "diff": mutant.diff,
    }
