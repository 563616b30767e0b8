import pytest

from indexed_heap import Agenda


@pytest.fixture
def agenda():
    agenda = Agenda(now=10)
    agenda.at(15, "tea")
    agenda.at(12, "post")
    return agenda


def test_advance_fires_what_is_due(agenda):
    assert agenda.advance(11) == []
    assert agenda.now == 11
    assert agenda.advance(12) == [(12, "post")]
    assert agenda.advance(20) == [(15, "tea")]
    assert agenda.advance(30) == []


def test_the_clock_never_goes_back(agenda):
    agenda.advance(20)
    assert agenda.advance(5) == []
    assert agenda.now == 20


def test_not_in_the_past(agenda):
    with pytest.raises(ValueError, match="nap is due in the past"):
        agenda.at(9, "nap")
    agenda.at(10, "nap")
    assert agenda.advance(10) == [(10, "nap")]


def test_repeating(agenda):
    agenda.at(11, "beat", every=2)
    assert agenda.advance(15) == [(11, "beat"), (12, "post"), (13, "beat"), (15, "tea"), (15, "beat")]
    assert agenda.advance(16) == []
    assert agenda.advance(17) == [(17, "beat")]


def test_planning_again_replaces(agenda):
    agenda.at(14, "post", every=5)
    agenda.at(13, "post")
    assert agenda.advance(40) == [(13, "post"), (15, "tea")]


def test_cancel(agenda):
    assert agenda.cancel("tea") is True
    assert agenda.cancel("tea") is False
    assert agenda.advance(40) == [(12, "post")]


def test_snooze(agenda):
    assert agenda.snooze("post", 4) == 16
    assert agenda.advance(40) == [(15, "tea"), (16, "post")]
    with pytest.raises(KeyError):
        agenda.snooze("post", 1)


def test_starts_at_zero():
    assert Agenda().now == 0
