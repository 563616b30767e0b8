"""A working calendar: holidays moved off weekends, working-day arithmetic and billing periods."""

from datetime import date, timedelta
from typing import Callable, Iterable, Iterator, Optional, Set, Tuple

MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY = range(7)
ONE_DAY = timedelta(days=1)


def nth_weekday(year: int, month: int, weekday: int, nth: int) -> date:
    """The nth such weekday of a month; negative counts from the month's end (-1 is the last)."""
    if nth == 0:
        raise ValueError("nth counts from 1, or from -1 backwards")
    if nth > 0:
        first = date(year, month, 1)
        day = first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (nth - 1))
    else:
        last = end_of_month(date(year, month, 1))
        day = last - timedelta(days=(last.weekday() - weekday) % 7 + 7 * (-nth - 1))
    if day.month != month:
        raise ValueError("{}-{:02} has no such day".format(year, month))
    return day


def end_of_month(day: date) -> date:
    if day.month == 12:
        return date(day.year, 12, 31)
    return date(day.year, day.month + 1, 1) - ONE_DAY


def add_months(day: date, months: int) -> date:
    """The same day of another month, or that month's last day where it is shorter."""
    index = day.year * 12 + day.month - 1 + months
    first = date(index // 12, index % 12 + 1, 1)
    return first.replace(day=min(day.day, end_of_month(first).day))


def observed(holiday: date) -> date:
    """A Saturday's holiday is kept on Friday, a Sunday's on Monday."""
    if holiday.weekday() == SATURDAY:
        return holiday - ONE_DAY
    if holiday.weekday() == SUNDAY:
        return holiday + ONE_DAY
    return holiday


class WorkCalendar:
    """``yearly`` gives a year's holidays; each is moved off the weekend."""

    def __init__(self, yearly: Optional[Callable[[int], Iterable[date]]] = None, weekend: Iterable[int] = (5, 6)) -> None:
        self.yearly = yearly or (lambda year: ())
        self.weekend = frozenset(weekend)
        if len(self.weekend) >= 7:
            raise ValueError("no day is left to work on")

    def holidays(self, year: int) -> Set[date]:
        """The days kept in ``year``, also those that belong to the years beside it."""
        kept = {observed(day) for y in (year - 1, year, year + 1) for day in self.yearly(y)}
        return {day for day in kept if day.year == year}

    def is_working(self, day: date) -> bool:
        return day.weekday() not in self.weekend and day not in self.holidays(day.year)

    def working_days(self, start: date, end: date) -> Iterator[date]:
        """Yields the working days from ``start`` up to, not including, ``end``."""
        day = start
        while day < end:
            if self.is_working(day):
                yield day
            day += ONE_DAY

    def count(self, start: date, end: date) -> int:
        """How many working days lie between two dates; negative when they are the other way round."""
        if end < start:
            return -self.count(end, start)
        return sum(1 for _ in self.working_days(start, end))

    def add(self, day: date, working_days: int) -> date:
        """Moves by working days; 0 moves a free day to the next working one."""
        step = -ONE_DAY if working_days < 0 else ONE_DAY
        left = abs(working_days)
        while left or not self.is_working(day):
            day += step
            if left and self.is_working(day):
                left -= 1
        return day

    def due(self, issued: date, terms: int) -> date:
        """When a bill is due: ``terms`` calendar days later, moved on to a working day in the same month if there is one."""
        target = issued + timedelta(days=terms)
        moved = self.add(target, 0)
        if moved.month == target.month:
            return moved
        while not self.is_working(target):
            target -= ONE_DAY
        return target


def billing_period(anchor: date, day: date) -> Tuple[date, date]:
    """First and last day of the monthly period around ``day``; periods start on the anchor's day of the month."""
    months = (day.year - anchor.year) * 12 + day.month - anchor.month
    if add_months(anchor, months) > day:
        months -= 1
    return add_months(anchor, months), add_months(anchor, months + 1) - ONE_DAY


def week_label(day: date) -> str:
    """The ISO week, as in 2021-W05; the year is the week's own."""
    year, week, _ = day.isocalendar()
    return "{}-W{:02}".format(year, week)


def age(born: date, today: date) -> int:
    """Completed years; those born on 29 February have their birthday on 1 March in other years."""
    had_birthday = (today.month, today.day) >= (born.month, born.day)
    return today.year - born.year - (0 if had_birthday else 1)
