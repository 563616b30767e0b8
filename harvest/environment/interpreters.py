"""The Pythons of this machine, 3.8 to 3.13: on the path, of pyenv, and of uv."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Final

from mendlab.harvest.environment.uv import UvError, run_uv

Version = tuple[int, int]
SUPPORTED: Final[tuple[Version, ...]] = tuple((3, minor) for minor in range(8, 14))
_RELEASED: Final[Mapping[Version, str]] = {
    (3, 8): "2019-10-14",
    (3, 9): "2020-10-05",
    (3, 10): "2021-10-04",
    (3, 11): "2022-10-24",
    (3, 12): "2023-10-02",
    (3, 13): "2024-10-07",
}
_NEXT: Final = "2025-10-07"
_ASK: Final = "import sys, json; print(json.dumps([sys.executable, list(sys.version_info[:2]), sys.prefix]))"


@cache
def find_pythons() -> Mapping[Version, Path]:
    """Return an interpreter for each version there is, the lab's own before others; links of version managers followed.

    These are the user's own programs, started outside confinement with nothing of a repository in sight.
    """
    found: dict[Version, Path] = {}
    for candidate in _candidates():
        told = _ask(candidate)
        if told is not None and told[0] in SUPPORTED:
            found.setdefault(*told)
    return dict(sorted(found.items()))


def out_since(version: Version) -> datetime:
    """Return when a version of Python came out; for one that this does not know, when the first after these did."""
    return datetime.fromisoformat(f"{_RELEASED.get(version, _NEXT)}T00:00:00+00:00")


def of_the_era(moment: datetime, versions: Collection[Version]) -> Version:
    """Return the newest of some versions that had been out at a moment, or else the oldest."""
    out = [version for version in versions if out_since(version) <= moment]
    return max(out, default=min(versions))


def _candidates() -> Iterator[Path]:
    yield Path(getattr(sys, "_base_executable", sys.executable))
    for version in reversed(SUPPORTED):
        name = f"python{version[0]}.{version[1]}"
        yield from (Path(folder) / name for folder in os.get_exec_path())
    yield from _of_pyenv()
    yield from _of_uv()


def _of_pyenv() -> Iterator[Path]:
    if shutil.which("pyenv") is None:
        return
    asked = subprocess.run(["pyenv", "root"], capture_output=True, text=True, check=False)
    yield from sorted(Path(asked.stdout.strip()).glob("versions/*/bin/python3.*[0-9]"))


def _of_uv() -> Iterator[Path]:
    try:
        listed = json.loads(run_uv(["python", "list", "--only-installed", "--managed-python", "--output-format=json"]))
    except (UvError, ValueError):
        return
    yield from (Path(each["path"]) for each in listed if each.get("path"))


def _ask(candidate: Path) -> tuple[Version, Path] | None:
    if not os.access(candidate, os.X_OK):
        return None
    try:
        asked = subprocess.run(
            [str(candidate), "-I", "-c", _ASK], capture_output=True, text=True, timeout=30, check=False
        )
        executable, (major, minor), _ = json.loads(asked.stdout)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None  # a stand-in of a version manager that has nothing behind it
    return (major, minor), Path(executable)
