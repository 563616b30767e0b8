"""What an environment is to have: of all that a tree declares, what its tests may need, the surest first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from mendlab.harvest.environment.requirements import Source, name_of
from mendlab.harvest.environment.resolving import OLDEST_PYTEST, admits_our_pytest
from mendlab.harvest.environment.said import Said

_TOOLS: Final = frozenset(
    (
        *("asv", "autopep8", "bandit", "black", "build", "bump2version", "bumpversion", "check-manifest", "codecov"),
        *("codespell", "commitizen", "coverage", "coveralls", "docformatter", "flake8", "furo", "hatch", "hatchling"),
        *("invoke", "ipython", "isort", "jupyter", "mkdocs", "mkdocs-material", "mypy", "myst-parser", "nox", "pip"),
        *("pip-tools", "pre-commit", "pycodestyle", "pyflakes", "pylint", "pyright", "pytest-cov", "pytest-xdist"),
        *("readme-renderer", "ruff", "sphinx", "sphinx-autobuild", "sphinx-rtd-theme", "tox", "towncrier", "twine"),
        *("virtualenv", "wheel", "zest-releaser"),
    )
)
# Modules that tests import, and what they come in, where a project may forget to say that it needs them.
_HELPERS: Final = {
    "attr": "attrs",
    "dateutil": "python-dateutil",
    "freezegun": "freezegun",
    "hypothesis": "hypothesis",
    "mock": "mock",
    "numpy": "numpy",
    "parameterized": "parameterized",
    "pkg_resources": "setuptools<81",  # later ones do not have it
    "pretend": "pretend",
    "pytest_asyncio": "pytest-asyncio",
    "pytest_mock": "pytest-mock",
    "requests": "requests",
    "responses": "responses",
    "setuptools": "setuptools",
    "six": "six",
    "yaml": "pyyaml",
}
_IMPORT: Final = re.compile(rb"^[ \t]*(?:from|import)[ \t]+(\w+)", re.MULTILINE)
_PLUGINS: Final = {
    re.compile(rb"def test\w*\([^)]*\bmocker\b"): "pytest-mock",
    re.compile(rb"def test\w*\([^)]*\bbenchmark\b"): "pytest-benchmark",
    re.compile(rb"def test\w*\([^)]*\bsubtests\b"): "pytest-subtests",
    re.compile(rb"pytest\.mark\.asyncio|asyncio_mode"): "pytest-asyncio",
    re.compile(rb"pytest\.mark\.timeout"): "pytest-timeout",
}


def wanted(said: Said, files: Mapping[str, bytes]) -> tuple[Source, ...]:
    """Return the sources to resolve, in order of doubt: pytest and what must hold first.

    Tools for working on a project are left out unless its code imports them. What its tests import and it declares
    nowhere comes last, if it is of the few well-known names.
    """
    imported = _imported(files)
    own = {name_of(said.name)} if said.name and re.fullmatch(r"[\w.-]+", said.name) else set()
    sources = [Source("pytest", (OLDEST_PYTEST,))]
    for source in sorted(said.sources, key=lambda each: each.doubt):
        kept = tuple(line for line in source.requirements if _is_kept(line, source.doubt, imported, own))
        sources.append(Source(source.place, kept, source.doubt))
    sources.append(Source("imports of the tests", tuple(_undeclared(files, imported, sources)), 9))
    return tuple(source for source in sources if source.requirements)


def _is_kept(line: str, doubt: int, imported: frozenset[str], own: set[str]) -> bool:
    name = name_of(line)
    if name in own or not admits_our_pytest(line):
        return False
    return not doubt or name not in _TOOLS or name.replace("-", "_") in imported


def _undeclared(files: Mapping[str, bytes], imported: frozenset[str], sources: list[Source]) -> Iterator[str]:
    known = {name_of(line) for source in sources for line in source.requirements}
    top = {path.partition("/")[0].removesuffix(".py") for path in files}
    tests = [data for path, data in files.items() if path.endswith((".py", ".ini", ".cfg", ".toml")) and "test" in path]
    wanted = [name for module, name in _HELPERS.items() if module in imported and module not in top]
    wanted += [name for sign, name in _PLUGINS.items() if any(sign.search(data) for data in tests)]
    yield from (name for name in dict.fromkeys(wanted) if name not in known)


def _imported(files: Mapping[str, bytes]) -> frozenset[str]:
    found = (match for path, data in files.items() if _is_code(path) for match in _IMPORT.findall(data))
    return frozenset(name.decode() for name in found)


def _is_code(path: str) -> bool:
    return path.endswith(".py") and path not in ("setup.py", "noxfile.py") and not path.startswith(("doc", "example"))
