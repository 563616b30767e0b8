"""A witness is made as small as can be while the two programs still differ on it."""

import pytest

from mendlab.verify.equivalence.inputs.travel import Kept, read_arguments, write_arguments
from mendlab.verify.equivalence.shrinking import size_of, smaller_calls, smaller_values


def shrunk(args, differs, *recorded):
    """Shrink in the way that a comparison does, with a condition in place of two programs."""
    call = ["m", "f", write_arguments((args, {}))]
    known = [(one, {}) for one in (args, *recorded)]
    while True:
        differing = [one for one in smaller_calls(call, known) if differs(*read_arguments(one[2])[0])]
        if not differing:
            return read_arguments(call[2])[0]
        call = min(differing, key=size_of)


@pytest.mark.parametrize(
    ("args", "differs", "least"),
    [
        ((987654,), lambda n: n > 99, (100,)),
        ((-50,), lambda n: n < -2, (-3,)),
        ((12.75,), lambda x: x > 2.5, (3.0,)),
        (("the quick brown fox",), lambda text: len(text) > 2, ("aaa",)),
        (("abcXdef",), lambda text: "X" in text, ("X",)),
        (([5, 8, 0, 42, 7, 9],), lambda items: 42 in items, ([42],)),
        (([9, 4, 4, 7, 9, 1],), lambda items: len(items) != len(set(items)), ([0, 0],)),
        (({"a": 5, "k": 9},), lambda table: "k" in table, ({"k": 0},)),
        (({3, 4, 5, 6},), lambda items: 5 in items, ({5},)),
        (([[1, 2, 2], [5, 4]],), lambda rows: any(len(row) > 1 for row in rows), ([[0, 0]],)),
        ((("ab", 7),), lambda pair: pair[1] > 3, (("", 4),)),
        (([1, 2, 3, 4], "xyz"), lambda items, text: len(items) > len(text), ([0], "")),
        (([4, 5, 6], [7, 8, 9]), lambda one, other: len(one) == len(other) > 0, ([0], [0])),
    ],
)
def test_the_least_that_differs(args, differs, least):
    assert shrunk(args, differs) == least


def test_what_recorded_arguments_have_in_common_is_kept():
    rising = [([1, 4, 9],), ([2, 3],), ([5, 6, 7, 8],)]
    assert shrunk(([3, 5, 8, 9],), lambda items: len(items) > 1, *rising) == ([0, 1],)
    assert shrunk((7,), lambda n: True, (4,), (9,)) == (1,)


def test_attributes_of_instances_shrink():
    found = list(smaller_values(Kept("@m:P", ["x", [7, 8], "name", "ab"])))
    assert ["x", [], "name", "ab"] in [value.parts for value in found]
    assert ["x", [7, 8], "name", ""] in [value.parts for value in found]
    assert all(value.tag == "@m:P" for value in found)
