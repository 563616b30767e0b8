"""The same mutants with the same ids: other hash seeds, another order of the files, other versions of Python."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from measures.programs import File
from measures.progress import say
from measures.section import Goal, Section, Table

_SCRIPT: Final = Path(__file__).with_name("digest.py")


@dataclass(frozen=True, slots=True)
class Run:
    """One enumeration of all files in a process of its own; ``error`` says why there is none."""

    interpreter: Path
    hash_seed: int
    order: int
    python: str = ""
    files: dict[str, tuple[int, str]] | None = None
    error: str = ""

    @property
    def digest(self) -> str:
        """Sixteen digits out of all ids."""
        return hashlib.sha256(json.dumps(self.files).encode()).hexdigest()[:16] if self.files else "-"


def section(files: Sequence[File], pythons: Sequence[Path]) -> Section:
    """One row a run: two with this interpreter, one with each of the others."""
    here = Path(sys.executable)
    plans = [(here, 0, 1), (here, 12345, 2), *((path, 7 + number, 3 + number) for number, path in enumerate(pythons))]
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            path = Path(folder, file.name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.data)
        runs = [_run(interpreter, seed, order, folder) for interpreter, seed, order in plans]
    rows = [
        (run.python or run.error, f"{run.hash_seed}", f"{run.order}", _count(run), run.digest, _same(runs[0], run))
        for run in runs
    ]
    equal = all(run.files == runs[0].files and run.files is not None for run in runs)
    versions = {run.python.rpartition(".")[0] for run in runs if run.python}
    goal = Goal(
        "same mutants, same ids", "equal digests", f"{len(runs)} runs, Python {', '.join(sorted(versions))}", equal
    )
    columns = ("Python", "hash seed", "order", "mutants", "digest", "differs in")
    notes = [f"{len(files)} files"] + ([] if pythons else ["other versions not measured: no --python"])
    data = {"runs": [{"python": run.python, "digest": run.digest, "error": run.error} for run in runs]}
    return Section("determinism", [Table("Determinism", columns, rows, notes)], data, [goal])


def _run(interpreter: Path, hash_seed: int, order: int, folder: str) -> Run:
    say(f"determinism: {interpreter}, hash seed {hash_seed}")
    environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [str(interpreter), str(_SCRIPT), folder, str(order)]
    try:
        run = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    except OSError as problem:
        return Run(interpreter, hash_seed, order, error=str(problem))
    if run.returncode:
        return Run(interpreter, hash_seed, order, error=(run.stderr.strip().splitlines() or ["failed"])[-1][:120])
    answer = json.loads(run.stdout)
    files = {name: (count, digest) for name, (count, digest) in answer["files"].items()}
    return Run(interpreter, hash_seed, order, answer["python"], files)


def _count(run: Run) -> str:
    return f"{sum(count for count, _ in run.files.values())}" if run.files else "-"


def _same(first: Run, run: Run) -> str:
    if first.files is None or run.files is None:
        return "not measured"
    other = [name for name, found in run.files.items() if first.files.get(name) != found]
    return f"{len(other)} files: {', '.join(other[:3])}" if other else "nothing"
