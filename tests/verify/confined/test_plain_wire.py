"""The quick way of reading and writing messages says what the wire says, or leaves it to the wire."""

SCRIPT = """
import json, math
from collections import OrderedDict, deque

sys.path.insert(0, sys.argv[1])
import zygote

load = sys.modules["__main__"].load = zygote.load
plain_wire, wire = load("plain_wire"), load("wire")
shared = [1, "a"]
ring = [2]
ring.append(ring)

class Number(int):
    pass

plain = [
    (([3, 1.5, None, True], "text"), {"key": {"a": [], "b": ()}}),
    ((shared, shared, {"again": shared}), {}),
    ((ring,), {}),
    (({1: "x", (1, 2): ["y"], None: {}},), {}),
    ((2**62 - 1, -(2**62) + 1, "\\u00e9", math.inf, -0.0), {}),
    (([["a", ["b", [1]]]] * 3,), {}),
]
other = [2**62, "\\ud800", {1, 2}, deque([1]), OrderedDict(a=1), b"x", 1j, len, object]

def refuses(do, value):
    try:
        do(value)
    except plain_wire.NotPlain:
        return True
    return False

first, second, table = plain_wire.read(wire.Wire().write((shared, shared, {"again": shared})))
again = plain_wire.read(wire.Wire().write(ring))
one, twin = plain_wire.read([[0], [["l", [1], [2]], ["S", "6162"], ["S", "6162"]], {}])
print(json.dumps({
    "written": [plain_wire.write(value) == wire.Wire().write(value) for value in plain],
    "read": [repr(plain_wire.read(wire.Wire().write(value))) == repr(value) for value in plain],
    "shared": first is second is table["again"] and again[1] is again,
    "not written": [refuses(plain_wire.write, ([value],)) for value in [*other, Number(3)]],
    "not read": [refuses(plain_wire.read, wire.Wire().write(([value],))) for value in other if type(value) is not str],
    "texts": plain_wire.read(wire.Wire().write(["\\ud800"])) == ["\\ud800"],
    "own texts": one == twin and one is not twin,
    "no text": refuses(plain_wire.read, [[0], [["S", "zz"]], {}]) and refuses(plain_wire.read, [[0], [["S", 3]], {}]),
}))
"""


def test_it_says_what_the_wire_says_or_leaves_it_to_the_wire(each_python):
    told = each_python(SCRIPT, {})
    assert told == {
        "written": [True] * 6,
        "read": [True] * 6,
        "shared": True,
        "not written": [True] * 10,
        "not read": [True] * 8,
        "texts": True,
        "own texts": True,
        "no text": True,
    }
