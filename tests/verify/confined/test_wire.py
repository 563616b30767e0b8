"""Values cross the wire as they are, and nothing else crosses it."""

import collections
import contextlib
import datetime
import decimal
import fractions
import json
import math
import operator
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mendlab.verify.confined.function.wire import Malformed, Wire


def cross(value, reader=None):
    return (reader or Wire()).read(json.loads(json.dumps(Wire().write(value))))


VALUES = [
    *(None, True, 0, 10**30, -(2**62), 0.1, -0.0, float("inf"), "", "é", "\ud83d\ude00", "\ud83d", b"\0\xff", 1j),
    *(bytearray(b"x"), range(3, 9, 2), slice(1, None), ..., NotImplemented, (), [], {}, set(), frozenset({1, (2,)})),
    *(decimal.Decimal("1.50"), fractions.Fraction(1, 3), datetime.date(2020, 2, 29), datetime.timedelta(1, 2, 3)),
    *(datetime.datetime(2020, 1, 2, 3, tzinfo=datetime.UTC, fold=1), datetime.time(3, 4), datetime.UTC),
    *(collections.deque([1, 2], 3), collections.OrderedDict(b=1, a=2), collections.defaultdict(list, {1: [2]})),
    *(
        collections.Counter("aab"),
        {(1, "a"): {3: [None]}},
        {1: 2}.keys(),
        {1: 2}.items(),
        int,
        ValueError,
        len,
        re.compile("a", re.IGNORECASE),
        math.sqrt,
        operator.add,
        str.upper,
    ),
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_value_arrives_as_it_was(value):
    arrived = cross([value])[0]
    assert type(arrived) is type(value)
    assert repr(arrived) == repr(value)
    assert arrived == value


def test_nan_arrives():
    assert math.isnan(cross(math.nan))


scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary()
hashables = st.recursive(
    scalars, lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3), max_leaves=5
)
nested = st.recursive(
    hashables,
    lambda inner: st.lists(inner) | st.sets(hashables, max_size=3) | st.dictionaries(hashables, inner, max_size=4),
    max_leaves=20,
)


@given(nested)
def test_nested_values_arrive_as_they_were(value):
    arrived = cross(value)
    assert arrived == value
    assert type(arrived) is type(value)


def test_sharing_and_cycles_are_kept():
    inner = [1]
    loop = {"self": None, "twice": (inner, inner)}
    loop["self"] = [loop]
    arrived = cross(loop)
    assert arrived["self"][0] is arrived
    assert arrived["twice"][0] is arrived["twice"][1]
    knot = ([],)
    knot[0].append(knot)
    arrived = cross(knot)
    assert arrived[0][0] is arrived


def test_depth_does_not_matter():
    deep, deeper = [], ()
    for _ in range(100_000):
        deep, deeper = [deep], (deeper, 1)
    arrived = cross((deep, deeper))[0]
    depth = 0
    while arrived:
        arrived, depth = arrived[0], depth + 1
    assert depth == 100_000


def test_what_the_callee_changes_is_changed_for_the_caller():
    caller, callee = Wire(), Wire()
    kept, changed = [1, 2], {"a": [3]}
    got_kept, got_changed = callee.read(caller.write((kept, changed)))
    got_changed["b"] = got_changed["a"]
    got_changed["a"].append(got_kept)
    message = callee.write(got_changed["a"])
    assert len(message[2]) == 2  # the list that did not change is not sent again
    result = caller.read(message)
    assert result is changed["a"]
    assert changed == {"a": [3, [1, 2]], "b": [3, [1, 2]]}
    assert changed["a"][1] is kept


class Node:
    def __init__(self, value):
        self.value = value
        self.next = None


class Slotted:
    __slots__ = ("value",)


