import pytest

from routes import build_order, grid_walk


@pytest.mark.parametrize(
    "needs, order",
    [
        ({}, ""),
        ({"b": "a"}, "ab"),
        ({"a": "b"}, "ba"),
        ({"c": "ab", "d": "c", "e": ""}, "abcde"),
        ({"a": "z", "b": "z", "c": "ab"}, "zabc"),
        ({"a": "cd", "b": "", "d": "b"}, "bcda"),
    ],
)
def test_build_order(needs, order):
    assert "".join(build_order(needs)) == order


@pytest.mark.parametrize(
    "needs, cycle",
    [
        ({"a": "a"}, "a -> a"),
        ({"a": "b", "b": "c", "c": "a"}, "a -> b -> c -> a"),
        ({"a": "b", "b": "c", "c": "b"}, "b -> c -> b"),
        ({"x": "y", "y": "x", "z": "w"}, "x -> y -> x"),
    ],
)
def test_cycles_are_named(needs, cycle):
    with pytest.raises(ValueError) as caught:
        build_order(needs)
    assert str(caught.value) == "cycle: " + cycle


def test_the_argument_is_not_changed():
    needs = {"b": {"a"}}
    build_order(needs)
    assert needs == {"b": {"a"}}


@pytest.mark.parametrize(
    "rows, steps",
    [
        (["SG"], 1),
        (["GS"], 1),
        (["S", ".", "G"], 2),
        (["G", ".", "S"], 2),
        (["S#G", ".#.", "..."], 6),
        (["S#G"], None),
        (["..G", ".#", "S"], 4),
        (["#####", "#S..#", "###.#", "#G..#", "#####"], 6),
    ],
)
def test_grid_walk(rows, steps):
    assert grid_walk(rows) == steps


def test_grid_walk_with_other_marks():
    assert grid_walk(["a.#b", "..x.", "...."], "a", "b", "x") == 3
    assert grid_walk(["ax", "xb"], "a", "b", "x") is None
    assert grid_walk(["a"], "a", "a") == 0
