import random

import pytest

from interval_set import IntervalSet


def base():
    return IntervalSet([(10, 20), (30, 40), (50, 60)])


@pytest.mark.parametrize(
    "span, new, spans",
    [
        ((0, 5), 5, [(0, 5), (10, 20), (30, 40), (50, 60)]),
        ((70, 80), 10, [(10, 20), (30, 40), (50, 60), (70, 80)]),
        ((22, 28), 6, [(10, 20), (22, 28), (30, 40), (50, 60)]),
        ((20, 25), 5, [(10, 25), (30, 40), (50, 60)]),
        ((25, 30), 5, [(10, 20), (25, 40), (50, 60)]),
        ((20, 30), 10, [(10, 40), (50, 60)]),
        ((12, 18), 0, [(10, 20), (30, 40), (50, 60)]),
        ((15, 35), 10, [(10, 40), (50, 60)]),
        ((5, 65), 30, [(5, 65)]),
        ((10, 61), 21, [(10, 61)]),
        ((25, 25), 0, [(10, 20), (30, 40), (50, 60)]),
    ],
)
def test_add(span, new, spans):
    intervals = base()
    assert intervals.add(*span) == new
    assert list(intervals) == spans


@pytest.mark.parametrize(
    "span, gone, spans",
    [
        ((0, 10), 0, [(10, 20), (30, 40), (50, 60)]),
        ((20, 30), 0, [(10, 20), (30, 40), (50, 60)]),
        ((60, 70), 0, [(10, 20), (30, 40), (50, 60)]),
        ((30, 40), 10, [(10, 20), (50, 60)]),
        ((30, 31), 1, [(10, 20), (31, 40), (50, 60)]),
        ((39, 50), 1, [(10, 20), (30, 39), (50, 60)]),
        ((33, 37), 4, [(10, 20), (30, 33), (37, 40), (50, 60)]),
        ((15, 55), 20, [(10, 15), (55, 60)]),
        ((0, 100), 30, []),
    ],
)
def test_remove(span, gone, spans):
    intervals = base()
    assert intervals.remove(*span) == gone
    assert list(intervals) == spans


def test_membership():
    assert [point for point in range(65) if point in base()] == [*range(10, 20), *range(30, 40), *range(50, 60)]
    assert 3 not in IntervalSet()


@pytest.mark.parametrize(
    "span, covered",
    [((10, 20), True), ((11, 12), True), ((9, 11), False), ((19, 21), False), ((20, 21), False), ((0, 5), False), ((15, 35), False)],
)
def test_covers(span, covered):
    assert base().covers(*span) is covered


def test_backward_spans_are_refused():
    with pytest.raises(ValueError, match="5 > 4"):
        IntervalSet([(5, 4)])


def test_operators():
    other = IntervalSet([(0, 12), (18, 33), (40, 50)])
    assert base() | other == IntervalSet([(0, 60)])
    assert base() & other == IntervalSet([(10, 12), (18, 20), (30, 33)])
    assert base() - other == IntervalSet([(12, 18), (33, 40), (50, 60)])
    assert base() == IntervalSet([(50, 60), (30, 40), (10, 20)])
    assert not base() & IntervalSet()


def test_intersection_walks_both_sides():
    long = IntervalSet([(0, 100)])
    assert base() & long == base()
    assert long & base() == base()
    assert base() & base() == base()


def test_operands_stay_as_they_were():
    left, right = base(), IntervalSet([(15, 35)])
    _ = left | right, left & right, left - right
    assert left == base()
    assert list(right) == [(15, 35)]


def test_small_things():
    assert len(base()) == 3
    assert base().total == 30
    assert repr(IntervalSet([(1, 2)])) == "IntervalSet([(1, 2)])"
    assert IntervalSet() != []
    assert base().gaps(0, 55) == IntervalSet([(0, 10), (20, 30), (40, 50)])


def test_against_plain_sets():
    rng = random.Random(5)
    intervals, points = IntervalSet(), set()
    for _ in range(300):
        start = rng.randrange(50)
        end = start + rng.randrange(12)
        span = set(range(start, end))
        if rng.random() < 0.6:
            assert intervals.add(start, end) == len(span - points)
            points |= span
        elif span:
            assert intervals.remove(start, end) == len(span & points)
            points -= span
        assert {p for a, b in intervals for p in range(a, b)} == points
        assert all(end < start for (_, end), (start, _) in zip(list(intervals), list(intervals)[1:]))
