"""Environments on disk: one a Python and a lock, shared between commits and runs, made of wheels alone.

Installing a wheel copies files and runs nothing of it. The subject itself is never installed. Beside what is locked, an
environment has a folder of its own, off the import path, with what sets a run's clock.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from mendlab.errors import EngineError, InputError
from mendlab.harvest.environment.interpreters import Version, find_pythons
from mendlab.harvest.environment.shared import discard_folder, publish_folder
from mendlab.harvest.environment.uv import UvError, run_uv
from mendlab.records import Environment, SandboxLevel
from mendlab.verify.confined.pytest_run.pytest_run_clock import FOLDER
from mendlab.verify.confinement.interpreter import Interpreter, probe

ENVIRONMENTS: Final = "environments"
"""The folder of environments, in the folder of what harvesting keeps."""
_LAYOUT: Final = 1
_COUNT: Final = "mendlab-files"


def install(python: Path, lock: Sequence[str], clock: Sequence[str], folder: Path, level: SandboxLevel) -> Interpreter:
    """Return the interpreter of an environment with exactly what is locked, made if it is not there.

    Raises:
        EngineError: it cannot be installed.
        OutputError: the folder cannot be written.
    """
    key = json.dumps([_LAYOUT, str(python), sorted(lock), sorted(clock)])

    def fill(place: Path) -> None:
        try:
            run_uv(["venv", "--relocatable", "--no-project", "--allow-existing", "--python", str(python), str(place)])
            executable = str(place / "bin" / "python")
            if clock:
                _install(clock, "--python", executable, "--target", str(place / FOLDER))
            _install(lock, "--python", executable)  # last: uv starts the interpreter, and a wheel may bring a .pth
        except UvError as error:
            what = " ".join(str(error).split())
            raise EngineError(f"an environment cannot be installed: {what}", where=folder) from error
        (place / _COUNT).write_text(str(_count(place)))

    place = folder / hashlib.sha256(key.encode()).hexdigest()[:32]
    if place.is_dir() and not _is_whole(place):
        discard_folder(place)
    place = publish_folder(place, fill)
    return probe(place.resolve() / "bin" / "python", level)


def _is_whole(place: Path) -> bool:
    """Whether an environment has as many files as when it was made: what cleans caches leaves some of them."""
    try:
        return int((place / _COUNT).read_text()) == _count(place)
    except (OSError, ValueError):
        return False


def _count(place: Path) -> int:
    folders = os.walk(place)
    return sum(len(set(files) - {_COUNT}) for at, _, files in folders if Path(at).name != "__pycache__")


def reproduce(
    environment: Environment, folder: Path, level: SandboxLevel, pythons: Mapping[Version, Path] | None = None
) -> Interpreter:
    """Return the interpreter of an environment, made if it is not there, of one of the Pythons, or of this machine's.

    Raises:
        InputError: there is no such Python on this machine.
        EngineError: it cannot be installed.
        OutputError: the folder cannot be written.
    """
    major, minor = (int(part) for part in environment.python.split("."))
    python = (find_pythons() if pythons is None else pythons).get((major, minor))
    if python is None:
        hint = f"install it, as with `uv python install {environment.python}`, or name another with --python"
        raise InputError(f"there is no Python {environment.python} here, which the tests need", hint=hint)
    return install(python, environment.lock, environment.clock, folder / ENVIRONMENTS, level)


def _install(lock: Sequence[str], *more: str) -> None:
    if lock:
        run_uv(["pip", "install", "--no-deps", "--only-binary", ":all:", *more, "-r", "-"], "\n".join(lock))
