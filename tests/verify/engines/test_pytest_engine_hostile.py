"""What a hostile suite or candidate does costs its own test, and never makes a pass."""

import textwrap

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.records import Limits, PytestHarness, TestOutcome
from mendlab.verify.confinement.sandbox import choose_level
from mendlab.verify.engines.engine import RunOptions
from mendlab.verify.engines.pytest_engine import PytestEngine

LIMITS = Limits(
    cpu_seconds=1.0,
    wall_seconds=6.0,
    memory_bytes=400 * 2**20,
    processes=20,
    file_bytes=8 * 2**20,
    disk_bytes=16 * 2**20,
)
BODIES = {
    "spin": "while True: pass",
    "sleep": "time.sleep(100)",
    "leave": "os._exit(0)",
    "kill": "os.kill(os.getpid(), 9)",
    "segfault": "import ctypes; ctypes.string_at(0)",
    "interrupt": "raise KeyboardInterrupt",
    "pytest_exit": "pytest.exit('enough')",
    "sys_exit": "sys.exit(0)",
    "memory": "x = bytearray(10**10)",
    "fork_bomb": "[os.fork() for _ in range(12)]; time.sleep(5)",
    "forked_copy": "os.fork()",
    "print": "print('x' * 3_000_000); assert False",
    "own_file": "os.unlink(__file__); assert False",
    "whole_tree": "shutil.rmtree(os.getcwd()); assert False",
    "garbage": "[write(fd) for fd in range(3, 200)]; time.sleep(5)",
    "flood": "[print('y' * 10**6) for _ in range(100)]",
    "thread_leaves": "threading.Timer(0.2, os._exit, [0]).start(); time.sleep(3)",
}
HELPERS = """
import os, pytest, shutil, sys, threading, time

def write(fd):
    try:
        if not os.path.sameopenfile(fd, 1):
            os.set_blocking(fd, False)
            os.write(fd, b"\\xff" * 64)
    except OSError:
        pass
"""
EXPECTED = {
    "spin": {TestOutcome.TIMEOUT},
    "sleep": {TestOutcome.TIMEOUT},
    "leave": {TestOutcome.CRASH},
    "kill": {TestOutcome.CRASH},
    "segfault": {TestOutcome.CRASH},
    "interrupt": {TestOutcome.CRASH, TestOutcome.ERROR},
    "pytest_exit": {TestOutcome.CRASH, TestOutcome.ERROR},
    "sys_exit": {TestOutcome.ERROR},
    "memory": {TestOutcome.OUT_OF_MEMORY},
    "fork_bomb": {TestOutcome.CRASH, TestOutcome.ERROR, TestOutcome.OUT_OF_MEMORY},  # copies share memory
    "forked_copy": {TestOutcome.PASSED},
    "print": {TestOutcome.FAILED},
    "own_file": {TestOutcome.FAILED},
    "whole_tree": {TestOutcome.FAILED},
    "garbage": {TestOutcome.CRASH},
    "flood": {TestOutcome.ERROR, TestOutcome.CRASH},
    "thread_leaves": {TestOutcome.CRASH},
}


def module(name):
    tests = {"test_before": "pass", "test_it": BODIES[name], "test_after": "pass"}
    return HELPERS + "".join(f"\ndef {test}():\n    {body}\n" for test, body in tests.items())


@pytest.fixture(scope="module")
def engine(lean_python):
    files = {f"tests/test_{name}.py": module(name).encode() for name in BODIES}
    files["tests/test_program.py"] = b"import waterwheel\n\ndef test_one():\n    assert waterwheel.one() == 1\n\n"
    files["tests/test_program.py"] += b"def test_two():\n    assert waterwheel.two() == 2\n"
    files["tests/helpers.py"] = b"ANSWER = 42\n"
    files["tests/test_helped.py"] = b"import helpers\n\ndef test_answer():\n    assert helpers.ANSWER == 41\n"
    files["waterwheel.py"] = b"def one():\n    return 1\n\ndef two():\n    return 2\n"
    files["pyproject.toml"] = b"[tool.pytest.ini_options]\npythonpath = ['.']\n"
    tree = FileTree(files)
    harness = PytestHarness(test_files=tuple(path for path in files if path.startswith("tests/")))
    engine = PytestEngine(tree, harness, limits=LIMITS, level=choose_level(), interpreter=lean_python)
    yield engine
    engine.close()


PROGRAM_TESTS = ("tests/test_program.py::test_one", "tests/test_program.py::test_two")


def outcomes_with(engine, program):
    run = engine.run({"waterwheel.py": textwrap.dedent(program).encode()}, RunOptions(tests=PROGRAM_TESTS))
    return [result.outcome for result in run.results]


@pytest.mark.parametrize("name", BODIES)
def test_a_hostile_test_answers_for_itself_alone(engine, name):
    before, hostile, after = (f"tests/test_{name}.py::{test}" for test in ("test_before", "test_it", "test_after"))
    run = engine.run({}, RunOptions(tests=[before, hostile, after, "tests/test_program.py::test_one"]))
    found = run.outcomes()
    assert found[hostile] in EXPECTED[name], run
    if found[hostile] is not TestOutcome.PASSED:
        assert run.results[1].message
    assert found[before] is TestOutcome.PASSED
    assert found["tests/test_program.py::test_one"] is TestOutcome.PASSED
    # Where its own module is gone from the disk, or a limit stays passed, the next test may suffer, but is heard.
    assert found[after] is not TestOutcome.MISSING


def test_leaving_while_it_is_imported_passes_nothing(engine):
    assert outcomes_with(engine, "import os\nos._exit(0)") == [TestOutcome.CRASH] * 2
    assert outcomes_with(engine, "import sys\nsys.exit(0)") == [TestOutcome.ERROR] * 2


