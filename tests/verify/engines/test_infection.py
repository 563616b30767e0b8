"""A test that a change does not infect has the good tree's outcome when it is run with the change for all that."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.mutators import enumerate_mutants, sample
from mendlab.records import Limits, PytestHarness, TestOutcome
from mendlab.verify.confinement.interpreter import find_interpreter
from mendlab.verify.confinement.sandbox import choose_level
from mendlab.verify.engines.engine import RunOptions
from mendlab.verify.engines.infection import Infections
from mendlab.verify.engines.pytest_engine import PytestEngine
from mendlab.verify.engines.pytest_mutants import PytestMutantEngine

SHOP = '''
"""A shop."""
from __future__ import annotations

LIMIT = 3


class Basket:
    """Goods, and what they cost."""

    def __init__(self, owner, goods=()):
        self.owner = owner
        self.goods = list(goods)

    def __len__(self):
        return len(self.goods)

    @property
    def is_full(self):
        return len(self.goods) >= LIMIT

    def add(self, name, price, count=1):
        if count < 1 or price < 0:
            raise ValueError(name)
        if self.is_full:
            return False
        self.goods.append((name, price * count))
        return True

    def total(self, rebate=0):
        total = 0
        for name, price in self.goods:
            if name.startswith("free") or price == 0:
                continue
            total += price
        if total > 100 and rebate:
            total -= total * rebate // 100
        return total if total > 0 else 0


def label(basket, width=10):
    owner = basket.owner.strip() or "nobody"
    text = f"{owner}: {basket.total()}"
    return text if len(text) <= width else text[: width - 1] + "~"


def cheapest(baskets, known={}):
    best = None
    for basket in baskets:
        if best is None or basket.total() < best.total():
            best = basket
    if best is not None and best.owner in known:
        return known[best.owner]
    return best


def leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def steps(low, high):
    while low < high:
        got = yield low
        low += got or 1
'''
TESTS = """
import subprocess, sys
import pytest
from shop import Basket, cheapest, label, leap, steps

@pytest.fixture(scope="module")
def shared():
    basket = Basket("Eve")
    basket.add("pear", 4, 3)
    return basket

def test_empty():
    assert Basket("Ann").total() == 0

def test_shared(shared):
    assert shared.total() == 12

def test_shared_again(shared):
    assert len(shared) == 1

def test_full():
    basket = Basket("Ann", [("a", 1), ("b", 2), ("c", 3)])
    assert not basket.add("d", 4) and len(basket) == 3

@pytest.mark.parametrize("price, count", [(-1, 1), (1, 0)])
def test_refused(price, count):
    with pytest.raises(ValueError, match="thing"):
        Basket("Ann").add("thing", price, count)

@pytest.mark.parametrize("rebate, total", [(0, 150), (10, 135)])
def test_rebate(rebate, total):
    assert Basket("Ann", [("a", 150), ("free b", 7), ("c", 0)]).total(rebate) == total

def test_label():
    assert label(Basket(" Ann ")) == "Ann: 0"
    assert label(Basket("")) == "nobody: 0"
    assert label(Basket("Maximilian")) == "Maximilia~"

def test_cheapest():
    dear, cheap = Basket("Ann", [("a", 5)]), Basket("Bob", [("a", 4)])
    assert cheapest([dear, cheap]) is cheap
    assert cheapest([]) is None
    assert cheapest([dear], {"Ann": 1}) == 1

@pytest.mark.parametrize("year", [1999, 2000, 1900, 2004])
def test_leap(year):
    assert leap(year) == (year in (2000, 2004))

def test_steps():
    generator = steps(0, 4)
    assert [next(generator), generator.send(2), *generator] == [0, 2, 3]

def test_elsewhere():
    done = subprocess.run([sys.executable, "-c", "import shop; print(shop.leap(2000))"], capture_output=True, text=True)
    assert done.stdout == "True\\n"

@pytest.mark.xfail
def test_hoped():
    assert leap(1900)
