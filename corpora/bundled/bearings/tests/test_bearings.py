import pytest

import bearings


@pytest.mark.parametrize("name", bearings.POINTS)
def test_every_point_is_read_and_written(name):
    assert bearings.point(bearings.parse(name)) == name


def test_the_points_go_round():
    assert [bearings.parse(name) for name in "N NE E SE S SW W NW".split()] == [0, 45, 90, 135, 180, 225, 270, 315]


@pytest.mark.parametrize("text", ["", "X", "N 10", "N 10 N", "N -1 E", "W 10 E", "N N N E"])
def test_not_a_bearing(text):
    with pytest.raises(ValueError, match="not a bearing|could not convert"):
        bearings.parse(text)


@pytest.mark.parametrize("start", range(0, 360, 45))
@pytest.mark.parametrize("by", [-179, -90, 0, 1, 180])
def test_turn_undoes_a_turn(start, by):
    assert bearings.turn(start, bearings.normal(start + by)) == by


@pytest.mark.parametrize("bearing", [0, 30, 123.5, 180, 270, 359])
def test_course_undoes_move(bearing):
    start = (12.0, -7.0)
    ((found, length),) = bearings.course([start, bearings.move(start, bearing, 40)])
    assert abs(bearings.turn(found, bearing)) < 1e-6
    assert length == pytest.approx(40)


def test_a_round_trip_comes_home():
    position = (0.0, 0.0)
    for bearing in (0, 72, 144, 216, 288):
        position = bearings.move(position, bearing, 10)
    assert position == pytest.approx((0, 0), abs=1e-9)


def test_mean_turns_with_its_input():
    assert bearings.mean([10 + 200, 40 + 200]) == pytest.approx(225)
    assert bearings.mean([270]) == pytest.approx(270)
    assert bearings.mean([90, 270, 180]) == pytest.approx(180)
