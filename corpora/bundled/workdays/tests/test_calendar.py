from datetime import date

import pytest

from workdays import MONDAY, WorkCalendar, nth_weekday


def yearly(year):
    yield date(year, 1, 1)
    yield nth_weekday(year, 9, MONDAY, 1)
    yield date(year, 12, 25)


CALENDAR = WorkCalendar(yearly)


def test_holidays_are_moved_and_belong_to_the_year_they_fall_in():
    assert CALENDAR.holidays(2021) == {date(2021, 1, 1), date(2021, 9, 6), date(2021, 12, 24), date(2021, 12, 31)}
    assert CALENDAR.holidays(2022) == {date(2022, 9, 5), date(2022, 12, 26)}


def test_a_sunday_at_the_years_end_moves_into_the_next_year():
    calendar = WorkCalendar(lambda year: [date(year, 12, 31)])
    assert calendar.holidays(2024) == {date(2024, 1, 1), date(2024, 12, 31)}


@pytest.mark.parametrize(
    "day, working",
    [(date(2021, 9, 3), True), (date(2021, 9, 4), False), (date(2021, 9, 5), False), (date(2021, 9, 6), False), (date(2021, 9, 7), True)],
)
def test_is_working(day, working):
    assert CALENDAR.is_working(day) is working


def test_count_leaves_the_end_out():
    assert CALENDAR.count(date(2021, 9, 3), date(2021, 9, 3)) == 0
    assert CALENDAR.count(date(2021, 9, 3), date(2021, 9, 4)) == 1
    assert CALENDAR.count(date(2021, 9, 3), date(2021, 9, 8)) == 2
    assert CALENDAR.count(date(2021, 9, 8), date(2021, 9, 3)) == -2


def test_working_days():
    assert [day.day for day in CALENDAR.working_days(date(2021, 9, 2), date(2021, 9, 9))] == [2, 3, 7, 8]


@pytest.mark.parametrize(
    "start, days, end",
    [(3, 0, 3), (4, 0, 7), (3, 1, 7), (4, 1, 7), (3, 2, 8), (7, -1, 3), (6, -1, 3), (8, -3, 2), (10, 5, 17)],
)
def test_add(start, days, end):
    assert CALENDAR.add(date(2021, 9, start), days) == date(2021, 9, end)


@pytest.mark.parametrize(
    "issued, due",
    [
        (date(2021, 8, 4), date(2021, 9, 3)),
        (date(2021, 8, 5), date(2021, 9, 7)),
        (date(2021, 10, 1), date(2021, 10, 29)),
        (date(2021, 9, 30), date(2021, 10, 29)),
    ],
)
def test_due(issued, due):
    assert CALENDAR.due(issued, 30) == due


def test_due_stays_in_its_month():
    assert CALENDAR.due(date(2021, 12, 1), 24) == date(2021, 12, 27)
    assert CALENDAR.due(date(2021, 12, 1), 30) == date(2021, 12, 30)
    assert CALENDAR.due(date(2022, 7, 1), 30) == date(2022, 7, 29)


def test_other_weekends():
    calendar = WorkCalendar(weekend=[4])
    assert not calendar.is_working(date(2021, 9, 3))
    assert calendar.is_working(date(2021, 9, 4))
    assert calendar.holidays(2021) == set()
    assert WorkCalendar(weekend=range(6)).add(date(2021, 9, 6), 1) == date(2021, 9, 12)
    with pytest.raises(ValueError, match="no day"):
        WorkCalendar(weekend=range(7))
