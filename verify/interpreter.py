"""The subject's own Python: which it is, where it lives, and what it can do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mendlab.errors import InputError

_PROBE = """
import importlib.util, json, sys
spec = importlib.util.find_spec("pytest")
print(json.dumps({
    "version": "%d.%d.%d" % sys.version_info[:3],
    "prefixes": sorted({sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix}),
    "path": [entry for entry in sys.path if entry],
    "pytest": spec is not None,
}))
"""
OLDEST = (3, 8)


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python that can run a subject. ``directories`` is everything it needs to see in order to start and import."""

    executable: Path
    version: tuple[int, int, int]
    directories: tuple[Path, ...]
    has_pytest: bool

    @property
    def version_text(self) -> str:
        """As ``3.11``."""
        return f"{self.version[0]}.{self.version[1]}"


def find_interpreter(named: str | Path | None = None, project: Path | None = None) -> Interpreter:
    """Return the interpreter named, else that of the project's ``.venv`` (or ``venv``), else the lab's own.

    Raises:
        InputError: it is not there, does not start, or is older than 3.8.
    """
    if named is not None:
        return probe(_executable(Path(named)))
    if project is not None:
        for name in (".venv", "venv"):
            candidate = project / name / "bin" / "python"
            if candidate.exists():
                return probe(candidate.absolute())
    return probe(Path(sys.executable))


def _executable(path: Path) -> Path:
    """Accept an interpreter or the directory of a virtual environment."""
    if path.is_dir():
        path = path / "bin" / "python"
    if path.exists():
        return path.absolute()
    for directory in os.get_exec_path():
        found = Path(directory) / path
        if len(path.parts) == 1 and found.exists():
            return found.absolute()
    raise InputError("no such interpreter", where=path, hint="name a python executable or a virtual environment")


@cache
def probe(executable: Path) -> Interpreter:
    """Ask an interpreter what it is. Its environment is cleared; site packages count, the user's do not."""
    try:
        answer = subprocess.run(
            [str(executable), "-s", "-B", "-c", _PROBE],
            capture_output=True,
            timeout=60,
            cwd="/",
            env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
            check=True,
        )
        told = json.loads(answer.stdout)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        reason = getattr(error, "stderr", b"") or str(error).encode()
        last = reason.decode("utf-8", "replace").strip().splitlines()[-1:]
        raise InputError(
            f"this interpreter does not start: {' '.join(last)}", where=executable, hint="name another with --python"
        ) from None
    version = tuple(int(part) for part in told["version"].split("."))
    if version < OLDEST:
        raise InputError(f"Python {told['version']} is too old", where=executable, hint="3.8 is the oldest that works")
    places = [*told["prefixes"], *told["path"], str(executable.parent), str(executable.resolve().parent)]
    return Interpreter(executable, (version[0], version[1], version[2]), _outermost(places), told["pytest"])


def _outermost(places: list[str]) -> tuple[Path, ...]:
    """Existing directories, without those that lie below another of them; also where links lead."""
    found = {Path(place).absolute() for place in places}
    found |= {path.resolve() for path in found}
    existing = {path for path in found if path.is_dir() and path != Path("/")}
    return tuple(sorted(path for path in existing if not any(parent in existing for parent in path.parents)))
