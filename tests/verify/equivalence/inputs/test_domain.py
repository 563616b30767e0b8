"""Fresh inputs stay within what the recorded ones have in common."""

import math

import pytest

from mendlab.verify.equivalence.inputs.domain import Domain


def domain_of(*calls):
    return Domain([(call, {}) for call in calls])


LISTS = [([3, 1, 2],), ([5, 4, 9, 7],), ([8, 6, 2],), ([1],)]
RISING = [([1, 2, 3],), ([4, 5, 9],), ([2, 6, 8, 10],)]
WITHIN = {
    "other_numbers": (LISTS, ([7, 70, 1],)),
    "nothing_in_a_list": (LISTS, ([],)),
    "zero_in_a_list": (LISTS, ([0],)),
    "rising": (RISING, ([2, 4, 5],)),
    "infinity_where_it_was_seen": ([(1.5,), (math.inf,)], (math.inf,)),
    "negative": ([(-3,), (4,)], (-100,)),
    "none_where_it_was_seen": ([(None,), (1,)], (None,)),
    "letters_of_a_class_that_several_are_of": ([("abc",), ("d",)], ("xyz",)),
    "equally_long": ([("ab", "cd"), ("a", "b"), ("abc", "abd"), ("abcd", "dcba")], ("dddc", "abab")),
    "rows_of_one_length": ([([[2, 2], [3, 1]],), ([[1], [2]],), ([[1, 2, 3], [3, 4, 5]],)], ([[1, 1], [2, 2]],)),
}
BEYOND = {
    "a_type": (LISTS, ((1, 2),)),
    "a_type_inside": (LISTS, ([1.5],)),
    "a_bool_is_no_number": (LISTS, ([True],)),
    "below_zero": (LISTS, ([-1],)),
    "zero_where_one_is_the_least": ([(1,), (5,)], (0,)),
    "nan": ([(1.5,), (2.0,)], (math.nan,)),
    "another_infinity": ([(1.5,), (math.inf,)], (-math.inf,)),
    "falling": (RISING, ([2, 1],)),
    "twice": ([([1, 2, 3],), ([7, 5],), ([2, 9, 4],)], ([1, 1],)),
    "a_letter": ([("(())",), ("()",)], ("(a)",)),
    "not_equally_long": ([("ab", "cd"), ("a", "b"), ("abc", "abd"), ("abcd", "dcba")], ("a", "ab")),
    "rows_of_several_lengths": ([([[1, 2], [3, 4]],), ([[1], [2]],), ([[1, 2, 3], [3, 4, 5]],)], ([[1], [2, 2]],)),
    "one_more_argument": (LISTS, ([1], 2)),
    "further_than_the_list_is_long": ([([1, 2], 1), ([1, 2, 3], 3), ([4], 0), ([5, 5, 5], 2)], ([1, 2], 3)),
}


@pytest.mark.parametrize("name", WITHIN)
def test_within(name):
    calls, args = WITHIN[name]
    assert domain_of(*calls).admits((args, {}))


@pytest.mark.parametrize("name", BEYOND)
def test_beyond(name):
    calls, args = BEYOND[name]
    assert not domain_of(*calls).admits((args, {}))


def test_what_is_beyond_may_be_of_the_same_types():
    domain = domain_of(*RISING)
    assert domain.is_of_types((([2, -1],), {}))
    assert not domain.is_of_types((([2, "a"],), {}))
    assert not domain.is_of_types((([2],), {"key": 1}))
