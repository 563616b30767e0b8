import pytest

from interval_set import Planner


@pytest.fixture
def planner():
    return Planner(["red", "blue"], opening=540, closing=600, pause=5)


def test_a_room_stays_in_use_while_it_can(planner):
    assert planner.book(540, 20) == "blue"
    assert planner.book(565, 10) == "blue"
    assert planner.book(570, 10) == "red"
    assert planner.book(570, 10) is None


def test_the_pause_keeps_bookings_apart(planner):
    planner.book(560, 10)
    assert not planner.is_free("blue", 574, 1)
    assert planner.is_free("blue", 575, 1)
    assert planner.is_free("blue", 550, 5)
    assert not planner.is_free("blue", 550, 6)


@pytest.mark.parametrize("start, length, free", [(540, 60, True), (539, 10, False), (541, 60, False), (599, 1, True)])
def test_opening_hours(planner, start, length, free):
    assert planner.is_free("red", start, length) is free


def test_bookings_need_a_length(planner):
    with pytest.raises(ValueError, match="length"):
        planner.book(550, 0)
    assert planner.book(550, 1) == "blue"


def test_earliest(planner):
    assert planner.earliest(60) == 540
    assert planner.earliest(61) is None
    planner.book(540, 10)
    planner.book(540, 30)
    assert planner.earliest(5) == 555
    assert planner.earliest(45) == 555
    assert planner.earliest(46) is None
    assert planner.earliest(20, after=580) == 580
    assert planner.earliest(21, after=580) is None


def test_without_rooms_or_pause():
    assert Planner([], 0, 10).earliest(1) is None
    planner = Planner(["a"], 0, 10)
    assert planner.book(0, 5) == "a"
    assert planner.book(5, 5) == "a"
    assert planner.earliest(1) is None
