"""Every operator does what its examples say; the registry and the entry in the docs come from one decorator."""

from __future__ import annotations

import ast

import pytest

from mendlab.errors import InputError
from mendlab.mutators import Example, Operator, describe, enumerate_mutants, families, get_operator, operators
from mendlab.mutators.choosing.shares import NATURAL_SHARES

EXAMPLES = [
    pytest.param(op, example, id=f"{op.name}-{number}")
    for op in operators()
    for number, example in enumerate(op.examples)
]


@pytest.mark.parametrize(("op", "example"), EXAMPLES)
def test_example_is_among_the_mutants(op: Operator, example: Example) -> None:
    found = [m.source for m in enumerate_mutants(example.before, operators=[op.name])]
    assert example.after in found


@pytest.mark.parametrize("op", operators(), ids=lambda op: op.name)
def test_operator_is_described(op: Operator) -> None:
    described = describe(op)
    assert described["name"] == op.name == op.name.lower()
    assert op.summary.endswith(".")
    assert op.examples
    assert all(example["diff"].startswith("--- a/") for example in described["examples"])


def test_the_ten_commonest_families_are_there() -> None:
    assert {
        "value", "operator", "variable", "function", "missing-logic", "excess-logic", "control", "exceptions",
        "classes", "python",
    } <= set(families())  # fmt: skip


def test_patterns_are_those_of_tssb() -> None:
    assert {op.pattern for op in operators()} - {None} <= set(NATURAL_SHARES)


def test_unknown_name_is_refused_with_the_near_ones() -> None:
    with pytest.raises(InputError, match="near names: comparison-swapped"):
        enumerate_mutants("x = 1", operators=["comparison-swaped"])
    with pytest.raises(InputError, match="no mutation operator"):
        get_operator("zzzzzz")


def test_a_family_selects_its_operators() -> None:
    source = "def f(a, b):\n    if a < b:\n        return a + 1\n"
    found = {m.family for m in enumerate_mutants(source, operators=["value", "comparison-swapped"])}
    assert found == {"value", "operator"}


def test_examples_are_python() -> None:
    for op in operators():
        for example in op.examples:
            assert ast.dump(ast.parse(example.before)) != ast.dump(ast.parse(example.after))
