"""Programs in small, written to disk in the shapes that people have them in, and read back by the lab's own readers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from mendlab.corpora.building import Building
from mendlab.corpora.candidates import Candidate, LoadedSubject
from mendlab.corpora.importers import read_candidates
from mendlab.corpora.subjects import read_subjects
from mendlab.corpora.taskset import TaskSet, write_taskset
from mendlab.records import BuildConfig, Provenance, Task
from mendlab.verify.bench import Bench, set_up_bench
from mendlab.verify.intake import take_in

PROVENANCE = Provenance(source="written for these tests")


def no_progress(stage: str, done: int, total: int | None) -> None:
    """Nobody is looking."""


class Shapes:
    """Writes programs below a folder."""

    def __init__(self, folder: Path, bench: Bench) -> None:
        self.folder = folder
        self.bench = bench

    @staticmethod
    def problem(name: str, program: str, checks: Iterable[str], buggy: str | None = None) -> dict[str, Any]:
        """Return a row in HumanEval's shape, or HumanEvalPack's if there is a buggy program.

        ``program`` begins with the ``def`` of the function; each of ``checks`` is an expression on ``candidate``.
        """
        head, _, body = program.partition("\n")
        row = {
            "task_id": name,
            "prompt": head + "\n",
            "canonical_solution": body,
            "entry_point": head.removeprefix("def ").partition("(")[0],
            "test": "def check(candidate):\n" + "".join(f"    assert {check}\n" for check in checks),
        }
        if buggy is not None:
            row["buggy_solution"] = buggy.partition("\n")[2]
        return row

    def rows(self, rows: Iterable[Mapping[str, Any]], name: str = "problems.jsonl") -> Path:
        """Write a JSONL file."""
        path = self.folder / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return path

    def project(self, files: Mapping[str, str], name: str = "project") -> Path:
        """Write a directory of text files."""
        for path, text in files.items():
            place = self.folder / name / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
        return self.folder / name

    def subjects(self, rows: Iterable[Mapping[str, Any]]) -> list[LoadedSubject]:
        """Return problems as subjects."""
        return self.read(f"humaneval:{self.rows(rows)}")

    @staticmethod
    def read(spec: str | Path) -> list[LoadedSubject]:
        """Return the subjects that a specification names; all of it must be usable."""
        found = list(read_subjects(str(spec)))
        assert all(isinstance(item, LoadedSubject) for item in found), found
        return [item for item in found if isinstance(item, LoadedSubject)]

    def candidates(self, format: str, path: Path) -> list[Candidate]:
        """Return published bugs as candidates; all of them must be."""
        found = list(read_candidates(format, path))
        assert all(isinstance(item, Candidate) for item in found), found
        return [item for item in found if isinstance(item, Candidate)]

    def building(self, name: str = "set") -> Building:
        """Begin the work on a task set."""
        config = BuildConfig(command="test", parameters={}, tools={})
        return Building(self.folder / name, config)

    def tasks(self, candidates: list[Candidate], name: str = "taking") -> tuple[Task, ...]:
        """Prove candidates and return their tasks; all of them must hold."""
        with self.building(name) as building:
            taken = take_in(candidates, self.bench, building, workers=2, progress=no_progress)
            building.finish()
        assert not taken.refused, taken.refused
        return taken.tasks

    def taskset(self, tasks: Iterable[Task], candidates: Iterable[Candidate], name: str = "set") -> TaskSet:
        """Write tasks down with the trees of their candidates."""
        trees = [candidate.loaded.tree for candidate in candidates]
        return write_taskset(self.folder / name, tasks, trees, name=name, provenance=PROVENANCE)


@pytest.fixture(scope="session")
def bench() -> Bench:
    """What tests run on: confined, under the interpreter of these tests."""
    return set_up_bench()


@pytest.fixture(scope="session")
def shapes_at(bench: Bench) -> Callable[[Path], Shapes]:
    """Shapes in a folder of one's choice."""
    return lambda folder: Shapes(folder, bench)


@pytest.fixture
def shapes(tmp_path: Path, bench: Bench) -> Shapes:
    return Shapes(tmp_path, bench)


@pytest.fixture(scope="module")
def module_shapes(tmp_path_factory: pytest.TempPathFactory, bench: Bench) -> Shapes:
    """Shapes that live as long as the tests of one file."""
    return Shapes(tmp_path_factory.mktemp("shapes"), bench)
