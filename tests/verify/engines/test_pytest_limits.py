"""A limit that ends a run says what is so of the tests: no test is lost, and none hangs that is only the first."""

from contextlib import closing

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.records import Limits, PytestHarness, TestOutcome
from mendlab.verify.confinement.interpreter import find_interpreter
from mendlab.verify.confinement.sandbox import choose_level
from mendlab.verify.engines.engine import RunOptions
from mendlab.verify.engines.pytest_engine import PytestEngine
from mendlab.verify.engines.pytest_mutants import PytestMutantEngine

HARNESS = PytestHarness(test_files=("test_mill.py", "conftest.py"))
FIRST_USE = {
    "mill.py": "import functools, time\n\n\n@functools.lru_cache(None)\ndef table():\n"
    "    began = time.process_time()\n    while time.process_time() < began + 1.0:\n        pass\n"
    "    return [1, 2]\n\n\n"
    "def grind(n):\n    return table()[0] + n\n\n\ndef sift(n):\n    return table()[1] + n * 1\n",
    "test_mill.py": "import mill\ndef test_grind(): assert mill.grind(1) == 2\n"
    "def test_sift(): assert mill.sift(1) == 3\n",
}
BETWEEN = {
    "mill.py": "def grind(n):\n    return n * 2\n\n\ndef sift(n):\n    return n + 1\n",
    "conftest.py": "import mill, pytest\n@pytest.hookimpl(trylast=True)\ndef pytest_runtest_logfinish():\n"
    "    while mill.grind(1) != 2: pass\n",
    "test_mill.py": "import mill\ndef test_sift(): assert mill.sift(1) == 2\n"
    "def test_grind(): assert mill.grind(1) == 2\n",
}


def run(files: dict[str, str], old: str, new: str, *, stop_at_first: bool) -> list[dict[str, TestOutcome]]:
    """What the slow way says of a change, and the quick one."""
    tree = FileTree({path: text.encode() for path, text in files.items()})
    common = {"limits": Limits(cpu_seconds=4.0), "level": choose_level(), "interpreter": find_interpreter()}
    options = RunOptions(stop_at_first=stop_at_first)
    changes = {"mill.py": files["mill.py"].replace(old, new).encode()}
    with closing(PytestEngine(tree, HARNESS, **common)) as slow:
        coverage = slow.coverage(slow.test_ids)
        told = slow.run(changes, options).outcomes()
    with closing(PytestMutantEngine(tree, HARNESS, coverage, **common)) as quick:
        return [
            {test_id.rpartition("::")[2]: outcome for test_id, outcome in each.items()}
            for each in (told, quick.run(changes, options).outcomes())
        ]


@pytest.mark.slow
@pytest.mark.parametrize("stop_at_first", [False, True])
def test_one_that_is_the_first_to_come_by_something_slow_does_not_hang(stop_at_first: bool) -> None:
    for told in run(FIRST_USE, "n * 1", "n * 1.0", stop_at_first=stop_at_first):
        assert told == {"test_grind": TestOutcome.PASSED, "test_sift": TestOutcome.PASSED}


@pytest.mark.slow
@pytest.mark.parametrize("stop_at_first", [False, True])
def test_what_hangs_between_tests_loses_none(stop_at_first: bool) -> None:
    slow, quick = run(BETWEEN, "n * 2", "n * 3", stop_at_first=stop_at_first)
    assert slow == {"test_sift": TestOutcome.PASSED, "test_grind": TestOutcome.TIMEOUT}
    assert quick["test_grind"] is TestOutcome.FAILED  # which it comes to, as the other one is left out
