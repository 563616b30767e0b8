"""A version tried in a fork of the buggy project's session fares as in the plain engine."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import replace

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.mutators.mutant import SourceText
from mendlab.records import Limits, PytestHarness, SandboxLevel, TestOutcome
from mendlab.repair.budget import Budget
from mendlab.repair.candidates import Candidate
from mendlab.repair.context import VisibleTests
from mendlab.repair.problem import Problem
from mendlab.repair.searching.screening import EngineScreen, ForkScreen
from mendlab.repair.strategies.search import Search
from mendlab.verify.bench import set_up_bench
from mendlab.verify.engines.function_screen import Screened

SHOP = """\
import os

RATE = 3
ROUND = {"up": 1}


def price(net):
    total = net + 1
    return total * RATE


def label(name, width=6):
    while len(name) < width:
        name += "."
    return name


def unused():
    return 7
"""
SMALLER = "VAT = 4\n\n\ndef half(n):\n    return n // 2\n"
CONFTEST = """\
import pytest

@pytest.fixture(scope="module")
def basket():
    return []

@pytest.fixture
def fresh(tmp_path):
    (tmp_path / "x").write_text("1")
    return tmp_path
"""
TESTS = """\
import pytest
from shop import label, price
from smaller import VAT, half

@pytest.mark.parametrize("net", [1, 2, 5])
def test_price(net, fresh):
    assert price(net) == 2 * net and (fresh / "x").exists()

def test_nothing(basket):
    basket.append(1)
    assert price(0) == 0

def test_label(basket):
    assert basket == [1] or basket == []
    assert label("tea") == "tea..."

@pytest.mark.parametrize("name", ["sugar!", "flours"])
def test_long(name):
    assert label(name) == name

def test_vat():
    assert half(VAT) == 2