def test_instances_travel_by_value_into_the_readers_own_class():
    theirs = type("Node", (), {})
    sender, reader = Wire(), Wire()
    sender.carry_instances({"Node": Node, "Slotted": Slotted})
    reader.carry_instances({"Node": theirs, "Slotted": Slotted})
    node, slotted = Node(1), Slotted()
    node.next, slotted.value = node, node
    arrived, other = reader.read(sender.write((node, slotted)))
    assert type(arrived) is theirs
    assert arrived.next is arrived and arrived.value == 1
    assert other.value is arrived
    arrived.next = None
    sender.read(reader.write(arrived))
    assert node.next is None


class EvilInt(int):
    def __eq__(self, other):
        return True

    __hash__ = int.__hash__


@pytest.mark.parametrize("value", [EvilInt(1), type("L", (list,), {})(), object(), lambda: 0, iter(()), json])
def test_an_object_that_is_no_plain_value_does_not_travel(value):
    wire = Wire()
    with pytest.raises(TypeError):
        wire.write([[1], value])
    assert wire.shared == []


@pytest.mark.parametrize(
    "message",
    [
        None,
        7,
        [],
        [[0], [], {}],
        [[-1], [["l"]], {}],
        [[True], [["l"]], {}],
        [[0], "l", {}],
        [[0], ["l"], {}],
        [[0], [[]], {}],
        [[0], [[["l"]]], {}],
        [[0], [["l", [1]]], {}],
        [[0], [["l", [0, 0]]], {}],
        [[0], [["l", {}]], {"0": ["l"]}],
        [[0], [["t", [1]], ["t", [0]]], {}],
        [[0], [["s", [1]], ["l"]], {}],
        [[0], [["d", 1]], {}],
        [[0], [["I", 5]], {}],
        [[0], [["b", "zz"]], {}],
        [[0], [["r", 1.5, 2, 3]], {}],
        [[0], [["c", "1", 2.0]], {}],
        [[0], [["decimal.Decimal", "x"]], {}],
        [[0], [["fractions.Fraction", 1, 0]], {}],
        [[0], [["datetime.date", 0, 0, 0]], {}],
        [[0], [["dq", "x", 1]], {}],
        [[0], [["@Node", "a", 1]], {}],
        [[0], [["object", 1, 2]], {}],
        [[0], [["name", "os", "system"]], {}],
        [[0], [["name", "builtins", "eval"]], {}],
        [[0], [["name", "builtins", "open"]], {}],
        [[0], [["name", "builtins", "__import__"]], {}],
        [[0], [["name", "operator", "attrgetter"]], {}],
        [1, [], {"0": ["l"]}],
        [1, [], {"x": ["l"]}],
    ],
    ids=json.dumps,
)
def test_what_is_no_message_is_refused(message):
    with pytest.raises(Malformed):
        Wire().read(message)


@given(st.recursive(st.none() | st.integers() | st.text("ltsdf@I", max_size=2), lambda i: st.lists(i, max_size=4)))
def test_no_garbage_does_more_than_be_refused(nodes):
    with contextlib.suppress(Malformed):
        Wire().read([[0], nodes, {}])


@pytest.mark.parametrize("index, node", [("0", ["l"]), ("0", ["t", 9]), ("1", ["s"]), ("-1", ["l"]), ("5", ["l"])])
def test_new_contents_go_only_into_what_can_take_them(index, node):
    caller, callee = Wire(), Wire()
    value = (1, [2])
    callee.read(caller.write(value))
    with pytest.raises(Malformed):
        caller.read([None, [], {index: node}])
    assert value == (1, [2])


def test_attributes_cannot_be_forged():
    wire = Wire()
    wire.carry_instances({"Node": Node, "Slotted": Slotted})
    arrived = wire.read([[0], [["@Node", "__class__", 1, "__eq__", 2]], {}])
    assert type(arrived) is Node
    assert arrived != 2
    with pytest.raises(Malformed):
        wire.read([[0], [["@Slotted", "other", 1]], {}])
    with pytest.raises(Malformed):
        wire.read([[0], [["@Node", 1, 1]], {}])