"""
TREE = FileTree({"shop.py": SHOP.encode(), "test_shop.py": TESTS.encode()})
HARNESS = PytestHarness(test_files=("test_shop.py",))
LIMITS = Limits(cpu_seconds=20.0, wall_seconds=90.0)


@pytest.fixture(scope="module")
def engine() -> Iterator[PytestEngine]:
    engine = PytestEngine(TREE, HARNESS, limits=LIMITS, level=choose_level(), interpreter=find_interpreter())
    yield engine
    engine.close()


def open_mutant_engine(engine: PytestEngine, infections: Infections | None = None) -> PytestMutantEngine:
    return PytestMutantEngine(
        TREE,
        HARNESS,
        engine.coverage(),
        limits=LIMITS,
        level=choose_level(),
        interpreter=find_interpreter(),
        infections=infections,
    )


@pytest.fixture(scope="module")
def mutant_engine(engine: PytestEngine) -> Iterator[PytestMutantEngine]:
    with closing(open_mutant_engine(engine)) as opened:
        yield opened


@pytest.fixture(scope="module")
def clean(engine: PytestEngine) -> dict[str, TestOutcome]:
    return engine.run({}).outcomes()


def changed(old: str, new: str) -> dict[str, bytes | None]:
    assert SHOP.count(old) == 1, old
    return {"shop.py": SHOP.replace(old, new).encode()}


def infected(infections: Infections, old: str, new: str) -> set[str]:
    change = changed(old, new)
    infections.learn([change])
    return {test_id.removeprefix("test_shop.py::") for test_id in infections.of(change)}


def test_a_change_infects_the_tests_that_see_it(engine, clean):
    infections = Infections(TREE, engine, clean)
    turned = infected(infections, "year % 100 != 0", "year % 100 == 0")
    assert turned == {"test_leap[1900]", "test_leap[2004]", "test_hoped", "test_elsewhere"}
    assert infected(infections, "total > 100", "total > 150") == {"test_rebate[10-135]", "test_elsewhere"}
    assert infected(infections, "count < 1", "count <= 1") == {"test_full", "test_elsewhere"}
    assert infected(infections, "got or 1", "got or 2") == {"test_steps", "test_elsewhere"}
    assert infections.cpu_seconds > 0


def test_what_a_shared_fixture_sees_infects_the_tests_that_share_it(engine, clean):
    infections = Infections(TREE, engine, clean)
    found = infected(infections, "price * count", "price + count")
    assert found == {"test_shared", "test_shared_again", "test_elsewhere"}
    assert len(infected(infections, "LIMIT = 3", "LIMIT = 4")) == len(clean)


def test_what_is_no_small_change_of_one_file_infects_every_test(engine, clean):
    infections = Infections(TREE, engine, clean)
    changes = [
        {"shop.py": None},
        {"shop.py": b"", "other.py": b""},
        {"shop.py": b"LIMIT = 4\n"},
        {"shop.py": SHOP.replace("def leap(year)", "def leap(year, more)").encode()},
    ]
    infections.learn(changes)
    assert all(infections.of(change) == frozenset(clean) for change in changes)


def test_a_test_that_runs_otherwise_under_watch_is_infected_by_everything(engine, clean):
    one = "test_shop.py::test_steps"
    infections = Infections(TREE, engine, {**clean, one: TestOutcome.FAILED})
    change = changed("total > 100", "total > 101")
    infections.learn([change])
    assert infections.of(change) == {one, "test_shop.py::test_elsewhere"}


def test_those_that_reach_no_change_are_not_run_by_themselves(engine, clean):
    heard: list[int] = []
    one = "test_shop.py::test_rebate[10-135]"
    infections = Infections(TREE, engine, clean, heard.append, reaching=[one])
    change = changed("total > 100", "total > 150")
    infections.learn([change])
    assert infections.of(change) == frozenset(clean)  # nothing is known of the others, and nobody asks for them
    assert max(heard) == len(clean) + 1
    spared = changed("count < 1", "count <= 1")
    infections.learn([spared])
    assert infections.of(spared) == frozenset(clean) - {one}


def test_two_runs_tell_the_same(engine, clean):
    changes = [{"shop.py": mutant.source.encode()} for mutant in sample(list(enumerate_mutants(SHOP)), 100, seed=3)]
    told = []
    for _ in range(2):
        infections = Infections(TREE, engine, clean)
        infections.learn(changes)
        told.append([infections.of(change) for change in changes])
    assert told[0] == told[1]


def test_the_engine_leaves_out_what_is_not_infected(engine, mutant_engine, clean):
    change = changed("total > 100", "total > 150")
    before = mutant_engine.run(change)
    infections = Infections(TREE, engine, clean)
    infections.learn([change])
    with closing(open_mutant_engine(engine, infections)) as informed:
        after = informed.run(change)
    assert after.outcomes() == before.outcomes()
    assert after.reached == before.reached == before.infected
    assert after.infected == {"test_shop.py::test_rebate[10-135]", "test_shop.py::test_elsewhere"}
    assert after.outcomes()["test_shop.py::test_rebate[10-135]"] is TestOutcome.FAILED


@pytest.mark.slow
def test_no_test_that_is_not_infected_tells_a_change(engine, mutant_engine, clean):
    mutants = sample(list(enumerate_mutants(SHOP)), 300, seed=1)
    infections = Infections(TREE, engine, clean)
    changes = [{"shop.py": mutant.source.encode()} for mutant in mutants]
    infections.learn(changes)
    left_out, wrong = 0, []
    for mutant, change in zip(mutants, changes, strict=True):
        spared = [test_id for test_id in clean if test_id not in infections.of(change)]
        left_out += len(spared)
        if spared:
            outcomes = mutant_engine.run(change, RunOptions(tests=spared)).outcomes()
            wrong += [(mutant.diff, test_id) for test_id in spared if outcomes[test_id] is not clean[test_id]]
    assert wrong == []
    assert left_out > 1000