def test_a_hang_at_import_is_a_timeout(engine):
    assert outcomes_with(engine, "while True: pass") == [TestOutcome.TIMEOUT] * 2


def test_once_its_tests_are_collected_a_run_has_the_time_that_they_are_given(engine):
    program = b"import time\nwhile time.process_time() < 0.8: pass\ndef one():\n    while True: pass\n"
    limits = LIMITS.model_copy(update={"cpu_seconds": 20.0})
    options = RunOptions(tests=PROGRAM_TESTS[:1])
    run = engine.run({"waterwheel.py": program}, options, limits, collected_seconds=0.4)
    assert [result.outcome for result in run.results] == [TestOutcome.TIMEOUT]
    assert 1.0 < run.cpu_seconds < 5.0


def test_leaving_in_a_test_leaves_it_unpassed_and_the_next_runs_again(engine):
    program = "import os\ndef one(): os._exit(0)\ndef two(): return 2"
    assert outcomes_with(engine, program) == [TestOutcome.CRASH, TestOutcome.PASSED]


def test_what_a_candidate_adds_for_pytest_to_load_has_no_effect(engine):
    forged = b"import pytest\n@pytest.hookimpl(tryfirst=True)\ndef pytest_pyfunc_call(pyfuncitem):\n    return True\n"
    changes = {
        "conftest.py": forged,
        "tests/conftest.py": forged,
        "sitecustomize.py": b"import os; os._exit(0)",
        "pytest.ini": b"[pytest]\naddopts = -p forged\n",
        "pyproject.toml": None,
        "tests/helpers/__init__.py": b"ANSWER = 41\n",
        "tests/__pycache__/helpers.cpython-311.pyc": b"",
        "tests/test_helped.py": b"def test_answer(): pass\n",
        "tests/test_helped/__init__.py": b"",
        "tests": b"a file",
        "forged.py": forged,
    }
    run = engine.run(changes, RunOptions(tests=["tests/test_helped.py::test_answer"]))
    assert run.results[0].outcome is TestOutcome.FAILED, run


def test_the_good_tree_is_not_there_to_be_read(engine):
    program = """
        import os
        def one():
            for place in ("/tree", "/mendlab", "/tmp", "/dev/shm", "/root", "/home", "/srv", "/var", "/opt"):
                for folder, _, files in os.walk(place):
                    if folder.startswith(os.getcwd()):
                        continue
                    assert "waterwheel.py" not in files, folder
            return 1
        def two():
            return 3
        """
    assert outcomes_with(engine, program) == [TestOutcome.PASSED, TestOutcome.FAILED]


@pytest.mark.parametrize(
    "forging",
    [
        # Frames of its own on every channel it can find, without the nonce.
        """
        import json, os, struct
        body = json.dumps({"event": "result", "id": "tests/test_program.py::test_two", "outcome": "passed"}).encode()
        for fd in range(3, 64):
            try:
                os.write(fd, struct.pack("!I", len(body)) + body)
            except OSError:
                pass
        """,
        # The lab's own modules and functions, by name.
        """
        import sys
        main = sys.modules["__main__"]
        assert not hasattr(main, "Server")
        assert not [name for name in sys.modules if name.startswith("_mendlab")]
        """,
        # Another makereport: everything passes.
        """
        import _pytest.runner
        _pytest.runner.pytest_runtest_makereport.__code__ = (lambda item, call: None).__code__
        """,
        """
        import _pytest.python
        _pytest.python.Function.runtest = lambda self: None
        """,
        # A property where pytest has an attribute.
        """
        import _pytest.reports
        _pytest.reports.TestReport.outcome = property(lambda self: "passed", lambda self, value: None)
        """,
        # A plugin of its own, that calls no test.
        """
        import gc, pytest
        class Forged:
            @pytest.hookimpl(tryfirst=True)
            def pytest_pyfunc_call(self, pyfuncitem):
                return True
        for found in gc.get_objects():
            if type(found).__name__ == "PytestPluginManager":
                found.register(Forged())
        """,
        # The exit code, and nothing else.
        "import atexit, os\natexit.register(os._exit, 0)",
    ],
)
def test_cheap_forgeries_fail(engine, forging):
    program = textwrap.dedent(forging) + "\ndef one(): return 1\ndef two(): return 3\n"
    outcome = outcomes_with(engine, program)[1]
    assert outcome in (TestOutcome.FAILED, TestOutcome.ERROR, TestOutcome.CRASH, TestOutcome.MISSING)


HOOKED = """
import pytest, _pytest.reports, _pytest.runner

_pytest.reports.TestReport.added = property(lambda self: None)

@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    yield
"""


def test_what_the_good_tree_adds_to_pytest_is_allowed_it_whether_or_not_it_was_collected_before(lean_python):
    files = {
        "waterwheel.py": b"def one():\n    return 1\n",
        "tests/test_top.py": b"import waterwheel\n\ndef test_one():\n    assert waterwheel.one() == 1\n",
        "tests/deep/conftest.py": HOOKED.encode(),
        "tests/deep/test_deep.py": b"import waterwheel\n\ndef test_deep():\n    assert waterwheel.one() == 1\n",
        "pyproject.toml": b"[tool.pytest.ini_options]\npythonpath = ['.']\n",
    }
    tests = ("tests/deep/test_deep.py::test_deep", "tests/test_top.py::test_one")
    harness = PytestHarness(test_files=tuple(path for path in files if path.startswith("tests/")))
    for collects in (False, True):
        engine = PytestEngine(FileTree(files), harness, limits=LIMITS, level=choose_level(), interpreter=lean_python)
        try:
            if collects:
                assert set(engine.test_ids) == set(tests)
            assert engine.run({}, RunOptions(tests=tests)).failing() == ()
        finally:
            engine.close()
