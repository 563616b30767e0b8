"""Mutants made at once: what they make together, where they may stand, and what is refused."""

from __future__ import annotations

import ast
import random

import pytest

from mendlab.corpora.diffs import apply_diff
from mendlab.corpora.tree import FileTree
from mendlab.errors import InputError
from mendlab.mutators import Mutant, enumerate_mutants
from mendlab.mutators.injecting.calls import Calls
from mendlab.mutators.injecting.higher_order import combine, fits, overlap, sample_combinations

PRICES = """\
def net(price, rate):
    return price * 100 / (100 + rate)


class Basket:
    def __init__(self, prices):
        self.prices = prices

    def total(self, rate):
        def one(price):
            return net(price, rate) + 1

        return sum(one(price) for price in self.prices)
"""
SHOP = """\
from prices import Basket


def bill(prices):
    return Basket(prices).total(20)


def greet(name):
    return "hello " + name
"""
TEXTS = {"prices.py": PRICES, "shop.py": SHOP}
MUTANTS = [mutant for path, text in TEXTS.items() for mutant in enumerate_mutants(text, path=path)]


def mutant(path: str, function: str, operator: str) -> Mutant:
    return next(m for m in MUTANTS if (m.path, m.function, m.operator) == (path, function, operator))


MULTIPLIED = mutant("prices.py", "net", "arithmetic-swapped")
ADDED = mutant("prices.py", "Basket.total.<locals>.one", "arithmetic-swapped")
RATE = mutant("shop.py", "bill", "number-off-by-one")


def test_the_combination_has_all_changes_and_no_other() -> None:
    made = combine([RATE, ADDED, MULTIPLIED])
    assert made == combine([MULTIPLIED, RATE, ADDED])
    assert [part.path for part in made.parts] == ["prices.py", "prices.py", "shop.py"]
    assert made.order == 3
    assert made.paths == ("prices.py", "shop.py")
    assert made.sources["shop.py"] == RATE.source
    one, two = (part.source.splitlines() for part in (MULTIPLIED, ADDED))
    assert made.sources["prices.py"].splitlines() == [*one[:5], *two[5:]]
    assert made.compiles
    assert made.function is None
    assert made.operator == "arithmetic-swapped + arithmetic-swapped + number-off-by-one"


def test_its_diff_applies() -> None:
    made = combine([RATE, ADDED])
    tree = FileTree({path: text.encode() for path, text in TEXTS.items()})
    changed = apply_diff(tree, made.diff)
    assert {path: changed[path].decode() for path in changed} == made.sources


def test_its_span_goes_from_the_first_to_the_last_place() -> None:
    span = combine([ADDED, MULTIPLIED]).spans["prices.py"]
    assert (span.start_line, span.start_column) == (MULTIPLIED.span.start_line, MULTIPLIED.span.start_column)
    assert (span.end_line, span.end_column) == (ADDED.span.end_line, ADDED.span.end_column)


def test_its_id_is_that_of_its_parts() -> None:
    assert combine([MULTIPLIED, ADDED]).id == combine([ADDED, MULTIPLIED]).id
    assert len({combine([MULTIPLIED, ADDED]).id, combine([MULTIPLIED, RATE]).id, MULTIPLIED.id}) == 3


def test_what_overlaps_is_refused() -> None:
    inside = [m for m in MUTANTS if m.path == "prices.py" and m.function == "net"]
    assert any(overlap([MULTIPLIED, other]) for other in inside if other != MULTIPLIED)
    with pytest.raises(InputError, match="change the same place"):
        combine([MULTIPLIED, MULTIPLIED])
    with pytest.raises(InputError, match="two parts"):
        combine([MULTIPLIED])


def test_every_pair_that_does_not_overlap_has_the_changes_of_both() -> None:
    pairs = random.Random(3).sample([(one, two) for one in MUTANTS for two in MUTANTS if one.id < two.id], 400)
    apart = [combine(pair) for pair in pairs if not overlap(pair)]
    assert len(apart) > 100
    for made in apart:
        lengths = sum(len(e.text) - (e.end - e.start) for part in made.parts for e in part.edits)
        assert sum(map(len, made.sources.values())) == sum(len(TEXTS[path]) for path in made.paths) + lengths
        for part in made.parts:
            assert all(edit.text in made.sources[part.path] for edit in part.edits)


CALLS = Calls(TEXTS)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("prices.py", "Basket.total.<locals>.one"), ("prices.py", "net")),
        (("prices.py", "Basket.total"), ("prices.py", "Basket.total.<locals>.one")),
        (("shop.py", "bill"), ("prices.py", "Basket.total")),
        (("shop.py", "bill"), ("prices.py", "Basket.__init__")),
    ],
)
def test_functions_that_call_each_other_are_linked(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert CALLS.linked(one, other)
    assert CALLS.linked(other, one)


def test_others_are_not() -> None:
    assert not CALLS.linked(("shop.py", "greet"), ("shop.py", "bill"))
    assert not CALLS.linked(("shop.py", None), ("prices.py", None))
    assert not Calls({"broken.py": "def f(:\n"}).linked(("broken.py", "f"), ("broken.py", "f"))


def test_where_parts_may_stand() -> None:
    total, one, net = (("prices.py", name) for name in ("Basket.total", "Basket.total.<locals>.one", "net"))
    bill, greet = ("shop.py", "bill"), ("shop.py", "greet")
    allowed = {
        (net, net): {"function", "any"},
        (one, net): {"functions", "any"},
        (bill, total): {"functions", "files", "any"},
        (bill, greet): set(),
        (greet, net): {"files"},
        (total, one, net): {"functions", "any"},
        (total, one, greet): {"files"},
    }
    for places, scopes in allowed.items():
        assert {s for s in ("function", "functions", "files", "any") if fits(places, s, CALLS)} == scopes


def test_combinations_can_be_drawn_without_tests() -> None:
    shuffled = MUTANTS[:]
    random.Random(1).shuffle(shuffled)
    drawn = sample_combinations(MUTANTS, 30, seed=4)
    assert sample_combinations(shuffled, 30, seed=4) == drawn
    assert sample_combinations(MUTANTS, 10, seed=4) == drawn[:10]
    assert sample_combinations(MUTANTS, 30, seed=5) != drawn
    assert len({made.id for made in drawn}) == 30
    for made in drawn:
        assert made.order == 2
        for source in made.sources.values():
            ast.parse(source)


def test_combinations_keep_to_the_order_and_the_places_asked_for() -> None:
    three = sample_combinations(MUTANTS, 5, order=3, across="files", seed=1)
    assert [made.order for made in three] == [3] * 5
    assert all(len(made.paths) == 2 for made in three)
    assert all(len(made.places) == 1 for made in sample_combinations(MUTANTS, 5, across="function", seed=1))
    assert sample_combinations([m for m in MUTANTS if m.path == "shop.py"], 5, across="files", seed=1) == []
    with pytest.raises(InputError, match="order 1"):
        sample_combinations(MUTANTS, 5, order=1, seed=1)