"""
HARNESS = PytestHarness(test_files=("conftest.py", "test_shop.py"))
FIX = ("    total = net + 1\n    return total * RATE", "    total = net + net\n    return total")
PRICES = tuple(f"test_shop.py::test_price[{net}]" for net in (1, 2, 5))
FAILING = (*PRICES, "test_shop.py::test_nothing")
PASSING = tuple(
    f"test_shop.py::{name}" for name in ("test_label", "test_long[sugar!]", "test_long[flours]", "test_vat")
)
CHANGES = {
    "right": FIX,
    "right for one": ("net + 1\n    return total * RATE", "0\n    return 2"),
    "wrong": ("net + 1", "net + 2"),
    "right, and breaks what passes": (
        "total = net + 1\n    return total * RATE\n\n\ndef label(name, width=6)",
        "return net * 2\n\n\ndef label(name, width=5)",
    ),
    "right, shown at import": ("def price(net):\n    total = net + 1\n    return total * RATE", "price = (2).__mul__"),
    "hangs": ("total = net + 1", "total = net\n    while True: pass"),
    "hangs where it is imported": ("RATE = 3", "while True: pass"),
    "exits": ("total = net + 1", "os._exit(0)"),
    "exits where it is imported": ("RATE = 3", "os._exit(0)"),
    "is killed": ("total = net + 1", "os.kill(os.getpid(), 9)"),
    "no program": ("total = net + 1", "total = = net"),
    "raises where it is imported": ("RATE = 3", "RATE = 3 // 0"),
    "another constant": ("RATE = 3", "RATE = 2"),
    "run by no test": ("return 7", "return 8"),
    "run by what passes": ("name += ", "name = "),
}


def version(source: str, old: str, new: str, path: str = "shop.py") -> Candidate:
    start = source.index(old)
    return Candidate("test", ((start, start + len(old), new),), SourceText.of(path, source), "utf-8", 1.0)


def problem_of(tree: FileTree, failing: tuple[str, ...], passing: tuple[str, ...], harness: PytestHarness) -> Problem:
    shown = tree.replace(dict.fromkeys(harness.test_files))
    editable = tuple(shown)
    limits = Limits(cpu_seconds=2.0, wall_seconds=20.0)
    return Problem("p/0", "repair", "Mend it.", shown, editable, failing, passing, {}, harness, limits)


def opened(tree: FileTree, harness: PytestHarness, visible: tuple[str, ...]) -> VisibleTests:
    bench = set_up_bench()
    limits = Limits(cpu_seconds=1.0, wall_seconds=20.0)
    return VisibleTests(lambda of: bench.open(of, harness, limits), tree, tree, visible, threading.Event())


def project(shop: str) -> FileTree:
    files = {"shop.py": shop, "smaller.py": SMALLER, "conftest.py": CONFTEST, "test_shop.py": TESTS}
    return FileTree({path: text.encode() for path, text in files.items()})


class Both:
    """The two ways to try versions of one project."""

    def __init__(self, tree: FileTree, failing: tuple[str, ...], passing: tuple[str, ...]) -> None:
        problem = problem_of(tree, failing, passing, HARNESS)
        self.budget = Budget(1000.0, 1000)
        self.tests = opened(tree, HARNESS, problem.visible)
        self.plain = EngineScreen(problem, self.tests, self.budget)
        made = self.tests.open_project_screen(problem, failing, 5.0)
        assert made is not None
        self.screen = made
        self.forks = ForkScreen(problem, self.tests, made, self.budget)

    def fares(self, candidate: Candidate) -> tuple[Screened, Screened]:
        ((plain,), (forked,)) = self.plain.tried([candidate], 0.0), self.forks.tried([candidate], 0.3)
        return plain, forked

    def close(self) -> None:
        self.screen.close()
        self.tests.close()


@pytest.fixture(scope="module")
def shop() -> Iterator[Both]:
    with closing(Both(project(SHOP), FAILING, PASSING)) as both:
        yield both


WORDS = {"right": "passed", "right, shown at import": "passed", "hangs": "slow", "hangs where it is imported": "slow"}


@pytest.mark.parametrize("name", CHANGES)
def test_a_version_fares_as_in_the_plain_engine(shop: Both, name: str) -> None:
    plain, forked = shop.fares(version(SHOP, *CHANGES[name]))
    assert forked.word == plain.word == WORDS.get(name, "failed")
    assert forked.passed == plain.passed


def test_what_no_failing_test_comes_by_costs_no_run(shop: Both) -> None:
    shop.budget.elsewhere = 0.0
    for name in ("run by no test", "run by what passes"):
        assert [each.word for each in shop.forks.tried([version(SHOP, *CHANGES[name])], 0.3)] == ["failed"]
    assert shop.budget.elsewhere == 0.0
    assert [each.word for each in shop.forks.tried([version(SHOP, *CHANGES["wrong"])], 0.3)] == ["failed"]
    assert 0.0 < shop.budget.elsewhere < 0.5


def test_the_buggy_project_is_what_is_told_of(shop: Both) -> None:
    told = {result.test_id: result for result in shop.forks.profile().results}
    assert list(told) == list(FAILING)
    assert {result.outcome for result in told.values()} == {TestOutcome.FAILED}
    assert "test_shop.py:7: AssertionError" in told[PRICES[0]].message
    spectrum = shop.forks.spectrum(shop.forks.profile())
    assert spectrum is not None and set(spectrum.lines) == {*FAILING, *PASSING}
    assert spectrum.lines[PRICES[0]]["shop.py"] == {8, 9}
    assert {3, 4, 7} <= spectrum.imported["shop.py"] and "test_shop.py" not in spectrum.imported


@pytest.mark.parametrize(
    ("broken", "failing"),
    [("RATE = 3 // 0", (*FAILING, *PASSING)), ("RATE = 2", PRICES)],
)
@pytest.mark.slow
def test_a_defect_that_shows_at_import(broken: str, failing: tuple[str, ...]) -> None:
    """Where the buggy project cannot be collected at all, too."""
    source = SHOP.replace("net + 1", "net").replace("RATE = 3", broken.replace("2", "5"))
    passing = tuple(test for test in (*FAILING, *PASSING) if test not in failing)
    with closing(Both(project(source), failing, passing)) as both:
        for new, word in [("RATE = 2", "passed"), ("RATE = 4", "failed"), ("RATE = 1 // 0", "failed")]:
            plain, forked = both.fares(version(source, broken.replace("2", "5"), new))
            assert (forked, forked.word) == (plain, word)


LEANING = """\
import shop

