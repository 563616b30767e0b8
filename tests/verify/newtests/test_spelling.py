"""Values as source text."""

from __future__ import annotations

import math
from collections import Counter, OrderedDict, defaultdict, deque
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction

import pytest

from mendlab.verify.newtests.messages import read_arguments, write_arguments
from mendlab.verify.newtests.spelling import Speller, Unspellable, shapes_of


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        -3,
        2**70,
        0.1,
        -0.0,
        1e300,
        "",
        'say "so"',
        "it's",
        "it's \"both\" and 'more'",
        "tab\t line\n back\\slash",
        "é😀\u2028",
        b"\x00'\"a",
        [1, [2.5, "x"]],
        (1,),
        (),
        {"k": [None], 2: (3, 4)},
        {3, 1, 2},
        set(),
        frozenset({"a"}),
        frozenset(),
        Decimal("1.50"),
        Fraction(1, 3),
        date(2020, 2, 29),
        datetime(2020, 2, 29),
        datetime(2020, 2, 29, 0, 0, 5),
        time(7),
        time(7, 30, 0, 5),
        timedelta(),
        timedelta(days=-1, seconds=3),
        deque([1, 2]),
        deque([1], maxlen=3),
        Counter({"a": 2}),
        OrderedDict({"b": 1}),
    ],
)
def test_the_text_stands_for_the_same_value(value):
    again = eval(Speller({}).spell(value))
    assert again == value
    assert repr(again) == repr(value) or isinstance(value, set | frozenset)


def test_numbers_that_are_none_are_written_so_that_they_can_be_read():
    assert math.isnan(eval(Speller({}).spell(math.nan)))
    assert Speller({}).spell([-math.inf]) == '[float("-inf")]'


def test_floats_to_be_compared_have_a_tolerance_at_any_depth():
    assert Speller({}, approximately=True).spell([0.5, (1, math.nan)]) == (
        '[pytest.approx(0.5), (1, pytest.approx(float("nan"), nan_ok=True))]'
    )
    with pytest.raises(Unspellable):
        Speller({}, approximately=True).spell({0.5})


@pytest.mark.parametrize(
    "value",
    [object(), defaultdict(int), datetime(2020, 1, 1, tzinfo=UTC), [object()], "x" * 100, list(range(100)), 10**100],
)
def test_what_has_no_short_literal_is_refused(value):
    with pytest.raises(Unspellable):
        Speller({}).spell(value)


SOURCE = """
from dataclasses import dataclass

@dataclass
class Point:
    x: int
    y: int = 0

class Box:
    def __init__(self, items, size=3):
        self._items = items

class Odd:
    def __init__(self, secret):
        self.hash = hash(secret)
"""


@pytest.mark.parametrize(
    ("tag", "attributes", "text"),
    [
        ("@m:Point", {"x": 1, "y": 2}, "Point(1, 2)"),
        ("@m:Box", {"_items": [1]}, "Box([1])"),
        ("@m:Odd", {"hash": 5}, None),
        ("@m:Unknown", {}, None),
    ],
)
def test_instances_are_written_as_they_are_made(tag, attributes, text):
    flat = [part for item in attributes.items() for part in item]
    nodes = [["t", [1]], [tag, *flat]] if text != "Box([1])" else [["t", [1]], [tag, "_items", [2]], ["l", 1]]
    arguments = read_arguments([[0], [["t", [1], [2]], ["t", [3]], ["d"], *_moved(nodes[1:])], {}])
    assert arguments is not None
    (value,), _ = arguments
    assert value.attributes == attributes
    assert read_arguments(write_arguments(arguments))[0][0].attributes == attributes
    speller = Speller(shapes_of({"m": SOURCE}))
    if text is None:
        with pytest.raises(Unspellable):
            speller.spell(value)
    else:
        assert speller.spell(value) == text


def _moved(nodes):
    """The nodes with their references two further on."""
    return [[node[0], *([part[0] + 2] if isinstance(part, list) else part for part in node[1:])] for node in nodes]
