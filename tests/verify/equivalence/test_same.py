"""When two ends of a call are alike, and what a person is shown of them."""

import math
from collections import OrderedDict, deque
from decimal import Decimal

import pytest

from mendlab.records import TestOutcome
from mendlab.verify.equivalence.same import Opaque, Shown, read_outcome, same, same_value, show


def ring(value):
    items = [value]
    items.append(items)
    return items


def thing(*parts):
    return Opaque("@m:Thing", list(parts))


ALIKE = {
    "float_noise": (0.1 + 0.2, 0.3),
    "nan": (math.nan, float("nan")),
    "nan_inside": ([1, {"a": math.nan}], [1, {"a": float("nan")}]),
    "infinity": (math.inf, math.inf),
    "complex": (complex(0.1 + 0.2, math.nan), complex(0.3, math.nan)),
    "order_of_keys": ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    "sets": ({1, 2, "x"}, {"x", 2, 1}),
    "sets_of_sets": ({frozenset({1, 2})}, {frozenset({2, 1})}),
    "set_with_noise": ({0.1 + 0.2, 1.0}, {0.3, 1.0}),
    "cycle": (ring(1), ring(1)),
    "instances": (thing(1, [2.0]), thing(1, [2.0])),
    "sets_of_instances": ({thing(1), thing(2)}, {thing(2), thing(1)}),
    "keys_that_are_instances": ({thing(i): i for i in range(6)}, {thing(i): i for i in reversed(range(6))}),
    "deque_of_instances": (deque([thing(1)]), deque([thing(1)])),
    "decimal": (Decimal("1.0"), Decimal("1.00")),
}
UNLIKE = {
    "number_types": (1, 1.0),
    "bool": (1, True),
    "list_and_tuple": ([1], (1,)),
    "length": ([1], [1, 1]),
    "far_floats": (1.0, 1.0 + 1e-6),
    "nan_and_number": (math.nan, 1.0),
    "sign_of_infinity": (math.inf, -math.inf),
    "value": ({"a": 1}, {"a": 2}),
    "key": ({"a": 1}, {"b": 1}),
    "type_of_a_key": ({1: "x"}, {True: "x"}),
    "type_in_a_set": ({1, 2}, {1.0, 2}),
    "cycle": (ring(1), ring(2)),
    "attribute": (thing(1), thing(2)),
    "class": (thing(1), Opaque("@m:Other", [1])),
    "sets_of_instances": ({thing(1), thing(2)}, {thing(1), thing(3)}),
    "kinds_of_mapping": ({"a": 1}, OrderedDict(a=1)),
}


@pytest.mark.parametrize("name", ALIKE)
def test_alike(name):
    one, other = ALIKE[name]
    assert same_value(one, other)
    assert same_value(other, one)


@pytest.mark.parametrize("name", UNLIKE)
def test_unlike(name):
    one, other = UNLIKE[name]
    assert not same_value(one, other)
    assert not same_value(other, one)


@pytest.mark.parametrize("changed", range(8))
def test_the_last_of_many_keys_that_are_instances_counts_too(changed):
    ours = {thing(i): i for i in range(8)}
    theirs = {thing(i): i + (i == changed) for i in range(8)}
    assert not same_value(ours, theirs)


def test_a_deep_value_is_told_from_nothing_and_ends_the_comparison():
    def nest(depth):
        value = []
        for _ in range(depth):
            value = [value]
        return value

    assert same_value(nest(50), nest(50))
    assert not same_value(nest(50), nest(51))
    assert not same_value(nest(5000), nest(5000))


def test_many_unordered_things_that_never_match_end_the_comparison():
    assert not same_value({thing(i) for i in range(500)}, {thing(-1 - i) for i in range(500)})


def test_returned_values_are_compared_with_their_arguments_afterwards():
    def returns(value, argument):
        return Shown("returns", value=(value, (argument,), {}))

    assert same(returns(1, [2]), returns(1, [2]))
    assert not same(returns(1, [2]), returns(1, []))
    assert not same(returns(1, [2]), returns(2, [2]))


def test_exceptions_are_compared_by_class():
    assert same(read_outcome(["raises", "KeyError", "so"]), read_outcome(["raises", "KeyError", "so"]))
    assert not same(read_outcome(["raises", "KeyError", "so"]), read_outcome(["raises", "ValueError", "so"]))
    assert not same(read_outcome(["raises", "KeyError", "so"]), Shown("returns", value="KeyError"))


@pytest.mark.parametrize(
    "sent",
    [None, [], "returns", ["returns"], ["returns", {"?": 1}], ["returns", ["nonsense", 1]], ["raises", 3], ["x", "y"]],
)
def test_what_is_no_outcome_is_garbled_and_no_evidence(sent):
    shown = read_outcome(sent)
    assert shown.word == "garbled"
    assert not shown.is_evidence


def test_only_what_came_to_an_end_is_evidence():
    assert Shown("returns", value=1).is_evidence
    assert Shown("raises", "KeyError").is_evidence
    assert not Shown("opaque", "Thing").is_evidence
    assert not Shown.lost().is_evidence
    assert not Shown.of_end(TestOutcome.TIMEOUT).is_evidence


def test_a_person_is_shown_what_changed_as_source():
    assert Shown("returns", value=("a", ([1, 2], 3), {})).text == "'a', arguments afterwards: [1, 2]"
    assert Shown("returns", value=(None, (3,), {})).text == "None"
    assert Shown("raises", "KeyError").text == "raises KeyError"
    assert Shown.of_end(TestOutcome.OUT_OF_MEMORY).text == "out of memory"
    assert Shown.of_end(None).text == "crash"


def test_whatever_cannot_be_shown_whole_is_still_named():
    assert len(show("x" * 10_000)) == 2000
    assert show(10**6000) == "<a int too deep or too large to show>"
    assert show(ring(1)) == "[1, [...]]"