def test_first():
    shop.seen = True
    assert shop.price(1) == 2

def test_second():
    assert shop.price(0) == 0 and shop.seen

def test_third():
    assert shop.price(-2) == -4
"""


def test_a_test_that_passes_only_behind_others_has_no_say_in_forks() -> None:
    source = "def price(net):\n    return 2 * net + (net > 4)\n"
    tests = LEANING + "\ndef test_much():\n    assert shop.price(5) == 10\n"
    tree = FileTree({"shop.py": source.encode(), "test_leaning.py": tests.encode()})
    failing = ("test_leaning.py::test_much",)
    passing = tuple(f"test_leaning.py::{name}" for name in ("test_second", "test_third"))
    harness = PytestHarness(test_files=("test_leaning.py",))
    problem = problem_of(tree, failing, passing, harness)
    with opened(tree, harness, problem.visible) as tests_of:
        made = tests_of.open_project_screen(problem, failing, 5.0)
        assert made is not None
        with closing(made):
            screen = ForkScreen(problem, tests_of, made, Budget(1000.0, 1000))
            right, wrong = (version(source, " + (net > 4)", new) for new in ("", " + (net < -1)"))
            assert [each.word for each in screen.tried([right, wrong], 0.3)] == ["passed", "failed"]


@pytest.mark.slow
def test_versions_that_end_the_session_cost_no_other_its_fate(shop: Both) -> None:
    killing = version(SHOP, "total = net + 1", "os.kill(os.getppid(), 9)\n    total = 0")
    for _ in range(2):
        assert [each.word for each in shop.forks.tried([killing], 0.3)] != ["passed"]
    plain, forked = shop.fares(version(SHOP, *CHANGES["right"]))
    assert forked == plain and forked.word == "passed"


THREADS = "import threading, time\n\nthreading.Thread(target=time.sleep, args=(600,), daemon=True).start()\n"


@pytest.mark.slow
def test_without_a_session_versions_run_in_the_plain_engine() -> None:
    tree = project(SHOP)
    threaded = tree.replace({"conftest.py": CONFTEST.encode() + THREADS.encode()})
    problem = problem_of(threaded, FAILING, PASSING, HARNESS)
    with opened(threaded, HARNESS, problem.visible) as tests:
        assert tests.open_project_screen(problem, FAILING, 5.0) is None
        with ExitStack() as closing_all:
            assert isinstance(Search()._open_screen(problem, tests, Budget(9.0, 9), closing_all), EngineScreen)
    bench = replace(set_up_bench(), level=SandboxLevel.NONE)
    with VisibleTests(
        lambda of: bench.open(of, HARNESS, Limits()), tree, tree, problem.visible, threading.Event()
    ) as unconfined:
        assert unconfined.open_project_screen(problem, FAILING, 5.0) is None


def test_a_failing_test_that_passes_in_the_session_makes_it_unfit() -> None:
    problem = problem_of(project(SHOP), (*FAILING, PASSING[0]), PASSING[1:], HARNESS)
    with opened(project(SHOP), HARNESS, problem.visible) as tests:
        assert tests.open_project_screen(problem, (*FAILING, PASSING[0]), 5.0) is None


def test_a_stop_is_heeded_between_versions(shop: Both) -> None:
    stopping = threading.Event()
    shop.tests._stopping, before = stopping, shop.tests._stopping
    tried = shop.forks.tried([version(SHOP, *CHANGES["wrong"])] * 2, 0.3)
    next(tried)
    stopping.set()
    with pytest.raises(KeyboardInterrupt):
        next(tried)
    shop.tests._stopping = before
