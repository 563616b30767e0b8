"""What plugins do before the first test takes no quick way away: programs asked, threads kept."""

import os
from contextlib import closing

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.records import Limits, PytestHarness
from mendlab.verify.confinement.interpreter import find_interpreter
from mendlab.verify.confinement.sandbox import choose_level
from mendlab.verify.engines.coverage import COMMON, EVERYWHERE
from mendlab.verify.engines.pytest_engine import PytestEngine
from mendlab.verify.engines.pytest_mutants import SESSION, PytestMutantEngine
from mendlab.verify.engines.pytest_session import PytestSession, Unsuitable

LIMITS = Limits(cpu_seconds=10.0)
HARNESS = PytestHarness(test_files=("test_mill.py", "conftest.py"))
OTHER_PATH = {"PATH": "bin", **{name: value for name, value in os.environ.items() if name == "LANG"}}
ASKS = {
    "git about the revision": 'call(["git", "rev-parse", "HEAD"])',
    "the system about the machine": 'call(["uname", "-a"])',
    "a program that is not there": 'call(["no-such-program", "mill.py"])',
}
RUNS = {
    "git with its hooks": 'call(["git", "commit", "--allow-empty", "-m", "x"])',
    "a shell": 'call("uname", shell=True)',
    "a program that its own path has": f'call(["unpacked"], env={OTHER_PATH!r})',
    "a program of the tree": 'call(["bin/unpacked"])',
    "Python": "call([sys.executable, '-c', ''])",
    "a fork": "os.waitpid(os.fork() or os._exit(0), 0)",
}
CONFTEST = """\
import contextlib, os, subprocess, sys, threading

def call(*args, **options):
    with contextlib.suppress(FileNotFoundError):
        subprocess.run(*args, capture_output=True, **options)

def run_on():
    threading.Event().wait()

def pytest_configure():
    os.makedirs("bin", exist_ok=True)
    with open("bin/unpacked", "w") as file:
        file.write("#!/bin/sh\\n")
    os.chmod("bin/unpacked", 0o755)
    {}
"""


def tree(does: str) -> FileTree:
    """A mill whose conftest file does something before the tests."""
    files = {
        "mill.py": "def grind(n):\n    return n * 2\n\n\ndef sift(n):\n    return n + 1\n",
        "conftest.py": CONFTEST.format(does),
        "test_mill.py": "import mill\ndef test_grind(): assert mill.grind(1) == 2\n"
        "def test_sift(): assert mill.sift(1) == 2\n",
    }
    return FileTree({path: text.encode() for path, text in files.items()})


@pytest.mark.parametrize(
    ("does", "counts"), [pytest.param(does, False, id=why) for why, does in ASKS.items()]
    + [pytest.param(does, True, id=why) for why, does in RUNS.items()],
)  # fmt: skip
def test_a_process_before_the_tests(does: str, counts: bool) -> None:
    mill = tree(does)
    common = {"limits": LIMITS, "level": choose_level(), "interpreter": find_interpreter()}
    with closing(PytestEngine(mill, HARNESS, **common)) as slow:
        coverage = slow.coverage(slow.test_ids)
    assert (EVERYWHERE in coverage.lines[COMMON]) is counts
    with closing(PytestMutantEngine(mill, HARNESS, coverage, **common)) as fast:
        run = fast.run({"mill.py": mill["mill.py"].replace(b"n * 2", b"n * 3")})
        assert {test.rpartition("::")[2]: str(outcome) for test, outcome in run.outcomes().items()} == {
            "test_grind": "failed",
            "test_sift": "passed",
        }
        assert (fast.paths[SESSION] == 1) is not counts
        assert len(run.infected or ()) == (2 if counts else 1)


@pytest.mark.parametrize(
    ("does", "lost"),
    [
        ("threading.Thread(target=threading.Event().wait, daemon=True).start()", False),
        ("threading.Thread(target=threading.Event().wait).start()", True),
        ("threading.Thread(target=run_on, daemon=True).start()", True),
    ],
)
def test_threads_that_wait_for_others_are_no_hindrance(does: str, lost: bool) -> None:
    def start() -> PytestSession:
        return PytestSession(tree(does), HARNESS, limits=LIMITS, level=choose_level(), interpreter=find_interpreter())

    if lost:
        with pytest.raises(Unsuitable, match="keeps threads"):
            start()
        return
    with closing(start()) as session:
        assert not session.run({}, sorted(session.tests), stop_at_first=False, limits=LIMITS).failing()
