"""Where two programs differ, and at which lines calls come there."""

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.verify.equivalence.places import places

GOOD = """LIMIT = 3
TWICE = LIMIT * 2

def f(x):
    return x + 1

def g(x, y=LIMIT):
    while x < y:
        x += 1
    return x

def h(items):
    if not items:
        return TWICE
    for item in items:
        items.remove(item)


class C:
    size = 1

    def m(self):
        return self.size

    def n(self):
        return 2
"""


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("return x + 1", "return x + 2", {"f": {5}}),
        ("        x += 1\n    return x", "        x += 1\n    x += 0\n    return x", {"g": {10}}),
        ("        x += 1\n", "        x += 1\n        x += 0\n", {"g": {9}}),
        ("items.remove(item)\n", "items.remove(item)\n    items.sort()\n", {"h": {15}}),
        ("items.remove(item)\n", "items.remove(item)\n    pass\n", {"h": {15}}),
        ("TWICE = LIMIT * 2", "TWICE = LIMIT * 3", {"TWICE": {14}}),
        ("LIMIT = 3", "LIMIT = 4", {"LIMIT": {7, 8, 9, 10, 14}}),
        ("    size = 1", "    size = 2", {"C.size": {23}}),
        ("class C:", "class C(Exception):", {"C": {22, 23, 25, 26}}),
        (
            "    size = 1\n",
            "    size = 1\n\n    def __eq__(self, other):\n        return True\n",
            {"C.__eq__": {22, 23, 25, 26}},
        ),
        ("LIMIT = 3", "import os\n\nUNUSED = os.sep\nLIMIT = 3", {}),
        ("def f(x):", "def f(x: int) -> int:\n    '''Add one.'''", {}),
        ("def f(x):", "def unused():\n    return 1\n\ndef f(x):", {}),
        ("LIMIT = 3", "LIMIT = 3\nprint()", {"mod.py": {4, 5, 7, 8, 9, 10, 12, 13, 14, 15, 16, 22, 23, 25, 26}}),
    ],
)
def test_the_functions_and_names_that_differ(old, new, expected):
    good = FileTree({"mod.py": GOOD.encode()})
    assert GOOD.count(old) == 1
    found = places(good, good.replace({"mod.py": GOOD.replace(old, new).encode()}), ["mod.py"])
    assert {place.name: {line for _, line in place.lines} for place in found} == expected


def test_a_name_is_used_in_other_files():
    good = FileTree({"one.py": b"LIMIT = 3\n", "two.py": b"import one\n\ndef f():\n    return one.LIMIT\n"})
    (place,) = places(good, good.replace({"one.py": b"LIMIT = 4\n"}), list(good))
    assert (place.name, place.lines, place.function) == ("LIMIT", {("two.py", 4)}, None)
    assert place.is_run({"two.py": [3, 4]})
    assert not place.is_run({"one.py": [4], "two.py": [3]})


SEVEN = "".join(f"def f{n}(x):\n    return x + {n}\n\n" for n in range(7))
REMOVE = "def remove_all(items, value):\n    while value in items:\n        items.remove(value)\n"
CALLS = [*(f"f{n}(1)" for n in range(7)), "remove_all([1, 2, 1, 3], 1)"]


def test_the_function_that_differs_is_compared_though_many_are_called_before_it(differ):
    wrong = REMOVE + "    if len(items) > 2:\n        items.pop()\n"
    assert differ(SEVEN + REMOVE, SEVEN + wrong, *CALLS).witness.call == "solution.remove_all([0, 0, 0], 1)"
    assert differ(SEVEN + REMOVE, SEVEN + REMOVE + "    pass\n", *CALLS).witness is None


def test_nothing_is_the_same_where_one_of_the_functions_that_differ_is_not_called(differ):
    good = "def f(x):\n    return x + 1\n\n" + REMOVE
    other = good.replace("x + 1", "1 + x").replace("while value in items", "while items.count(value)")
    assert differ(good, other, "f(1)") is None
    assert differ(good, other, "f(1)", "remove_all([1], 1)").witness is None


def test_a_constant_of_another_kind_is_compared_where_it_is_used(differ):
    good = "TABLE = [1, 2]\n\ndef f(x):\n    return x + sum(TABLE)\n"
    assert differ(good, good.replace("[1, 2]", "(1, 2)"), "f(1)", "f(2)").witness is None
    assert differ(good, good.replace("[1, 2]", "(1, 3)"), "f(1)", "f(2)").witness.candidate == "5"
