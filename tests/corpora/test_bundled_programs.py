"""Every bundled program is whole, and its suite passes and covers it."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from mendlab.corpora.bundled_programs import BundledProgram, bundled_program, bundled_programs
from mendlab.errors import InputError

LEAST_COVERAGE = 95.0
WANTED_STYLES = {
    "arithmetic",
    "async",
    "classes with state",
    "context managers",
    "cross-module",
    "data structures",
    "dates",
    "decorators",
    "dictionaries",
    "doctests",
    "exceptions as results",
    "floats",
    "generators",
    "graph search",
    "intervals",
    "iterators",
    "matrices",
    "money",
    "parsing",
    "recursion",
    "sets",
    "src layout",
    "strings",
    "text wrapping",
    "unittest",
}

each_program = pytest.mark.parametrize("program", bundled_programs(), ids=lambda program: program.slug)


def run_in(program: BundledProgram, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=program.path,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_there_are_enough_and_of_every_style() -> None:
    programs = bundled_programs()
    assert len(programs) >= 20
    assert {style for program in programs for style in program.styles} >= WANTED_STYLES


@each_program
def test_program_is_whole(program: BundledProgram) -> None:
    assert program.path.is_dir() and program.path.name == program.slug
    assert program.summary.endswith(".") and len(program.summary) <= 110
    assert program.styles
    assert list(program.path.rglob("test_*.py"))
    assert program.sources
    for path in program.path.rglob("*.py"):
        compile(path.read_text(encoding="utf-8"), str(path), "exec")


def test_sources_leave_the_tests_out() -> None:
    shop = bundled_program("shopfront")
    assert [path.name for path in shop.sources] == [
        "__init__.py",
        "cart.py",
        "catalogue.py",
        "checkout.py",
        "pricing.py",
        "shipping.py",
        "units.py",
    ]
    assert [path.name for path in bundled_program("stockroom").sources] == ["stockroom.py"]


def test_unknown_program_names_the_near_ones() -> None:
    with pytest.raises(InputError, match=r"no bundled program .ledgr.*ledger"):
        bundled_program("ledgr")
    with pytest.raises(InputError, match="choose one of: bearings, calibration"):
        bundled_program("?")


@pytest.mark.slow
@each_program
def test_suite_passes_and_covers_the_program(program: BundledProgram, tmp_path: os.PathLike[str]) -> None:
    report = os.path.join(tmp_path, "coverage.json")
    data = {"COVERAGE_FILE": os.path.join(tmp_path, "data")}
    sources = ",".join(str(path) for path in program.sources)
    command = ["-m", "coverage", "run", "--branch", f"--include={sources}"]
    suite = run_in(program, *command, "-m", "pytest", "-q", "-p", "no:cacheprovider", **data)
    assert suite.returncode == 0, suite.stdout + suite.stderr
    run_in(program, "-m", "coverage", "json", "-q", "-o", report, **data).check_returncode()
    with open(report, encoding="utf-8") as file:
        assert json.load(file)["totals"]["percent_covered"] >= LEAST_COVERAGE
