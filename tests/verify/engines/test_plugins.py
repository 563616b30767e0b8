"""What plugins do before the first test takes no quick way away: programs asked, threads kept."""

import shutil
import venv
from contextlib import closing
from pathlib import Path

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.records import Limits, PytestHarness
from mendlab.verify.confinement.interpreter import Interpreter, find_interpreter
from mendlab.verify.confinement.sandbox import choose_level
from mendlab.verify.engines.coverage import COMMON, EVERYWHERE
from mendlab.verify.engines.pytest_engine import PytestEngine
from mendlab.verify.engines.pytest_mutants import SESSION, PytestMutantEngine
from mendlab.verify.engines.pytest_session import PytestSession, Unsuitable

LIMITS = Limits(cpu_seconds=10.0)
HARNESS = PytestHarness(test_files=("test_mill.py", "conftest.py"))
ASKS = {
    "git about the revision": 'call(["git", "rev-parse", "HEAD"])',
    "the system about the machine": 'call(["uname", "-a"])',
    "a program that is not there": 'call(["no-such-program", "mill.py"])',
}
RUNS = {
    "git with its hooks": 'call(["git", "commit", "--allow-empty", "-m", "x"])',
    "a shell": 'call("uname", shell=True)',
    "git by an editor": 'call(["git", "config", "--edit"])',
    "a program that its own path has": 'call(["unpacked"], env={"PATH": os.path.abspath("bin")})',
    "another program of that name": 'call(["git", "describe"], env={"PATH": os.path.abspath("bin")})',
    "another program of that name, in bytes": 'call(["uname"], env={b"PATH": os.fsencode(os.path.abspath("bin"))})',
    "another path": 'os.environ["PATH"] = os.path.abspath("bin"); call(["hostname"])',
    "a path from where it runs": 'os.environ["PATH"] = ".:" + os.environ["PATH"]; call(["unpacked"], cwd="bin")',
    "another name": 'call(["id", "-c", "pass"], executable=sys.executable)',
    "what reads the tree": 'call(["file", "mill.py"])',
    "what reads the tree from elsewhere": 'call(["file", "../mill.py"], cwd="bin")',
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


def test_a_test_that_asks_may_reach_anything() -> None:
    asking = (
        "import mill, subprocess\ndef test_grind():\n    subprocess.run(['uname'])\n    assert mill.grind(1) == 2\n"
    )
    mill = FileTree({**tree("pass"), "test_mill.py": asking.encode()})
    with closing(
        PytestEngine(mill, HARNESS, limits=LIMITS, level=choose_level(), interpreter=find_interpreter())
    ) as engine:
        coverage = engine.coverage(engine.test_ids)
    assert EVERYWHERE not in coverage.lines[COMMON]
    assert EVERYWHERE in coverage.lines["test_mill.py::test_grind"]


@pytest.mark.parametrize(
    "does",
    [
        "threading.Thread(target=run_on, daemon=True).start()",
        "threading.Thread(target=threading.Event().wait, daemon=True).start()",
        "timer = threading.Timer(0, threading.Thread(target=threading.Event().wait, daemon=True).start)\n"
        "    timer.start(); timer.join()",
    ],
)
def test_threads_of_the_tree_are_a_hindrance(does: str) -> None:
    with pytest.raises(Unsuitable, match="keeps threads"):
        start(tree(does), find_interpreter())


@pytest.mark.parametrize(("daemon", "lost"), [(True, False), (False, True)])
def test_a_daemon_of_a_plugin_is_no_hindrance(tmp_path: Path, daemon: bool, lost: bool) -> None:
    venv.create(tmp_path / "venv", symlinks=True)
    (packages,) = tmp_path.glob("venv/lib/*/site-packages")
    for name in ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments"):
        shutil.copytree(Path(pytest.__file__).parent.parent / name, packages / name)
    shutil.copy(Path(pytest.__file__).parent.parent / "py.py", packages)
    (packages / "waits.py").write_text(
        "import threading\ndef pytest_configure():\n"
        f"    threading.Thread(target=threading.Event().wait, daemon={daemon}).start()\n"
    )
    harness = HARNESS.model_copy(update={"arguments": ("-p", "waits")})
    interpreter = find_interpreter(tmp_path / "venv/bin/python")
    if lost:
        with pytest.raises(Unsuitable, match="keeps threads"):
            start(tree("pass"), interpreter, harness)
        return
    with closing(start(tree("pass"), interpreter, harness)) as session:
        assert not session.run({}, sorted(session.tests), stop_at_first=False, limits=LIMITS).failing()


def start(mill: FileTree, interpreter: Interpreter, harness: PytestHarness = HARNESS) -> PytestSession:
    return PytestSession(mill, harness, limits=LIMITS, level=choose_level(), interpreter=interpreter)
