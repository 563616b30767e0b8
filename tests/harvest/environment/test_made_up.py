"""What installing would have left behind."""

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.harvest.environment.made_up import made_up
from mendlab.harvest.environment.said import Said
from mendlab.records import Limits, PytestHarness, TestOutcome


def test_a_project_that_asks_for_its_metadata_finds_it(bench):
    said = Said(
        name="big-nails",
        version=None,
        version_files=("src/nails/_version.py",),
        entry_points={"nails.kinds": {"short": "nails:short"}},
    )
    files = {
        "src/nails/__init__.py": b"from ._version import version\n__version__ = '3.1'\ndef short(): return 1\n",
        "tests/test_nails.py": b"""
import importlib.metadata as metadata
import subprocess, sys
import nails

def test_version():
    assert metadata.version("big-nails") == nails.version == "3.1"

def test_entry_points():
    (point,) = [each for each in metadata.distribution("big-nails").entry_points if each.group == "nails.kinds"]
    assert point.load()() == 1

def test_started_process():
    code = "import importlib.metadata as m; print(m.version('big-nails'))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "3.1"
""",
    }
    tree = FileTree(files)
    engine = bench.open(tree.replace(made_up(said, tree)), PytestHarness(test_files=()), Limits())
    try:
        outcomes = engine.run({}).outcomes()
    finally:
        engine.close()
    assert outcomes == {
        f"tests/test_nails.py::test_{name}": TestOutcome.PASSED
        for name in ("version", "entry_points", "started_process")
    }


def test_nothing_is_made_up_for_who_does_not_ask():
    assert made_up(Said(name="nails", version="1"), {"nails.py": b"", "tests/test_nails.py": b"import nails"}) == {}


def test_names_that_lead_out_of_the_tree_are_left_alone():
    said = Said(name="../../nails", version_files=("/etc/x.py", "../x.py", "a/../../x.py", "x.cfg", "ok/_version.py"))
    files = {"ok/__init__.py": b"import importlib.metadata"}
    assert list(made_up(said, files)) == ["ok/_version.py"]


@pytest.mark.parametrize("there", [b"version = 'own'\n"])
def test_a_file_of_its_own_stays(there):
    said = Said(name="nails", version_files=("nails/_version.py",))
    assert made_up(said, {"nails/_version.py": there, "nails/__init__.py": b""}) == {}
