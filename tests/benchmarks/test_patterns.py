"""The examples of the patterns of TSSB-3M are fixes, one set a pattern."""

from __future__ import annotations

import pytest
from measures.patterns import FIXES, undoes
from measures.trees import normal

from mendlab.mutators import NATURAL_SHARES, operators


def test_every_pattern_has_examples_that_are_programs() -> None:
    assert list(FIXES) == list(NATURAL_SHARES)
    for fixes in FIXES.values():
        assert fixes
        for before, after in fixes:
            assert normal(before) is not None
            assert normal(before) != normal(after) is not None


@pytest.mark.parametrize("pattern", ["change numeric literal", "add method call", "change boolean literal"])
def test_an_operator_undoes_a_fix(pattern: str) -> None:
    names = [operator.name for operator in operators() if operator.pattern == pattern]
    assert any(undoes(before, after, names) for before, after in FIXES[pattern])
    assert all(undoes(before, after) for before, after in FIXES[pattern])
    assert not undoes("x = 1\n", "import socket\n")
