import pytest

from nested import depth, diff, leaves, merge, rebuild, transform

TREE = {"a": {"b": [10, {"c": "x"}]}, "e": {}, "l": [], "n": None}


def test_leaves():
    assert list(leaves(TREE)) == [
        (("a", "b", 0), 10),
        (("a", "b", 1, "c"), "x"),
        (("e",), {}),
        (("l",), []),
        (("n",), None),
    ]
    assert list(leaves(5)) == [((), 5)]


@pytest.mark.parametrize("tree", [TREE, [], {}, 3, [[1, 2], [3, [4]]], [{"x": []}]])
def test_rebuild(tree):
    assert rebuild(leaves(tree)) == tree


@pytest.mark.parametrize(
    "tree, levels", [(1, 0), ([], 1), ({}, 1), ([1, [2]], 2), ({"a": {"b": [1]}, "c": 1}, 3), ([{}, [[]]], 3)]
)
def test_depth(tree, levels):
    assert depth(tree) == levels


def test_transform():
    assert transform({"a": 1, "b": [2, {"c": 3}]}, lambda n: n * 10) == {"a": 10, "b": [20, {"c": 30}]}
    assert transform({"a": [], "b": {}}, str) == {"a": [], "b": {}}
    assert transform(4, str) == "4"


def test_transform_drops_leaves_and_what_they_leave_empty():
    tree = {"a": 1, "b": [1, 2, [1]], "c": {"d": {"e": 1}}}
    assert transform(tree, str, keep=lambda n: n > 1) == {"b": ["2"]}


def test_transform_keeps_values_that_are_false():
    assert transform({"a": 0, "b": [None, ""]}, lambda v: v) == {"a": 0, "b": [None, ""]}


@pytest.mark.parametrize(
    "base, top, merged",
    [
        ({"a": 1, "b": 2}, {"b": 3, "c": 4}, {"a": 1, "b": 3, "c": 4}),
        ({"a": {"x": 1, "y": 2}}, {"a": {"y": 3}}, {"a": {"x": 1, "y": 3}}),
        ({"a": 1, "b": 2}, {"a": None, "z": None}, {"b": 2}),
        ({"a": {"x": 1}}, {"a": 5}, {"a": 5}),
        ({"a": 5}, {"a": {"x": 1}}, {"a": {"x": 1}}),
        ({"a": [1, 2]}, {"a": [3]}, {"a": [3]}),
    ],
)
def test_merge(base, top, merged):
    before = repr(base)
    assert merge(base, top) == merged
    assert repr(base) == before


@pytest.mark.parametrize("lists, items", [("replace", [2, 3]), ("append", [1, 2, 2, 3]), ("union", [1, 2, 3])])
def test_merging_lists(lists, items):
    assert merge({"k": {"a": [1, 2]}}, {"k": {"a": [2, 3]}}, lists) == {"k": {"a": items}}
    assert merge({"a": 1}, {"a": [2]}, lists) == {"a": [2]}


@pytest.mark.parametrize(
    "old, new, changes",
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"a": 2}, [("change", ("a",), 2)]),
        ({"a": 1}, {"b": 1}, [("remove", ("a",), None), ("add", ("b",), 1)]),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": 3}}, [("change", ("a", "c"), 3)]),
        ({"a": [1]}, {"a": [1, 2]}, [("change", ("a",), [1, 2])]),
        ({"a": {"b": 1}}, {"a": 5}, [("change", ("a",), 5)]),
        (1, 1.0, [("change", (), 1.0)]),
        (1, True, [("change", (), True)]),
        ("a", "a", []),
        ({"x": 1, "y": 2}, {"z": 3, "y": 4}, [("remove", ("x",), None), ("change", ("y",), 4), ("add", ("z",), 3)]),
    ],
)
def test_diff(old, new, changes):
    assert diff(old, new) == changes
