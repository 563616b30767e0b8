"""The subject's own Python: which it is, where it lives, and what it can do.

A repository may bring an interpreter that is none (``.venv/bin/python`` can be any program), so it is asked in
confinement, with nothing to see but where links and ``pyvenv.cfg`` say that an interpreter and its library lie.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mendlab.errors import InputError
from mendlab.records import Limits, SandboxLevel
from mendlab.verify.confinement.sandbox import Confinement, choose_level, environment

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


def find_interpreter(
    named: str | Path | None = None, project: Path | None = None, *, allow_unconfined: bool = False
) -> Interpreter:
    """Return the interpreter named, else that of the project's ``.venv`` (or ``venv``), else the lab's own.

    Raises:
        InputError: it is not there, does not start, or is older than 3.8.
        ConfinementError: it is the project's own, this machine cannot confine, and ``allow_unconfined`` is not given.
    """
    if named is not None:
        return probe(_executable(Path(named)), choose_level(allow_unconfined=True))
    if project is not None:
        for name in (".venv", "venv"):
            candidate = project / name / "bin" / "python"
            if candidate.exists():
                return probe(candidate.absolute(), choose_level(allow_unconfined=allow_unconfined))
    return probe(Path(sys.executable), choose_level(allow_unconfined=True))


def _executable(path: Path) -> Path:
    """Accept an interpreter or the directory of a virtual environment."""
    if path.is_dir():
        path = path / "bin" / "python"
    if path.exists():
        return path.parent.resolve() / path.name  # the last link tells an environment from what it was made of
    for directory in os.get_exec_path():
        found = Path(directory) / path
        if len(path.parts) == 1 and found.exists():
            return found.parent.resolve() / found.name
    raise InputError("no such interpreter", where=path, hint="name a python executable or a virtual environment")


@cache
def probe(executable: Path, level: SandboxLevel) -> Interpreter:
    """Ask an interpreter what it is, at a level of confinement. Its environment is cleared; user site packages are off.

    Raises:
        InputError: it does not start, does not answer, or is older than 3.8.
    """
    visible = _outermost(_surroundings(executable))
    env = environment(executable, 0)
    command = Confinement(level, Limits(), visible).command([str(executable), "-s", "-B", "-c", _PROBE], env)
    try:
        answer = subprocess.run(command, capture_output=True, timeout=60, cwd="/", env=env, check=True)
        told = json.loads(answer.stdout)
        places = [Path(place) for place in (*told["prefixes"], *told["path"])]
        major, minor, micro = (int(part) for part in told["version"].split("."))
        has_pytest = bool(told["pytest"])
    except (OSError, ValueError, KeyError, TypeError, subprocess.SubprocessError) as error:
        code = getattr(error, "returncode", None)
        reason = getattr(error, "stderr", b"") or (f"exit code {code}" if code is not None else str(error)).encode()
        last = reason.decode("utf-8", "replace").strip().splitlines()[-1:]
        raise InputError(
            f"this interpreter does not start: {' '.join(last)}", where=executable, hint="name another with --python"
        ) from None
    if (major, minor) < OLDEST:
        raise InputError(f"Python {told['version']} is too old", where=executable, hint="3.8 is the oldest that works")
    return Interpreter(executable, (major, minor, micro), _outermost([*visible, *places]), has_pytest)


def _surroundings(executable: Path) -> list[Path]:
    """Return the directories that an interpreter needs, as far as links and ``pyvenv.cfg`` tell without running it."""
    homes = [executable.parent]
    hop = executable
    while hop.is_symlink() and len(homes) < 16:
        hop = hop.parent / hop.readlink()
        homes.append(hop.parent)
    settings = executable.parent.parent / "pyvenv.cfg"
    if settings.is_file():
        for line in settings.read_text(encoding="utf-8", errors="replace").splitlines():
            key, _, value = line.partition("=")
            if key.strip() == "home":
                homes.append(Path(value.strip()))
    homes += [home.resolve() for home in homes]
    return [home.parent if home.name in ("bin", "Scripts") else home for home in homes]


def _outermost(places: Iterable[Path]) -> tuple[Path, ...]:
    """Existing directories, without those that lie below another of them; also where links lead.

    The user's home, and what is above it, is nothing that an interpreter needs to see.
    """
    found = {Path(os.path.normpath(place)).absolute() for place in places}
    found |= {path.resolve() for path in found}
    private = {Path.home(), *Path.home().parents}
    existing = {path for path in found if path.is_dir() and path not in private}
    return tuple(sorted(path for path in existing if not any(parent in existing for parent in path.parents)))
