"""Which of a candidate's changes reach a pytest run: none that steers the tests.

Tests, conftest files and pytest's configuration come from the good tree, whatever a candidate did to them; the ladder's
policy rung reports such changes, here they have no effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

STEERING_NAMES = frozenset(
    {"conftest.py", "sitecustomize.py", "usercustomize.py", "pyvenv.cfg", "pyproject.toml", "tox.ini", "setup.cfg"}
    | {prefix + "pytest" + suffix for prefix in ("", ".") for suffix in (".ini", ".toml")}
)
# Loaded in the place of the source beside them, or at the start of any Python.
STEERING_SUFFIXES = (".pyc", ".pyo", ".so", ".pyd", ".pth")


def admissible(changes: Mapping[str, bytes | None], test_files: Iterable[str]) -> dict[str, bytes | None]:
    """Return the changes without those to ``test_files``, to what steers pytest, and to what would hide a test file."""
    protected = _Protected(test_files)
    return {path: data for path, data in changes.items() if not protected.touched_by(path)}


class _Protected:
    def __init__(self, test_files: Iterable[str]) -> None:
        self._files = frozenset(test_files)
        self._above = {str(parent) for path in self._files for parent in PurePosixPath(path).parents}
        self._modules = {path.removesuffix(".py") for path in self._files if path.endswith(".py")}

    def touched_by(self, path: str) -> bool:
        pure = PurePosixPath(path)
        if path in self._files or pure.name in STEERING_NAMES or path.endswith(STEERING_SUFFIXES):
            return True
        if path in self._above:  # a file in the place of a directory of tests
            return True
        # A package beside a test module, or below a test file, goes before it in an import.
        return any(str(parent) in self._files | self._modules for parent in pure.parents)
