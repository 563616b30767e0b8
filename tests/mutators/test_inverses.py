"""Where an operator names its inverse, that one undoes it, on an example of either."""

from __future__ import annotations

import pytest

from mendlab.mutators import Operator, enumerate_mutants, operators

BY_NAME = {op.name: op for op in operators()}
WITH_INVERSE = [op for op in operators() if op.inverse is not None]


def makes(op: Operator, before: str, after: str) -> bool:
    return after in (mutant.source for mutant in enumerate_mutants(before, operators=[op.name]))


@pytest.mark.parametrize("op", WITH_INVERSE, ids=lambda op: op.name)
def test_the_inverse_undoes_the_operator(op: Operator) -> None:
    """Either of its own example, or of an example of the inverse, which the operator then leads back to its start."""
    assert op.inverse in BY_NAME, f"{op.name}: its inverse {op.inverse!r} is no operator"
    inverse = BY_NAME[op.inverse]
    undone = any(makes(inverse, example.after, example.before) for example in op.examples)
    assert undone or any(makes(op, example.after, example.before) for example in inverse.examples), (
        f"{op.name}: {inverse.name} undoes it on no example of either: "
        "name the operator that does, add an example that shows it, or leave `inverse=` out"
    )


def test_most_operators_have_an_inverse() -> None:
    assert len(WITH_INVERSE) > len(BY_NAME) / 2
