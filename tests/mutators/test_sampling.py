"""Choosing: seeded, the same everywhere, by the weights asked for."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from mendlab.errors import InputError
from mendlab.mutators import enumerate_mutants, get_operator, per_function, sample

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


@pytest.mark.parametrize("strategy", ["uniform", "operator", "natural"])
def test_choice_depends_on_the_seed_not_on_the_order(strategy: str) -> None:
    shuffled = MUTANTS[:]
    random.Random(5).shuffle(shuffled)
    chosen = sample(MUTANTS, 20, seed=1, strategy=strategy)
    assert [m.id for m in sample(shuffled, 20, seed=1, strategy=strategy)] == [m.id for m in chosen]
    assert [m.id for m in sample(MUTANTS, 20, seed=2, strategy=strategy)] != [m.id for m in chosen]
    assert len({m.id for m in chosen}) == 20


def test_choice_is_pinned() -> None:
    assert [m.id for m in sample(MUTANTS, 3, seed=0)] == ["29cbec0dd7c2dbb8", "02be4e18a7fb1d23", "a31c3811228adda8"]


@pytest.mark.parametrize("strategy", ["uniform", "operator", "natural"])
def test_a_smaller_sample_begins_a_larger_one(strategy: str) -> None:
    everything = sample(MUTANTS, len(MUTANTS) + 5, seed=3, strategy=strategy)
    assert {m.id for m in everything} == {m.id for m in MUTANTS}
    assert sample(MUTANTS, 7, seed=3, strategy=strategy) == everything[:7]


def test_by_operator_every_operator_comes_early() -> None:
    def first_of(strategy: str) -> int:
        return len({m.operator for seed in range(40) for m in sample(MUTANTS, 5, seed=seed, strategy=strategy)})

    assert first_of("operator") > first_of("uniform")


def test_natural_choice_follows_the_shares_of_patterns() -> None:
    drawn = Counter(
        get_operator(m.operator).pattern
        for seed in range(300)
        for m in sample(MUTANTS, 1, seed=seed, strategy="natural")
    )
    assert drawn["change identifier"] > drawn["change numeric literal"] > drawn["change unary operator"]


def test_per_function_limits_each_function() -> None:
    limited = per_function(MUTANTS, 4, seed=1)
    assert Counter(m.function for m in limited) == {"first": 4, "second": 4}
    assert limited == per_function(reversed(MUTANTS), 4, seed=1)


def test_bad_requests_are_refused() -> None:
    with pytest.raises(InputError, match="no sampling strategy"):
        sample(MUTANTS, 1, seed=0, strategy="naturel")
    with pytest.raises(InputError, match="cannot choose"):
        sample(MUTANTS, -1, seed=0)
