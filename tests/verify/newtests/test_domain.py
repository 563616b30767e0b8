"""What recorded arguments have in common, and what is within it."""

from __future__ import annotations

import math
import random

import pytest

from mendlab.verify.newtests.domain import Domain, Seen
from mendlab.verify.newtests.neighbours import fresh, simpler


def domain(*calls):
    return Domain([(call, {}) for call in calls])


@pytest.mark.parametrize(
    ("seen", "within", "beyond"),
    [
        ([(3,), (10,)], [(4,), (11,)], [(2,), (12,), (-1,), (True,), (3.0,), ("3",)]),
        ([(-3,), (2,)], [(-4,)], [(-5,), (4,)]),
        ([(0.5,), (2.5,)], [(3.0,)], [(3.5,), (math.nan,), (math.inf,), (1,)]),
        ([("ab",), ("bab",), ("b",)], [("a",), ("bbbb",)], [("",), ("abc",), ("B",)]),
        ([("2020-01-02",), ("1999-12-31",), ("2000-10-10",)], [("2020-12-31",)], [("2020-1",), ("-",)]),
        ([("()",), ("(()) ()",)], [("() ()",)], [("( )",), (")(",)]),
        ([([1, 2, 3],), ([2, 5],)], [([1, 4, 5],)], [([3, 1],), ([2, 2],), ([1, 9],), ([],)]),
        ([([[1, 2], [3, 4]],), ([[5, 6], [7, 8], [9, 9]],)], [([[1, 2], [5, 6]],)], [([[1, 2], [3]],)]),
        ([({"a": 1, "b": 2},), ({"a": 3, "b": 0},)], [({"a": 2, "b": 1},)], [({"a": 1},), ({"a": 1, "b": 2, "c": 3},)]),
        ([(None,), (4,)], [(None,)], [("",)]),
        ([([1, 2, 3], 2), ([5, 4], 1), ([7, 0, 7, 1], 3)], [([5, 4, 3], 3)], [([5, 4], 3)]),
        ([("b", "abc"), ("a", "a")], [("a", "ab")], [("b", "ac")]),
    ],
)
def test_what_is_like_the_recorded_arguments_is_within(seen, within, beyond):
    of = domain(*seen)
    assert all(of.admits((call, {})) for call in seen)
    assert all(of.admits((call, {})) for call in within)
    assert not any(of.admits((call, {})) for call in beyond)


def test_what_goes_round_in_itself_is_looked_at_so_far():
    round_ = [1]
    round_.append(round_)
    seen = Seen()
    seen.add(round_)
    assert seen.is_like([1, [2]])
    assert not seen.is_like(round_)


def test_another_form_of_call_is_beyond():
    of = Domain([((1,), {"base": 2}), ((5,), {"base": 9})])
    assert of.admits(((2,), {"base": 3}))
    assert not of.admits(((2,), {}))
    assert not of.admits(((2, 3), {}))


def test_fresh_inputs_are_new_within_and_the_same_for_one_seed():
    of = domain(([3, 1, 2], 2), ([5, 5, 9, 0], 3), ([4, 7], 1))
    first = fresh(of, random.Random(7), 40)
    assert len(first) == 40
    assert first == fresh(of, random.Random(7), 40)
    assert all(of.admits(arguments) and arguments not in of.recorded for arguments in first)


def test_what_is_simpler_gets_there():
    """From anything, ever simpler arguments end at the simplest of all."""
    arguments = (([12, -7, 40], "hello", 2.75, {"k": [1]}, (3,)), {"flag": True})
    for _ in range(200):
        less = next(simpler(arguments), None)
        if less is None:
            break
        arguments = less
    assert arguments == (([], "", 0.0, {}, ()), {"flag": True})
