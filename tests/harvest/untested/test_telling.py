"""Fixes that came without a test: told by standing tests, by tests of later commits, or by new ones."""

from __future__ import annotations

import sys

import pytest
from written_histories import History

from mendlab.harvest.candidates import candidates_named
from mendlab.harvest.environment.ladder import Given
from mendlab.harvest.examiner import Examiner
from mendlab.harvest.selection import Selection
from mendlab.harvest.tasks import Mining
from mendlab.harvest.untested.later import TestHistory
from mendlab.harvest.untested.telling import Teller
from mendlab.verify.bench import set_up_bench

WRONG = "def half(number):\n    return number // 2\n\n\ndef twice(number):\n    return number * number\n"
RIGHT = WRONG.replace("number * number", "number + number")
TESTS = "from shop import half, twice\n\n\ndef test_half():\n    assert half(4) == 2\n"
CALLS = "\n\ndef test_twice_of_two():\n    assert twice(2) == 4\n    assert twice(0) == 0\n"
TELLS = "\n\ndef test_twice():\n    assert twice(3) == 6\n"
FIX = "Fix twice, which gave the square of its number instead of the double"


@pytest.fixture(scope="module")
def bench():
    return set_up_bench(python=sys.executable)


@pytest.fixture
def examined(copied, bench):
    def examine(history, number, selection=None, *, own_tests_only=False):
        copy, ids = copied(history)
        mining, environments = Mining("shop", None, {}, 0), Given(bench.interpreter)
        teller = Teller(TestHistory(copy, selection or Selection()), environments, bench, mining)
        examiner = Examiner(copy, environments, bench, mining, teller=None if own_tests_only else teller)
        (candidate,) = candidates_named(copy, [ids[number]])
        return examiner.examine(candidate), ids

    return examine


def begun(tests=TESTS):
    history = History()
    history.commit("Begin", {"shop.py": WRONG, "tests/test_shop.py": tests})
    return history


def test_a_later_test_tells(examined):
    history = begun()
    fix = history.commit(FIX, {"shop.py": RIGHT})
    history.commit("Test half more", {"tests/test_shop.py": TESTS + "    assert half(6) == 3\n"})
    later = history.commit("Test twice", {"tests/test_shop.py": TESTS + TELLS})
    found, ids = examined(history, fix)
    assert found.dropped is None
    assert (found.task.mined.tests_from, found.task.mined.tests_commit) == ("later", ids[later])
    assert found.task.fail_to_pass == ("tests/test_shop.py::test_twice",)
    assert "tests/test_shop.py" in found.task.harness.test_files
    assert found.task.mined.label == "bug"


def test_a_later_test_after_the_last_moment_is_not_looked_at(examined):
    history = begun()
    fix = history.commit(FIX, {"shop.py": RIGHT})
    history.commit("Test twice", {"tests/test_shop.py": TESTS + TELLS}, time=1_700_000_000)
    found, _ = examined(history, fix, Selection(until="2023-01-01"))
    assert found.dropped.reason == "no_tests"


def test_a_test_of_an_earlier_commit_is_not_later(examined):
    history = begun(TESTS + TELLS.replace("def test", "def untested"))
    fix = history.commit(FIX, {"shop.py": RIGHT})
    found, _ = examined(history, fix)
    assert found.dropped.reason == "no_tests"


def test_a_standing_test_tells(examined):
    history = begun(TESTS + TELLS)
    fix = history.commit(FIX, {"shop.py": RIGHT})
    found, _ = examined(history, fix)
    assert (found.task.mined.tests_from, found.task.mined.tests_commit) == ("standing", None)
    assert found.task.fail_to_pass == ("tests/test_shop.py::test_twice",)


def test_a_test_that_needs_what_came_later_does_not(examined):
    history = begun()
    fix = history.commit(FIX, {"shop.py": RIGHT})
    thrice = "from shop import thrice, twice\n\n\ndef test_both():\n    assert twice(3) == 6\n"
    history.commit("Add thrice", {"shop.py": f"{RIGHT}thrice = twice\n", "tests/test_shop.py": thrice})
    found, _ = examined(history, fix)
    assert found.dropped.reason == "no_tests"


@pytest.mark.slow
def test_a_new_test_tells_where_the_statement_says_what_is_wrong(examined):
    history = begun(TESTS + CALLS)
    fix = history.commit(FIX, {"shop.py": RIGHT})
    found, _ = examined(history, fix)
    assert found.dropped is None
    assert found.task.mined.tests_from == "written"
    (path,) = found.telling.files
    assert {test.partition("::")[0] for test in found.task.fail_to_pass} == {path}
    assert any(test.startswith("tests/test_shop.py") for test in found.task.pass_to_pass)


@pytest.mark.parametrize("message", ["Work on twice", "Add a better twice", "Refactor twice"])
def test_what_nothing_calls_a_bug_is_not_looked_at(examined, message):
    history = begun(TESTS + CALLS)
    fix = history.commit(message, {"shop.py": RIGHT})
    history.commit("Test twice", {"tests/test_shop.py": TESTS + TELLS})
    found, _ = examined(history, fix)
    assert found.dropped.reason == "no_tests"


def test_it_can_be_left(examined):
    history = begun(TESTS + TELLS)
    fix = history.commit(FIX, {"shop.py": RIGHT})
    found, _ = examined(history, fix, own_tests_only=True)
    assert found.dropped.reason == "no_tests"
