"""Fresh inputs: the same always, each once, and what tells programs apart is among them."""

import pytest

from mendlab.verify.equivalence.inputs.domain import Domain
from mendlab.verify.equivalence.inputs.generating import BEYOND, generate
from mendlab.verify.equivalence.inputs.literals import Literals, differing_literals, literals_of
from mendlab.verify.equivalence.inputs.sources import SOURCES
from mendlab.verify.equivalence.inputs.travel import key_of, read_arguments, write_arguments


def made(*calls, literals=Literals(), count=300, annotated=None):  # noqa: B008
    return generate([(call, {}) for call in calls], set(), literals, count, annotated or {})


def arguments(fresh):
    return [read_arguments(one.message)[0] for one in fresh if one.source != BEYOND]


def test_the_same_always_and_each_once():
    calls = [([3, 1], "ab"), ([5], "c"), ([2, 2, 9], "xyz")]
    first, second = made(*calls), made(*calls)
    assert [one.message for one in first] == [one.message for one in second]
    keys = [key_of(one.message) for one in first]
    assert len(keys) == len(set(keys)) >= 300


def test_what_is_known_is_not_made_again():
    known = {key_of(write_arguments(((number,), {}))) for number in range(5)}
    fresh = generate([((3,), {}), ((4,), {})], known, Literals(), 20, {})
    assert not set(arguments(fresh)) & {(number,) for number in range(5)}


def test_all_but_those_beyond_are_within_the_domain():
    calls = [([1, 2, 3],), ([4, 5, 9],), ([2, 6, 8, 10],), ([1, 7],)]
    domain = Domain([(call, {}) for call in calls])
    fresh = made(*calls)
    assert {one.source for one in fresh} >= {*SOURCES, BEYOND} - {"related"}
    for one in fresh:
        assert domain.admits(read_arguments(one.message)) == (one.source != BEYOND)


@pytest.mark.parametrize(
    ("calls", "wanted"),
    [
        ([([5, 3],), ([1, 2, 3],)], ([],)),
        ([([5, 3],), ([1, 2, 3],)], ([1, 1],)),
        ([("abc",), ("de",)], ("",)),
        ([("abc",), ("de",)], ("aa",)),
        ([(5, 9), (7, 2)], (1, 2)),
        ([(5, 9), (7, 2)], (9, 5)),
        ([(5, 9), (7, 2)], (9, 9)),
        ([(-5,), (3,)], (0,)),
        ([(0.5,), (2.25,)], (1.0,)),
        ([({"a": 1},), ({"b": 2, "c": 3},)], ({},)),
        ([("ab", "b"), ("abc", "ab"), ("x", "y")], ("ab", "ab")),
    ],
)
def test_edges_and_small_ones_and_related_ones_are_there(calls, wanted):
    assert wanted in arguments(made(*calls))


def test_constants_of_the_code_and_their_neighbours_are_there():
    found = arguments(made((3,), (5,), literals=Literals((47,))))
    assert {(46,), (47,), (48,)} <= set(found)


def test_a_number_in_a_text_is_put_in_with_its_zeros():
    found = arguments(made(("03-11",), ("12-25",), literals=Literals((7,)), count=60))
    assert any("07" in text for (text,) in found)


def test_attributes_of_instances_are_changed_too():
    message = [[0], [["t", [1], [3]], ["t", [2]], ["@m:P", "x", 3, "y", "ab"], ["d"]], {}]
    recorded = read_arguments(message)
    fresh = generate([recorded], set(), Literals(), 30, {})
    seen = {tuple(read_arguments(one.message)[0][0].parts) for one in fresh}
    assert len(seen) > 5
    assert all(parts[0] == "x" and type(parts[1]) is int and type(parts[3]) is str for parts in seen)


def test_constants_that_one_side_has_more_often():
    before, after = "x = 1\ny = 'a'\nz = 7\n", "x = 1\ny = 'b'\nz = 9\nw = 9\n"
    found = differing_literals([before], [after])
    assert sorted(found.numbers) == [7, 9]
    assert sorted(found.texts) == ["a", "b"]


def test_docstrings_are_no_constants():
    found = literals_of(['def f():\n    """some text"""\n    return -3, "x", True, None, 2.5\n'])
    assert found.texts == ("x",)
    assert sorted(found.numbers) == [-3, 2.5, 3]


def test_calls_that_have_no_two_arguments_in_common_come_to_an_end():
    fresh = generate([((), {"a": 1}), ((), {"b": 2})], set(), Literals(), 50, {})
    assert {tuple(read_arguments(one.message)[1]) for one in fresh} == {("a",), ("b",)}
    assert generate([((), {})], {key_of(write_arguments(((), {})))}, Literals(), 50, {}) == []
