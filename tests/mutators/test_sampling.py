"""Choosing: seeded, the same everywhere, by the weights asked for."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from mendlab.errors import InputError
from mendlab.mutators import STRATEGIES, enumerate_mutants, get_operator, per_function, sample
from mendlab.mutators.choosing.sampling import Balance, in_turn
from mendlab.mutators.choosing.shares import NATURES, natural_shares, weights
from mendlab.mutators.edits import Edit
from mendlab.mutators.mutant import Mutant, SourceText

SOURCE = """\
def first(values, limit=10):
    total = 0
    for index, value in enumerate(values):
        if value > limit and index % 2 == 0:
            total += max(value, limit) * 3
    return total


def second(name, flag=True):
    if flag and name.strip():
        return name.lower()
    return 'none'
"""
MUTANTS = list(enumerate_mutants(SOURCE, path="s.py"))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_choice_depends_on_the_seed_not_on_the_order(strategy: str) -> None:
    shuffled = MUTANTS[:]
    random.Random(5).shuffle(shuffled)
    chosen = sample(MUTANTS, 20, seed=1, strategy=strategy)
    assert [m.id for m in sample(shuffled, 20, seed=1, strategy=strategy)] == [m.id for m in chosen]
    assert [m.id for m in sample(MUTANTS, 20, seed=2, strategy=strategy)] != [m.id for m in chosen]
    assert len({m.id for m in chosen}) == 20


def test_choice_is_pinned() -> None:
    base = SourceText.of("p.py", "a = b + 1\n")
    made = [
        Mutant(name, family, None, (Edit(offset, offset + 1, text),), rank, base)
        for name, family in (("name-misuse", "variable"), ("arithmetic-swapped", "operator"))
        for rank, (offset, text) in enumerate([(0, "c"), (4, "d"), (6, "-"), (8, "2")])
    ]
    assert [(m.family, m.rank) for m in sample(made, 4, seed=0, strategy="family")] == [
        ("variable", 3),
        ("operator", 0),
        ("operator", 3),
        ("variable", 1),
    ]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_smaller_sample_begins_a_larger_one(strategy: str) -> None:
    everything = sample(MUTANTS, len(MUTANTS) + 5, seed=3, strategy=strategy)
    assert {m.id for m in everything} == {m.id for m in MUTANTS}
    assert sample(MUTANTS, 7, seed=3, strategy=strategy) == everything[:7]


def test_by_operator_every_operator_comes_early() -> None:
    def first_of(strategy: str) -> int:
        return len({m.operator for seed in range(40) for m in sample(MUTANTS, 5, seed=seed, strategy=strategy)})

    assert first_of("operator") > first_of("uniform")


def test_natural_choice_follows_the_shares_of_patterns() -> None:
    patterns = {m.id: get_operator(m.operator).pattern for m in MUTANTS}
    drawn = Counter(patterns[m.id] for seed in range(300) for m in sample(MUTANTS, 1, seed=seed, strategy="natural"))
    assert drawn["change identifier"] > drawn["change unary operator"]
    weight: Counter[str | None] = Counter()
    for id_, share in weights(MUTANTS, "natural").items():
        weight[patterns[id_]] += share
    assert weight["change identifier"] > weight["change numeric literal"] > weight["change unary operator"]


def test_per_function_limits_each_function() -> None:
    limited = per_function(MUTANTS, 4, seed=1)
    assert Counter(m.function for m in limited) == {"first": 4, "second": 4}
    assert limited == per_function(reversed(MUTANTS), 4, seed=1)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_functions_take_turns(strategy: str) -> None:
    sizes = Counter(m.function for m in MUTANTS)
    smallest = min(sizes.values())
    chosen = sample(MUTANTS, len(MUTANTS), seed=6, strategy=strategy)
    for n in range(1, 2 * smallest + 1):
        counts = Counter(m.function for m in chosen[:n])
        assert max(counts.values()) - min(counts[function] for function in sizes) <= 1
    assert {m.function for m in chosen[2 * smallest :]} == {max(sizes, key=lambda function: sizes[function])}


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_no_family_has_a_whole_mutant_more_than_its_share(strategy: str) -> None:
    function = [m for m in MUTANTS if m.function == "first"]
    left = dict(Counter(m.family for m in function))
    likely = weights(function, strategy)
    shares = {family: sum(likely[m.id] for m in function if m.family == family) for family in left}
    due, got = dict.fromkeys(left, 0.0), Counter[str]()
    for mutant in sample(function, len(function), seed=8, strategy=strategy):
        here = sum(shares[family] for family in left if left[family])
        for family in left:
            due[family] += shares[family] / here if left[family] else 0
        others_owed = any(left[f] and got[f] < due[f] - 1e-9 for f in left)
        got[mutant.family] += 1
        left[mutant.family] -= 1
        assert got[mutant.family] < due[mutant.family] + 1 or not others_owed


def test_programs_drawn_from_side_by_side_share_the_families_turns() -> None:
    programs = [list(enumerate_mutants(SOURCE, path=f"{n}.py")) for n in range(40)]
    balance = Balance()
    draws = [in_turn(mutants, seed=1, strategy="family", balance=balance) for mutants in programs]
    counts = Counter(next(draw).family for draw in draws)
    assert max(counts.values()) <= -(-40 // len(counts)) + 1


def test_weights_divide_one_whole_and_fall_with_the_rank() -> None:
    for strategy in STRATEGIES:
        assert sum(weights(MUTANTS, strategy).values()) == pytest.approx(1)
    likely = weights(MUTANTS, "natural")
    misused = [m for m in MUTANTS if m.operator == "name-misuse"]
    assert len({m.rank for m in misused}) > 1
    first = {likely[m.id] for m in misused if m.rank == 0}
    assert len(first) == 1
    assert all(likely[m.id] == pytest.approx(first.copy().pop() / (1 + m.rank)) for m in misused)


def test_natural_weight_does_not_grow_with_the_number_of_mutants() -> None:
    likely = weights(MUTANTS, "natural")
    by_operator = Counter[str]()
    for mutant in MUTANTS:
        by_operator[mutant.operator] += likely[mutant.id]
    of_pattern: dict[str, list[float]] = {}
    for name, weight in by_operator.items():
        of_pattern.setdefault(get_operator(name).pattern or "", []).append(weight)
    assert len(of_pattern["change identifier"]) > 1
    for pattern, found in of_pattern.items():
        if pattern:
            assert found == pytest.approx([found[0]] * len(found))
    numeric, boolean = (sum(of_pattern[p]) for p in ("change numeric literal", "change boolean literal"))
    assert numeric / boolean == pytest.approx(6.7 / 2.6)


def test_natural_shares_are_those_of_the_field_by_nature() -> None:
    shares = natural_shares()
    assert sum(shares.values()) == pytest.approx(sum(NATURES.values()), abs=0.1)
    assert min(shares.values()) > 0
    assert shares["missing"] > shares["wrong"] > shares["extraneous"]


def test_bad_requests_are_refused() -> None:
    with pytest.raises(InputError, match="no sampling strategy"):
        sample(MUTANTS, 1, seed=0, strategy="naturel")
    with pytest.raises(InputError, match="cannot choose"):
        sample(MUTANTS, -1, seed=0)
