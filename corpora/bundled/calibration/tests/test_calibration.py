import pytest

from calibration import CalibrationError, Curve, drift, drop_spikes, root_mean_square_error, smooth

POINTS = [(10, 0.0), (0, -5.0), (30, 20.0), (40, 22.0)]


@pytest.mark.parametrize(
    "raw, expected",
    [(0, -5.0), (5, -2.5), (9, -0.5), (10, 0.0), (11, 1.0), (20, 10.0), (30, 20.0), (35, 21.0), (40, 22.0)],
)
def test_between_points(raw, expected):
    assert Curve(POINTS)(raw) == pytest.approx(expected)


@pytest.mark.parametrize("raw, clamped, extended", [(-4, -5.0, -7.0), (50, 22.0, 24.0)])
def test_outside_the_points(raw, clamped, extended):
    assert Curve(POINTS)(raw) == clamped
    assert Curve(POINTS, "extend")(raw) == pytest.approx(extended)
    with pytest.raises(CalibrationError, match="outside the curve"):
        Curve(POINTS, "refuse")(raw)


def test_the_ends_are_not_outside():
    curve = Curve(POINTS, "refuse")
    assert curve(0) == -5.0
    assert curve(40) == 22.0


def test_two_points_are_enough():
    assert Curve([(0, 1), (4, 3)])(1) == 1.5


@pytest.mark.parametrize(
    "points, beyond, message",
    [
        ([(1, 1)], "clamp", "at least two"),
        ([(1, 1), (2, 2), (1, 3)], "clamp", "raw value 1 is given twice"),
        (POINTS, "wrap", "unknown policy: wrap"),
    ],
)
def test_bad_curves(points, beyond, message):
    with pytest.raises(CalibrationError, match=message):
        Curve(points, beyond)


def test_inverse_round_trip():
    curve = Curve(POINTS, "extend")
    back = curve.inverse()
    for raw in (-3, 0, 4, 10, 17, 30, 31, 44):
        assert back(curve(raw)) == pytest.approx(raw)


def test_inverse_of_a_falling_curve():
    back = Curve([(0, 9), (3, 0)], "refuse").inverse()
    assert back(3) == pytest.approx(2)
    assert back.beyond == "refuse"


@pytest.mark.parametrize("last", [0.5, -0.5])
def test_inverse_of_a_gentle_curve(last):
    assert Curve([(0, 0), (1, last)]).inverse()(last / 2) == pytest.approx(0.5)


@pytest.mark.parametrize("values", [(0, 2, 1), (2, 1, 3), (1, 1, 2), (2, 1, 1), (0, 1, 0.5, 2), (3, 0, 1, 0)])
def test_no_inverse(values):
    with pytest.raises(CalibrationError, match="turns back"):
        Curve(list(enumerate(values))).inverse()


def test_drop_spikes_keeps_what_is_exactly_at_the_limit():
    assert drop_spikes([1, 3, 9, 5, 5, -4, 4], 2) == [1, 3, 3, 5, 5, 5, 4]
    assert drop_spikes([], 1) == []


def test_smooth():
    assert smooth([2.0, 4.0, 9.0, 1.0], 2) == [2.0, 3.0, 6.5, 5.0]
    assert smooth([3.0, 5.0], 1) == [3.0, 5.0]
    assert smooth([3.0, 6.0], 10) == [3.0, 4.5]
    with pytest.raises(CalibrationError):
        smooth([1.0], 0)


def test_drift():
    slope, start = drift([1, 2, 4], [5.0, 7.0, 11.0])
    assert slope == pytest.approx(2.0)
    assert start == pytest.approx(3.0)
    slope, start = drift([0, 1, 2], [0.0, 3.0, 0.0])
    assert (slope, start) == (pytest.approx(0.0), pytest.approx(1.0))


@pytest.mark.parametrize(
    "times, readings, message",
    [([1, 2], [1], "differ in length"), ([1], [1], "two readings"), ([3, 3], [1, 2], "same time")],
)
def test_no_drift(times, readings, message):
    with pytest.raises(CalibrationError, match=message):
        drift(times, readings)


def test_root_mean_square_error():
    assert root_mean_square_error([1.0, 2.0], [4.0, -3.0]) == pytest.approx((34 / 2) ** 0.5)
    assert root_mean_square_error([], []) == 0.0
