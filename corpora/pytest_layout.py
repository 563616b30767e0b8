"""Which files of a project are its tests and what steers them, and which are the source under test."""

from __future__ import annotations

import configparser
import shlex
import tomllib
from collections.abc import Iterable, Mapping
from fnmatch import fnmatch
from pathlib import PurePosixPath

from mendlab.errors import InputError

_DEFAULT_PATTERNS = ("test_*.py", "*_test.py")
_TEST_FOLDERS = {"test", "tests"}
_CONFIGURATION = {"conftest.py", "pytest.ini", ".pytest.ini", "pytest.toml", "pyproject.toml", "tox.ini", "setup.cfg"}
_TOOLING = {"setup.py", "noxfile.py"}
_DOCUMENTATION = {"doc", "docs"}


def test_patterns(files: Mapping[str, bytes]) -> tuple[str, ...]:
    """Return pytest's ``python_files`` for a project: what its configuration says, or pytest's own default.

    Raises:
        InputError: a configuration file cannot be parsed.
    """
    for path, section in (("pytest.ini", "pytest"), (".pytest.ini", "pytest")):
        if path in files:
            return _from_ini(path, files[path], section) or _DEFAULT_PATTERNS
    found = _from_toml(files["pyproject.toml"]) if "pyproject.toml" in files else None
    for path, section in (("tox.ini", "pytest"), ("setup.cfg", "tool:pytest")):
        if found is None and path in files:
            found = _from_ini(path, files[path], section)
    return found or _DEFAULT_PATTERNS


def is_test_module(path: str, patterns: tuple[str, ...]) -> bool:
    """Whether pytest takes a file for a test module: a pattern with a slash is matched against the end of the path."""
    name = PurePosixPath(path).name
    return name.endswith(".py") and any(
        fnmatch(f"/{path}", f"*/{pattern}") if "/" in pattern else fnmatch(name, pattern) for pattern in patterns
    )


def test_files(files: Mapping[str, bytes], patterns: tuple[str, ...]) -> tuple[str, ...]:
    """Return everything that steers the tests: test modules, what is below a test folder, pytest's configuration."""
    return tuple(path for path in files if _steers(path, patterns))


def source_files(files: Mapping[str, bytes], patterns: tuple[str, ...]) -> tuple[str, ...]:
    """Return the Python files under test: not the tests, the build's and tools' scripts, or the documentation's."""
    return tuple(path for path in files if path.endswith(".py") and not _steers(path, patterns) and not _aside(path))


def sorted_files(
    files: Mapping[str, bytes], tests: Iterable[str], changed: Iterable[str] = ()
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what steers the tests of a project, in order, and the source under test.

    ``tests`` are files known to be tests, whatever they are called; ``changed`` are known to be none.

    Raises:
        InputError: a configuration file cannot be parsed.
    """
    patterns = test_patterns(files)
    steering = {*test_files(files, patterns), *(path for path in tests if path in files)}.difference(changed)
    return tuple(sorted(steering)), tuple(path for path in source_files(files, patterns) if path not in steering)


def _steers(path: str, patterns: tuple[str, ...]) -> bool:
    pure = PurePosixPath(path)
    return (
        pure.name in _CONFIGURATION or not _TEST_FOLDERS.isdisjoint(pure.parts[:-1]) or is_test_module(path, patterns)
    )


def _aside(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return path in _TOOLING or parts[0] in _DOCUMENTATION


def _from_toml(data: bytes) -> tuple[str, ...] | None:
    """The patterns in pyproject.toml, empty where pytest is configured there without any, ``None`` where it is not."""
    try:
        tool = tomllib.loads(data.decode()).get("tool", {})
    except (ValueError, RecursionError) as error:
        raise InputError(f"not valid TOML: {error}", where="pyproject.toml") from error
    section = tool.get("pytest", {}) if isinstance(tool, dict) else {}
    options = section.get("ini_options", section) if isinstance(section, dict) else {}
    if not isinstance(options, dict) or not options:
        return None
    value = options.get("python_files", [])
    return tuple(shlex.split(value)) if isinstance(value, str) else tuple(str(each) for each in value)


def _from_ini(path: str, data: bytes, section: str) -> tuple[str, ...] | None:
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(data.decode())
    except (configparser.Error, ValueError) as error:
        first = str(error).partition("\n")[0]
        raise InputError(f"not a valid configuration file: {first}", where=path) from error
    if not parser.has_section(section):
        return None
    return tuple(shlex.split(parser.get(section, "python_files", fallback="")))
