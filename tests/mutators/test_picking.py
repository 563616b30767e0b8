"""Mutants by function and by line."""

from __future__ import annotations

import pytest

from mendlab.errors import InputError
from mendlab.mutators import enumerate_mutants
from mendlab.mutators.choosing.picking import Lines, functions_named, inside

SOURCE = """\
LIMIT = 10
class Shop:
    def total(self, x):
        return x + 1
    def read(self, x):
        def inner(y):
            return y + 2
        return inner(x) + 3
def total(a):
    return a + 4
def totals(a):
    return a + 5
"""
FUNCTIONS = ["Shop.total", "Shop.read", "Shop.read.<locals>.inner", "total", "totals"]
MUTANTS = list(enumerate_mutants(SOURCE, operators=["arithmetic-swapped"]))


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("total", {10}),
        ("Shop.total", {4}),
        ("read", {7, 8}),
        ("Shop.read", {7, 8}),
        ("inner", {7}),
        ("totals", {12}),
    ],
)
def test_a_name_means_a_function_and_what_is_in_it(name, lines):
    found = inside(MUTANTS, functions_named(name, FUNCTIONS), None)
    assert {mutant.span.start_line for mutant in found} == lines


@pytest.mark.parametrize(
    ("name", "functions", "hint"),
    [
        ("totl", FUNCTIONS, "near names: total, totals"),
        ("zzz", FUNCTIONS, "near names: Shop.read"),
        ("f", [], "it has no functions"),
    ],
)
def test_an_unknown_function(name, functions, hint):
    with pytest.raises(InputError) as error:
        functions_named(name, functions)
    assert hint in str(error.value)


def test_lines_hold_both_ends():
    found = {mutant.span.start_line for mutant in inside(MUTANTS, None, Lines(4, 8))}
    assert found == {4, 7, 8}
    assert list(inside(MUTANTS, None, Lines(5, 6))) == []


def test_an_edit_over_several_lines_lies_on_each():
    source = "def f(x):\n    if x:\n        x += 1\n        x += 2\n    return x\n"
    (wide,) = [m for m in enumerate_mutants(source, operators=["block-deleted"]) if m.span.start_line == 2]
    assert wide.span.end_line > 3
    for line, expected in {1: [], 2: [wide], 3: [wide], 4: [wide]}.items():
        assert list(inside([wide], None, Lines(line, line))) == expected


def test_both_at_once():
    found = inside(MUTANTS, functions_named("read", FUNCTIONS), Lines(8, 12))
    assert {mutant.span.start_line for mutant in found} == {8}
