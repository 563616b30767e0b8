"""The licence of a repository, as its own files name it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Final

_FILES: Final = re.compile(r"(?:LICEN[CS]E|COPYING)(?:[.-][\w.]+)?", re.IGNORECASE)
_CLASSIFIER: Final = re.compile(r"License :: OSI Approved :: ([^'\"\n]+)")


def licence_of(files: Mapping[str, bytes]) -> str | None:
    """Return what a tree says of its licence: metadata, a trove classifier, or the first line of its licence file."""
    for found in (_in_pyproject(files), _in_classifiers(files), _in_files(files)):
        if found:
            return found
    return None


def _in_pyproject(files: Mapping[str, bytes]) -> str | None:
    try:
        project = tomllib.loads(files.get("pyproject.toml", b"").decode()).get("project", {})
        licence = project.get("license")
    except (ValueError, RecursionError, AttributeError):
        return None
    if isinstance(licence, dict):
        licence = licence.get("text")
    return licence.strip().partition("\n")[0] if isinstance(licence, str) else None


def _in_classifiers(files: Mapping[str, bytes]) -> str | None:
    for path in ("pyproject.toml", "setup.cfg", "setup.py"):
        found = _CLASSIFIER.search(files.get(path, b"").decode(errors="replace"))
        if found is not None:
            return found[1].strip()
    return None


def _in_files(files: Mapping[str, bytes]) -> str | None:
    for path in sorted(files):
        if _FILES.fullmatch(path):
            lines = [line.strip() for line in files[path].decode(errors="replace").splitlines()]
            return next((line for line in lines if line), None)
    return None
