"""How the steps that judge a function compare."""

from __future__ import annotations

import math

import pytest

from mendlab.verify.newtests.steps import make_steps


@pytest.fixture(scope="module")
def known():
    namespace = {}
    exec(make_steps([]).setup, namespace)
    return namespace


class Equal:
    def __eq__(self, other):
        return True


@pytest.mark.parametrize(
    ("actual", "expected", "agrees", "in_type"),
    [
        (2, 2, True, True),
        (2.0, 2, True, False),
        (2, 2.0, True, False),
        (0.1 + 0.2, 0.3, True, True),
        (0.3001, 0.3, False, False),
        (math.nan, math.nan, True, True),
        (math.inf, math.inf, True, True),
        (math.inf, 1e300, False, False),
        (True, True, True, True),
        (1, True, False, False),
        (None, None, True, True),
        ("a", "a", True, True),
        ([1, (2.0, "x")], [1, (2, "x")], True, True),
        ([1, 2], (1, 2), False, False),
        ([1], [1, 2], False, False),
        ({"a": [0.1 + 0.2]}, {"a": [0.3]}, True, True),
        ({"a": 1}, {"b": 1}, False, False),
        ({1, 2}, {2, 1}, True, True),
        (Equal(), 5, False, False),
        ([Equal()], [5], False, False),
        (Equal(), "a", False, False),
    ],
)
def test_values_agree_as_the_file_compares_them(known, actual, expected, agrees, in_type):
    assert known["agree"](actual, expected) is agrees
    assert known["agree_in_type"](actual, expected) is in_type
