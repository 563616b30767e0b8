"""What is true on this machine alone: where a run's task set lies, and which interpreter a task set's tests need.

Kept in a file beside the rest, and no part of what the run or the set is.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from mendlab.corpora.durable import replace_file
from mendlab.corpora.layout import PLACES
from mendlab.errors import InputError
from mendlab.repair.runs import Run


def source_name(subject: str) -> str:
    """Return the specification of a subject without the places of this machine."""
    name, colon, path = subject.rpartition(":")
    return f"{name}{colon}{Path(path).name}" if "/" in path else subject


def remember_taskset(run: Path, taskset: Path) -> None:
    """Write down where the task set of a run lies."""
    replace_file(run / PLACES, json.dumps({"taskset": str(taskset.absolute())}).encode())


def find_taskset(runs: Sequence[Path], named: Path | None) -> Path:
    """Return the task set that was named, or the one that the first run was made on.

    Raises:
        InputError: it is not where it was, or that is no run.
    """
    if named is not None:
        return named
    try:
        found = Path(json.loads((runs[0] / PLACES).read_bytes())["taskset"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        Run.open(runs[0])
        raise InputError("does not say where its task set is", where=runs[0], hint="name it with --taskset") from None
    if not found.exists():
        raise InputError(f"its task set is no longer at {found}", where=runs[0], hint="name it with --taskset")
    return found


def remember_python(taskset: Path, executable: Path) -> None:
    """Write down by which interpreter the tests of a task set were run when it was made."""
    replace_file(taskset / PLACES, json.dumps({"python": str(executable)}).encode())


def find_python(taskset: Path, named: Path | None) -> Path | None:
    """Return the interpreter that was named, or the one that a task set was made with, if it is still there."""
    if named is not None:
        return named
    try:
        found = Path(json.loads((taskset / PLACES).read_bytes())["python"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return found if found.exists() else None
