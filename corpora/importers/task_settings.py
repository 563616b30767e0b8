"""The settings of a task directory: ``weight`` (a positive number, 1 if not given) and ``tags`` (a list of words).

They stand in ``task.toml`` or ``task.json``, or before the text of ``prompt.md`` (or in ``task.yaml``) as lines
``key: value``, where a list is ``[one, two]`` or ``one, two``. Keys that mean nothing here are passed over.
"""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mendlab.corpora.importers.plain_text import read_text
from mendlab.errors import FormatError

_FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n(.*?)^---[ \t]*\r?$\n?", re.DOTALL | re.MULTILINE)
_KEY = re.compile(r"([A-Za-z_][\w-]*)\s*:\s*(.*)")


@dataclass(frozen=True, slots=True)
class TaskSettings:
    """What a task directory says besides its programs and gates."""

    statement: str
    weight: float = 1.0
    tags: tuple[str, ...] = ()


def read_settings(folder: Path) -> TaskSettings:
    """Return a task's statement, which is ``prompt.md`` without what stands before it, its weight and its tags.

    Raises:
        FormatError: a settings file cannot be parsed, or a value is no weight or no tags.
        InputError: a file cannot be read, or is not UTF-8.
    """
    prompt = folder / "prompt.md"
    text = read_text(prompt)
    front = _FRONT_MATTER.match(text)
    values, where = (key_values(front[1], prompt, 2), prompt) if front else ({}, prompt)
    for name, parse in _FILES.items():
        path = folder / name
        if path.is_file():
            values, where = {**values, **parse(read_text(path), path)}, path
    statement = (text[front.end() :] if front else text).strip()
    if not statement:
        raise FormatError("says nothing", where=prompt, hint="describe the task in it")
    return TaskSettings(statement, _weight(values.get("weight", 1), where), _tags(values.get("tags", []), where))


def key_values(text: str, path: Path, line: int = 1) -> dict[str, Any]:
    """Return lines ``key: value`` as a mapping; lists are ``[a, b]``, or lines ``- a`` below an empty value."""
    values: dict[str, Any] = {}
    key = ""
    for number, written in enumerate(text.splitlines(), start=line):
        stripped = written.strip()
        found = _KEY.fullmatch(stripped)
        if not stripped or stripped.startswith("#"):
            continue
        if stripped.startswith("- ") and key:
            values[key] = [*(values[key] or []), _plain(stripped[2:])]
        elif found and written[0] not in " \t":
            key, value = found[1], found[2].partition(" #")[0].strip()
            listed = value.startswith("[") and value.endswith("]")
            values[key] = [_plain(each) for each in value[1:-1].split(",") if each.strip()] if listed else _plain(value)
        else:
            raise FormatError("not a line 'key: value'", where=f"{path}:{number}", hint="use task.toml for more")
    return values


def _toml(text: str, path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"not valid TOML: {error}", where=path) from error


def _json(text: str, path: Path) -> Mapping[str, Any]:
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"not valid JSON: {error}", where=path) from error
    if not isinstance(values, dict):
        raise FormatError("not a JSON object", where=path)
    return values


_FILES: dict[str, Callable[[str, Path], Mapping[str, Any]]] = {
    "task.yaml": key_values,
    "task.json": _json,
    "task.toml": _toml,
}


def _weight(value: object, where: Path) -> float:
    try:
        weight = float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else math.nan
    except ValueError:
        weight = math.nan
    if not 0 < weight < math.inf:
        raise FormatError(f"weight is {value!r}, not a positive number", where=where)
    return weight


def _tags(value: object, where: Path) -> tuple[str, ...]:
    items = [each.strip() for each in value.split(",")] if isinstance(value, str) else value
    if not isinstance(items, list) or not all(isinstance(each, str) for each in items):
        raise FormatError(f"tags are {value!r}, not a list of words", where=where)
    return tuple(each for each in dict.fromkeys(items) if each)


def _plain(value: str) -> str:
    value = value.strip()
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"" else value
