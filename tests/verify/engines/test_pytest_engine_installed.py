"""A project that is installed in its interpreter, in any way, is tested as it lies in the tree."""

import shutil

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.records import Limits, PytestHarness, SandboxLevel, TestOutcome
from mendlab.verify.confinement.interpreter import find_interpreter
from mendlab.verify.confinement.sandbox import choose_level
from mendlab.verify.engines.pytest_engine import PytestEngine

FINDER = """
import sys
from importlib.util import spec_from_file_location

MAPPING = {"wheel_of_tests": %r}

class Finder:
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name in MAPPING:
            place = MAPPING[name]
            return spec_from_file_location(name, place + "/__init__.py", submodule_search_locations=[place])

def install():
    sys.meta_path.append(Finder)
"""


def make_path_file(site_packages, original):
    (site_packages / "wheel.pth").write_text(f"{original.parent}\n", encoding="utf-8")


def make_finder(site_packages, original):
    (site_packages / "__editable___wheel_finder.py").write_text(FINDER % str(original), encoding="utf-8")
    (site_packages / "wheel.pth").write_text("import __editable___wheel_finder as f; f.install()\n")


def make_copy(site_packages, original):
    shutil.copytree(original, site_packages / "wheel_of_tests")


@pytest.mark.parametrize("level", [choose_level(), SandboxLevel.NONE])
@pytest.mark.parametrize(
    ("install", "folder"),
    [(make_path_file, "lib"), (make_finder, "python/lib"), (make_path_file, "src"), (make_copy, "src")],
)
def test_the_tree_goes_before_what_is_installed(lean_python, tmp_path, level, install, folder):
    environment = tmp_path / ".venv"
    shutil.copytree(lean_python.directories[-1], environment, symlinks=True)
    original = tmp_path / "Projekt" / folder / "wheel_of_tests"
    original.mkdir(parents=True)
    (original / "__init__.py").write_text("SIDE = 'the original'\n")
    install(next(environment.glob("lib/python*/site-packages")), original)
    test = b"import wheel_of_tests\ndef test_side():\n    assert wheel_of_tests.SIDE == 'the tree'\n"
    tree = FileTree(
        {
            f"{folder}/wheel_of_tests/__init__.py": b"SIDE = 'the tree'\n",
            "tests/test_side.py": test,
        }
    )
    engine = PytestEngine(
        tree,
        PytestHarness(test_files=("tests/test_side.py",)),
        limits=Limits(),
        level=level,
        interpreter=find_interpreter(environment),
    )
    try:
        run = engine.run({})
        assert [result.outcome for result in run.results] == [TestOutcome.PASSED], run
        run = engine.run({f"{folder}/wheel_of_tests/__init__.py": None})
        assert [result.outcome for result in run.results] == [TestOutcome.ERROR], run
    finally:
        engine.close()


def test_a_dependency_of_pytest_can_be_the_subject(lean_python):
    program = b"def answer():\n    return 42\n"
    test = b"import iniconfig\ndef test_answer():\n    assert iniconfig.answer() == 42\n"
    tree = FileTree({"src/iniconfig/__init__.py": program, "tests/test_answer.py": test, "pytest.ini": b"[pytest]\n"})
    harness = PytestHarness(test_files=("tests/test_answer.py", "pytest.ini"))
    engine = PytestEngine(tree, harness, limits=Limits(), level=choose_level(), interpreter=lean_python)
    try:
        assert [result.outcome for result in engine.run({}).results] == [TestOutcome.PASSED]
        changed = {"src/iniconfig/__init__.py": program.replace(b"42", b"41")}
        assert [result.outcome for result in engine.run(changed).results] == [TestOutcome.FAILED]
    finally:
        engine.close()
