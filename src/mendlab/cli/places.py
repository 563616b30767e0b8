"""Where on this machine a run's task set lies: kept beside the run, and no part of what the run is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from mendlab.corpora.durable import replace_file
from mendlab.errors import InputError

PLACES: Final = "places.json"


def remember_taskset(run: Path, taskset: Path) -> None:
    """Write down where the task set of a run lies."""
    replace_file(run / PLACES, json.dumps({"taskset": str(taskset.absolute())}).encode())


def find_taskset(runs: Sequence[Path], named: Path | None) -> Path:
    """Return the task set that was named, or the one that the first run was made on.

    Raises:
        InputError: it is not where it was.
    """
    if named is not None:
        return named
    try:
        found = Path(json.loads((runs[0] / PLACES).read_bytes())["taskset"])
    except (OSError, ValueError, KeyError, TypeError):
        raise InputError("does not say where its task set is", where=runs[0], hint="name it with --taskset") from None
    if not found.exists():
        raise InputError(f"its task set is no longer at {found}", where=runs[0], hint="name it with --taskset")
    return found
