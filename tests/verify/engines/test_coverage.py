"""What each test of a project reaches, whatever way its code comes to run."""

from __future__ import annotations

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.records import Limits, PytestHarness
from mendlab.verify.confinement.interpreter import find_interpreter
from mendlab.verify.confinement.sandbox import choose_level
from mendlab.verify.engines.coverage import COMMON, EVERYWHERE, UNSEEN, Coverage
from mendlab.verify.engines.pytest_engine import PytestEngine

MILL = '''\
"""A mill."""
import threading

KEPT = {}


def grind(n):
    return n * 2


def kept():
    if "sails" not in KEPT:
        KEPT["sails"] = lambda n: (
            n + 1
        )
    return KEPT["sails"]


def one_line(n): return n


def in_a_thread():
    thread = threading.Thread(target=turn)
    thread.start()
    thread.join()


def turn():
    KEPT["turned"] = True


def shared():
    return 5


def torn_down():
    return 6


def warns():
    import warner
'''
TREE = {
    "mill.py": MILL,
    "late.py": "def late():\n    return 3\n\n\ndef early():\n    return 7\n\n\nEARLY = early()\n",
    "test_tools.py": "def tool():\n    return 4\n\n\ndef unused():\n    return 5\n",
    "warner.py": "import warnings\nwarnings.warn('old', DeprecationWarning, stacklevel=2)\n",
    "script.py": "def run():\n    return 1\n\n\nX = run()\n",
    "broken.py": "def f():\n    return 1\n",
    "own.py": "def f():\n    return 1\n\n\ndef g():\n    return 2\n",
    "conftest.py": """\
import pytest, mill

@pytest.fixture(scope="module")
def flour():
    yield mill.shared()
    mill.torn_down()
""",
    "tests/test_mill.py": """\
import importlib.machinery, importlib.util, inspect, multiprocessing, os, runpy, subprocess, sys, types
import mill, pytest, test_tools

def test_grind(): assert mill.grind(1) == 2
def test_kept(): assert mill.kept()
def test_kept_again(): assert mill.KEPT["sails"](1) == 2
def test_one_line(): assert mill.one_line(1)
def test_thread(): mill.in_a_thread()
def test_late():
    import late
    assert late.late() == 3
def test_later():
    import late
    assert late.EARLY == 7
def test_tool(): assert test_tools.tool() == 4
def test_script(): assert runpy.run_path("script.py")["X"] == 1
def test_own():
    with open("own.py") as file:
        code = compile(file.read(), os.path.abspath("own.py"), "exec")
    function = types.FunctionType(next(c for c in code.co_consts if hasattr(c, "co_code")), {})
    assert function() == 1
def test_process(): assert subprocess.call([sys.executable, "-c", "pass"]) == 0
def test_spawned():
    process = multiprocessing.get_context("spawn").Process(target=mill.turn)
    process.start()
    process.join()
    assert process.exitcode == 0
def test_flour(flour): assert flour == 5
def test_more_flour(flour): assert flour == 5
def test_source(): assert "n * 2" in inspect.getsource(mill.grind)
def test_source_again(): assert "n * 2" in inspect.getsource(mill.grind)
def test_warning():
    with pytest.warns(DeprecationWarning) as caught:
        mill.warns()
    assert caught[0].filename == mill.__file__
def test_fails_when_recorded():
    assert not [c for c in mill.grind.__code__.co_consts if isinstance(c, bytearray)]
""",
}
TESTS = "tests/test_mill.py"


@pytest.fixture(scope="module")
def coverage():
    tree = FileTree({path: text.encode() for path, text in TREE.items()})
    harness = PytestHarness(test_files=("tests/test_mill.py", "conftest.py"))
    engine = PytestEngine(
        tree, harness, limits=Limits(cpu_seconds=10.0), level=choose_level(), interpreter=find_interpreter()
    )
    try:
        assert set(engine.run({}).outcomes().values()) == {"passed"}
        return engine.coverage(engine.test_ids)
    finally:
        engine.close()


def reaching(coverage: Coverage, path: str, text: str) -> set[str]:
    """The tests that reach the statement on the line of a text, without those that may reach anything."""
    number = next(n for n, line in enumerate(TREE[path].splitlines(), 1) if text in line)
    found = coverage.reaching(path, TREE[path], number, number)
    return {test_id.partition("::")[2] for test_id in found if EVERYWHERE not in coverage.lines[test_id]}


def everyone(coverage: Coverage) -> set[str]:
    return {t.partition("::")[2] for t, files in coverage.lines.items() if t != COMMON and EVERYWHERE not in files}


@pytest.mark.parametrize(
    ("path", "text", "tests"),
    [
        ("mill.py", "return n * 2", {"test_grind"}),
        ("mill.py", 'KEPT["sails"] =', {"test_kept", "test_kept_again"}),
        ("mill.py", "n + 1", {"test_kept", "test_kept_again"}),
        ("mill.py", 'return KEPT["sails"]', {"test_kept"}),
        ("mill.py", 'KEPT["turned"]', {"test_thread"}),
        ("mill.py", "import warner", {"test_warning"}),
        ("mill.py", "return 5", {"test_flour", "test_more_flour"}),  # in a fixture that they share
        ("mill.py", "return 6", {"test_flour", "test_more_flour"}),
        ("late.py", "return 3", {"test_late"}),
        ("late.py", "def late", {"test_late", "test_later"}),  # imported by the first that comes to it
        ("late.py", "return 7", {"test_late", "test_later"}),
    ],
)
def test_a_statement_is_reached_by_the_tests_that_run_it(coverage, path, text, tests):
    assert reaching(coverage, path, text) - {"test_source", "test_source_again"} == tests


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("mill.py", "A mill"),  # runs at import
        ("mill.py", "def one_line"),
    ],
)
def test_what_runs_at_import_is_reached_by_all(coverage, path, text):
    assert reaching(coverage, path, text) == everyone(coverage)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("test_tools.py", "return 5"),  # loaded by pytest, not by the usual import
        ("script.py", "return 1"),  # runpy compiles it
        ("own.py", "return 2"),  # compiled by a test
    ],
)
def test_a_file_that_runs_without_probes_is_reached_by_all(coverage, path, text):
    assert UNSEEN in coverage.lines[COMMON][path]
    assert reaching(coverage, path, text) == everyone(coverage)


def test_who_reads_a_file_reaches_all_of_it(coverage):
    readers = {test_id for test_id, files in coverage.lines.items() if UNSEEN in files.get("mill.py", ())}
    assert readers == {f"{TESTS}::{name}" for name in ("test_source", "test_source_again", "test_fails_when_recorded")}


def test_one_that_does_not_pass_by_itself_is_told(coverage):
    assert coverage.leaning == {f"{TESTS}::test_kept_again"}


def test_a_file_that_does_not_run_is_reached_by_none(coverage):
    assert reaching(coverage, "broken.py", "return 1") == set()


@pytest.mark.parametrize("test", ["test_process", "test_spawned", "test_fails_when_recorded"])
def test_one_that_starts_a_process_or_does_not_pass_may_reach_anything(coverage, test):
    assert EVERYWHERE in coverage.lines[f"{TESTS}::{test}"]
    number = MILL.splitlines().index("    return n * 2") + 1
    assert f"{TESTS}::{test}" in coverage.reaching("mill.py", MILL, number, number)
