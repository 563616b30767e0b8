from datetime import date

import pytest

from workdays import (
    FRIDAY, MONDAY, SUNDAY, THURSDAY, add_months, age, billing_period, end_of_month, nth_weekday, observed, week_label,
)


@pytest.mark.parametrize(
    "weekday, nth, day",
    [(MONDAY, 1, 3), (MONDAY, 5, 31), (FRIDAY, 1, 7), (SUNDAY, 1, 2), (THURSDAY, 3, 20), (MONDAY, -1, 31), (SUNDAY, -1, 30), (MONDAY, -5, 3), (FRIDAY, -2, 21)],
)
def test_nth_weekday(weekday, nth, day):
    assert nth_weekday(2022, 1, weekday, nth) == date(2022, 1, day)


@pytest.mark.parametrize("nth", [0, 6, -6])
def test_no_such_weekday(nth):
    with pytest.raises(ValueError):
        nth_weekday(2022, 1, MONDAY, nth)


@pytest.mark.parametrize(
    "day, last",
    [(date(2021, 2, 1), 28), (date(2020, 2, 29), 29), (date(2021, 12, 5), 31), (date(2021, 11, 30), 30)],
)
def test_end_of_month(day, last):
    assert end_of_month(day) == day.replace(day=last)


@pytest.mark.parametrize(
    "day, months, expected",
    [
        (date(2021, 1, 31), 1, date(2021, 2, 28)),
        (date(2021, 1, 28), 1, date(2021, 2, 28)),
        (date(2020, 1, 30), 1, date(2020, 2, 29)),
        (date(2021, 11, 15), 1, date(2021, 12, 15)),
        (date(2021, 12, 15), 1, date(2022, 1, 15)),
        (date(2021, 1, 15), -1, date(2020, 12, 15)),
        (date(2021, 3, 31), -13, date(2020, 2, 29)),
        (date(2021, 6, 9), 0, date(2021, 6, 9)),
    ],
)
def test_add_months(day, months, expected):
    assert add_months(day, months) == expected


@pytest.mark.parametrize("day, kept", [(24, 24), (25, 24), (26, 27), (27, 27)])
def test_observed(day, kept):
    assert observed(date(2021, 12, day)) == date(2021, 12, kept)


@pytest.mark.parametrize(
    "day, start, end",
    [
        (date(2021, 3, 14), date(2021, 2, 15), date(2021, 3, 14)),
        (date(2021, 3, 15), date(2021, 3, 15), date(2021, 4, 14)),
        (date(2020, 12, 31), date(2020, 12, 15), date(2021, 1, 14)),
        (date(2022, 1, 1), date(2021, 12, 15), date(2022, 1, 14)),
    ],
)
def test_billing_period(day, start, end):
    assert billing_period(date(2021, 1, 15), day) == (start, end)


def test_billing_period_from_a_month_end():
    anchor = date(2021, 1, 31)
    assert billing_period(anchor, date(2021, 2, 27)) == (date(2021, 1, 31), date(2021, 2, 27))
    assert billing_period(anchor, date(2021, 2, 28)) == (date(2021, 2, 28), date(2021, 3, 30))


@pytest.mark.parametrize(
    "day, label",
    [(date(2021, 1, 3), "2020-W53"), (date(2021, 1, 4), "2021-W01"), (date(2019, 12, 30), "2020-W01"), (date(2021, 6, 9), "2021-W23")],
)
def test_week_label(day, label):
    assert week_label(day) == label


@pytest.mark.parametrize(
    "today, years",
    [(date(2021, 2, 28), 20), (date(2021, 3, 1), 21), (date(2020, 2, 29), 20), (date(2000, 3, 1), 0)],
)
def test_age(today, years):
    assert age(date(2000, 2, 29), today) == years
