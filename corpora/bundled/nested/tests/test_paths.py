import pytest

from nested import PathError, format_path, get, parse_path, put

TREE = {"a": {"b": [10, {"c": "x"}]}, "n": None}


@pytest.mark.parametrize(
    "text, path",
    [
        ("", ()),
        ("a", ("a",)),
        ("a.b", ("a", "b")),
        ("a[0]", ("a", 0)),
        ("a[10][2].b", ("a", 10, 2, "b")),
        ("[3].x", (3, "x")),
        ("a\\.b.c", ("a.b", "c")),
        ("a\\[0]", ("a[0]",)),
        ("a\\\\b", ("a\\b",)),
    ],
)
def test_paths_as_text(text, path):
    assert parse_path(text) == path
    assert format_path(path) == text


@pytest.mark.parametrize("text", ["a..b", ".a"])
def test_empty_keys(text):
    with pytest.raises(PathError, match="empty key"):
        parse_path(text)


@pytest.mark.parametrize("text", ["a[x]", "a[]", "a[1", "a[-1]"])
def test_bad_indices(text):
    with pytest.raises(PathError, match="bad index in a"):
        parse_path(text)


def test_trailing_marks_are_harmless():
    assert parse_path("a.") == ("a",)
    assert parse_path("a\\") == ("a",)


@pytest.mark.parametrize(
    "path, value",
    [((), TREE), (("a", "b", 0), 10), (("a", "b", 1, "c"), "x"), (("n",), None)],
)
def test_get(path, value):
    assert get(TREE, path) == value
    assert get(TREE, path, "default") == value


@pytest.mark.parametrize(
    "path, place",
    [(("z",), "z"), (("a", "b", 2), "a.b[2]"), (("a", 0), "a[0]"), (("a", "b", "c"), "a.b.c"), (("n", "x", "y"), "n.x")],
)
def test_get_nothing(path, place):
    assert get(TREE, path, 0) == 0
    assert get(TREE, path, None) is None
    with pytest.raises(PathError) as caught:
        get(TREE, path)
    assert caught.value.args == ("nothing at " + place,)


@pytest.mark.parametrize(
    "tree, path, expected",
    [
        (1, (), 9),
        ({"a": 1, "b": 2}, ("a",), {"a": 9, "b": 2}),
        ({}, ("a", "b"), {"a": {"b": 9}}),
        ({"a": [1, 2, 3]}, ("a", 1), {"a": [1, 9, 3]}),
        ({"a": [1]}, ("a", 1), {"a": [1, 9]}),
        ({"a": 5}, ("a", 0, "x"), {"a": [{"x": 9}]}),
        ([{"x": 1, "y": 2}], (0, "x"), [{"x": 9, "y": 2}]),
    ],
)
def test_put(tree, path, expected):
    assert put(tree, path, 9) == expected


def test_put_copies():
    tree = {"a": [1, {"b": 2}]}
    put(tree, ("a", 1, "b"), 3)
    assert tree == {"a": [1, {"b": 2}]}


def test_put_beyond_the_end():
    with pytest.raises(PathError, match="index 2 is beyond the end"):
        put([1], (2,), 0)
