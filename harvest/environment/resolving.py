"""Versions that go together as of a date: uv's answer, checked for packages that it chose absurdly old.

An index tells when a file was uploaded, not when its version came out. Where the files of a release were deleted and
uploaded anew years later (``atomicwrites`` 1.4 in 2022), a resolver that takes nothing newer than a date finds none of
them, and falls back to versions of other packages from before these needed it. Such a package is let in later.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from packaging.requirements import Requirement

from mendlab.errors import EngineError
from mendlab.harvest.environment.interpreters import Version, out_since
from mendlab.harvest.environment.requirements import name_of
from mendlab.harvest.environment.shared import publish_file
from mendlab.harvest.environment.uv import UvError, run_uv

OLDEST_PYTEST: Final = "pytest>=6.2"
_OLDEST_PYTEST_DATE: Final = datetime(2021, 6, 1, tzinfo=UTC)
_HARNESS: Final = (
    *("pytest", "pluggy", "iniconfig", "packaging", "attrs", "py", "toml", "tomli", "exceptiongroup", "pyparsing"),
    *("importlib-metadata", "typing-extensions", "zipp", "pygments"),
)
_STALE: Final = timedelta(days=550)
_MOST_REPAIRS: Final = 8
_FILTERED: Final = re.compile(
    r"`(?P<name>[\w.-]+)` was filtered by `exclude-newer`.*?published at (?P<at>[\d-]{10}T[\d:.]+Z)", re.DOTALL
)


class Unresolvable(Exception):
    """No versions go together; the resolver's reason, in its first line."""


@dataclass(frozen=True, slots=True)
class Lock:
    """Versions that go together, as ``name==version`` lines, and the packages let in ``later`` than the date."""

    lines: tuple[str, ...]
    later: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Chosen:
    version: str
    uploaded: datetime | None


class Resolver:
    """Resolves for one interpreter after another, and keeps what it found in a folder. Processes may share that."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def resolve(self, requirements: Sequence[str], version: Version, python: Path, until: datetime) -> Lock:
        """Return a lock for requirements, of wheels uploaded until a moment; pytest and what it needs may be later.

        Raises:
            Unresolvable: there is none.
            EngineError: the index cannot be asked.
        """
        key = json.dumps([sorted(set(requirements)), version, until.isoformat()])
        place = self._folder / f"{hashlib.sha256(key.encode()).hexdigest()}.json"
        known = _read(place)
        if known is None:
            known = self._asked(requirements, version, python, until)
            publish_file(place, json.dumps(known).encode())
        if "refused" in known:
            raise Unresolvable(known["refused"])
        return Lock(tuple(known["lines"]), known["later"])

    def _asked(self, requirements: Sequence[str], version: Version, python: Path, until: datetime) -> dict[str, Any]:
        question = _Question(python, until, _later_for_pytest(version, until))
        try:
            return asdict(_repaired(question, list(dict.fromkeys(requirements))))
        except UvError as error:
            if "No solution found" not in str(error):
                raise EngineError(f"the package index cannot be asked: {_first(str(error))}") from error
            return {"refused": _first(str(error))}


@dataclass(slots=True)
class _Question:
    python: Path
    until: datetime
    later: dict[str, str]

    def ask(self, lines: Sequence[str], *more: str) -> dict[str, _Chosen]:
        """Return what uv chooses, by name. Raises UvError."""
        dates = [f"--exclude-newer-package={name}={at}" for name, at in self.later.items()]
        printed = run_uv(
            [
                *("pip", "compile", "--python", str(self.python), "--only-binary", ":all:", "--format", "pylock.toml"),
                *("--no-header", "--no-annotate", f"--exclude-newer={_written(self.until)}", *dates, *more, "-"),
            ],
            "\n".join(lines),
        )
        return {each["name"]: _Chosen(each["version"], _uploaded(each)) for each in _packages(printed)}


def _later_for_pytest(version: Version, until: datetime) -> dict[str, str]:
    """The lab runs pytest 6.2 and later, and an interpreter needs a pytest that knows it."""
    least = max(_OLDEST_PYTEST_DATE, out_since(version) + timedelta(days=270))
    return {name: _written(least) for name in _HARNESS} if least > until else {}


def _repaired(question: _Question, lines: list[str]) -> Lock:
    """Ask, and again with what is newer as of the date wherever the answer is absurdly old."""
    repaired: dict[str, str] = {}
    kept = set[str]()
    chosen = _ask_letting_in(question, lines, repaired)
    for _ in range(_MOST_REPAIRS):
        stale = next((name for name, each in chosen.items() if name not in kept and _is_stale(each, question)), None)
        if stale is None:
            break
        kept.add(stale)
        newest = question.ask([stale], "--no-deps").get(stale)
        if newest is None or newest.version == chosen[stale].version:
            continue
        held = dict(question.later), dict(repaired)
        try:
            chosen = _ask_letting_in(question, [*lines, f"{stale}>={newest.version}"], repaired)
        except UvError:  # held back by what others need
            question.later, repaired = held
    versions = tuple(sorted(f"{name}=={each.version}" for name, each in chosen.items()))
    uploads = {name: each.uploaded for name, each in chosen.items() if each.uploaded is not None}
    later = {name: _written(at) for name, at in uploads.items() if at > question.until}
    return Lock(versions, later | repaired)


def _ask_letting_in(question: _Question, lines: Sequence[str], repaired: dict[str, str]) -> dict[str, _Chosen]:
    """Ask; where uv says that nothing of a package is old enough, let it in as of when its files were uploaded anew."""
    for _ in range(_MOST_REPAIRS):
        try:
            return question.ask(lines)
        except UvError as error:
            found = _FILTERED.search(str(error))
            if found is None or found["name"] in repaired:
                raise
            after = datetime.fromisoformat(found["at"]) + timedelta(seconds=1)
            question.later[found["name"]] = repaired[found["name"]] = _written(after)
    return question.ask(lines)


def _is_stale(chosen: _Chosen, question: _Question) -> bool:
    return chosen.uploaded is not None and question.until - chosen.uploaded > _STALE


def _packages(printed: str) -> list[dict[str, Any]]:
    return list(tomllib.loads(printed).get("packages", ()))


def _uploaded(package: Mapping[str, Any]) -> datetime | None:
    times = [file["upload-time"] for file in package.get("wheels", ()) if isinstance(file.get("upload-time"), datetime)]
    return min(times, default=None)


def _written(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _first(text: str) -> str:
    """The reason in a refusal of uv's, in one line."""
    _, _, cause = text.partition("cause: ")
    return " ".join((cause or text).partition("hint:")[0].split())[:400]


def _read(place: Path) -> dict[str, Any] | None:
    try:
        known = json.loads(place.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return known if isinstance(known, dict) else None


def admits_our_pytest(requirement: str) -> bool:
    """Whether a requirement allows a pytest that the lab can run, or is of something else."""
    if name_of(requirement) != "pytest":
        return True
    specifier = Requirement(requirement).specifier
    return any(specifier.contains(version) for version in ("6.2.5", "7.4.4", "8.4.2", "9.0.0"))
