"""What a file is to a repair, told by its path alone: by its parts, never by a stretch of letters in one.

Source is all that a program may need to run: code, and whatever stands beside it. Tests are what pytest would collect
and what lies in a folder of tests. The rest is documentation, change logs, continuous integration and packaging.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Final

from mendlab.harvest.records import PathKind

_TEST_FOLDERS: Final = frozenset({"test", "tests", "test_data", "testdata", "unit_tests", "unittests"})
_TEST_FOLDERS_AT_THE_TOP: Final = frozenset({"testing"})
_TEST_FILES: Final = frozenset({"conftest.py", "tests.py", "pytest.ini", ".pytest.ini", "pytest.toml"})
_TEST_MODULES: Final = ("test_*.py", "*_test.py", "*_tests.py")

_OTHER_FOLDERS_AT_THE_TOP: Final = frozenset(
    {"doc", "docs", "documentation", "example", "examples", "samples", "benchmark", "benchmarks", "asv_bench"}
)
_OTHER_MODULES_AT_THE_TOP: Final = frozenset(
    {"setup.py", "noxfile.py", "tasks.py", "fabfile.py", "versioneer.py", "ez_setup.py", "runtests.py"}
)
_OTHER_ENDINGS: Final = (".rst", ".md", ".po", ".pot", ".mo", ".ipynb", ".png", ".svg", ".orig", ".rej", ".lock")
_OTHER_FILES: Final = ("changelog*", "changes*", "authors*", "licen[cs]e*", "readme*", "news*", "copying*")
_OTHER_FILES_AT_THE_TOP: Final = (
    *(
        ".*",
        "*.txt",
        "*.yml",
        "*.yaml",
        "*.toml",
        "*.cfg",
        "*.ini",
        "*.in",
        "*.sh",
        "*.bat",
        "makefile*",
        "dockerfile*",
    ),
    *("contributors*", "contributing*", "history*", "todo*", "thanks*", "notice*", "hacking*", "justfile"),
)
_NO_CODE_AT_THE_TOP: Final = frozenset(
    (
        *("changelog", "changelog.d", "changes", "newsfragments", "news", "release", "releases", "requirements", "ci"),
        *("tools", "script", "scripts", "contrib", "extra", "extras", "debian", "packaging"),
    )
)
"""Folders whose Python may well be a package of that name, and whose other files are not of the program."""


@lru_cache(maxsize=1 << 14)
def kind_of(path: str) -> PathKind:
    """Return which of the three a path is."""
    parts = tuple(part.lower() for part in path.split("/"))
    if _is_test(parts):
        return PathKind.TESTS
    return PathKind.OTHER if _is_other(parts) else PathKind.SOURCE


def is_python(path: str) -> bool:
    """Whether a file is a Python module by its name."""
    return path.endswith(".py")


def within(path: str, wanted: tuple[str, ...]) -> bool:
    """Whether a path is one of those wanted, lies below one, or matches one that is a pattern (``*`` spans folders)."""
    pure = PurePosixPath(path)
    return any(
        path == each.rstrip("/") or pure.is_relative_to(each.rstrip("/")) or fnmatchcase(path, each) for each in wanted
    )


def _is_test(parts: tuple[str, ...]) -> bool:
    *folders, name = parts
    return (
        not _TEST_FOLDERS.isdisjoint(folders)
        or (bool(folders) and folders[0] in _TEST_FOLDERS_AT_THE_TOP)
        or name in _TEST_FILES
        or _matches(name, _TEST_MODULES)
    )


def _is_other(parts: tuple[str, ...]) -> bool:
    *folders, name = parts
    if name.endswith(_OTHER_ENDINGS):
        return True
    if folders and (folders[0] in _OTHER_FOLDERS_AT_THE_TOP or folders[0].startswith(".")):
        return True
    if is_python(name):
        return not folders and name in _OTHER_MODULES_AT_THE_TOP
    if folders:
        return folders[0] in _NO_CODE_AT_THE_TOP or _matches(name, _OTHER_FILES)
    return _matches(name, _OTHER_FILES_AT_THE_TOP) or _matches(name, _OTHER_FILES)


def _matches(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
