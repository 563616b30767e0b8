from datetime import datetime, timedelta

import pytest

from parcel_locker import Box, Notice, Refused, State, Wall

NOON = datetime(2023, 3, 1, 12, 0)


def hours(count):
    return NOON + timedelta(hours=count)


def box_in(state):
    box = Box(7, 2)
    if state is State.EMPTY:
        return box
    box.reserve("1234")
    if state is State.RESERVED:
        return box
    box.load(NOON)
    if state is State.BLOCKED:
        for _ in range(3):
            box.open("bad")
    if state is State.EXPIRED:
        box.tick(hours(72))
    return box


EVENTS = {
    "reserve": lambda box: box.reserve("9"),
    "load": lambda box: box.load(NOON),
    "open": lambda box: box.open("1234"),
    "unblock": lambda box: box.unblock("9"),
    "cancel": lambda box: box.cancel(),
    "collect": lambda box: box.collect(),
}
ACCEPTED = {
    ("reserve", State.EMPTY): State.RESERVED,
    ("load", State.RESERVED): State.LOADED,
    ("open", State.LOADED): State.EMPTY,
    ("unblock", State.BLOCKED): State.LOADED,
    ("cancel", State.RESERVED): State.EMPTY,
    ("collect", State.EXPIRED): State.EMPTY,
}


@pytest.mark.parametrize("state", list(State))
@pytest.mark.parametrize("event", sorted(EVENTS))
def test_every_event_in_every_state(event, state):
    box = box_in(state)
    assert box.state is state
    if (event, state) in ACCEPTED:
        EVENTS[event](box)
        assert box.state is ACCEPTED[event, state]
    else:
        with pytest.raises(Refused, match="{}.* box 7: it is {}".format(event, state.value)):
            EVENTS[event](box)
        assert box.state is state


def test_opening_forgets_the_code():
    box = box_in(State.LOADED)
    assert box.open("1234") is True
    assert (box.code, box.loaded_at) == (None, None)


def test_two_wrong_codes_are_forgiven():
    box = box_in(State.LOADED)
    assert box.open("1") is False
    assert box.open("2") is False
    assert box.state is State.LOADED
    assert box.open("1234") is True


def test_the_third_wrong_code_blocks():
    box = box_in(State.LOADED)
    results = [box.open("x") for _ in range(3)]
    assert results == [False, False, False]
    assert box.state is State.BLOCKED


def test_unblocking_needs_the_new_code_and_counts_anew():
    box = box_in(State.BLOCKED)
    box.unblock("new")
    assert box.wrong_codes == 0
    assert box.open("1234") is False
    assert box.open("1234") is False
    assert box.open("new") is True


def test_a_new_parcel_counts_anew():
    box = box_in(State.LOADED)
    box.open("x")
    box.open("x")
    box.tick(hours(48))
    box.open("1234")
    box.reserve("5")
    box.load(hours(50))
    assert (box.wrong_codes, box.reminded) == (0, False)
    assert box.open("x") is False
    assert box.state is State.LOADED


@pytest.mark.parametrize(
    "age, kind, state",
    [(47, None, State.LOADED), (48, "reminder", State.LOADED), (71, "reminder", State.LOADED), (72, "expired", State.EXPIRED)],
)
def test_time_passes(age, kind, state):
    box = box_in(State.LOADED)
    assert box.tick(hours(age)) == (kind and Notice(7, kind))
    assert box.state is state


def test_one_reminder_only():
    box = box_in(State.LOADED)
    assert box.tick(hours(49)) == Notice(7, "reminder")
    assert box.tick(hours(50)) is None
    assert box.tick(hours(80)) == Notice(7, "expired")
    assert box.tick(hours(90)) is None


def test_blocked_boxes_expire_too():
    box = box_in(State.BLOCKED)
    assert box.tick(hours(72)) == Notice(7, "expired")


@pytest.mark.parametrize("state", [State.EMPTY, State.RESERVED])
def test_time_means_nothing_to_a_box_without_a_parcel(state):
    box = box_in(state)
    assert box.tick(hours(1000)) is None
    assert box.state is state


def test_wall_takes_the_smallest_box_that_fits():
    wall = Wall([3, 1, 2, 2])
    assert wall.reserve(2, "a") == 3
    assert wall.reserve(1, "b") == 2
    assert wall.reserve(1, "c") == 4
    assert wall.reserve(2, "d") == 1
    with pytest.raises(Refused, match="no empty box of size 1"):
        wall.reserve(1, "e")
    assert wall.boxes[4].code == "c"


def test_wall_refuses_what_is_too_big():
    with pytest.raises(Refused, match="size 4"):
        Wall([3, 2]).reserve(4, "a")


def test_wall_clock_and_occupancy():
    wall = Wall([1, 1, 1])
    assert wall.occupancy() == {"empty": 3}
    for start in (0, 30):
        wall.boxes[wall.reserve(1, "k")].load(hours(start))
    assert wall.tick(hours(75)) == [Notice(1, "expired")]
    assert wall.tick(hours(78)) == [Notice(2, "reminder")]
    assert wall.occupancy() == {"expired": 1, "loaded": 1, "empty": 1}
