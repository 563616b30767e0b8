"""Sets of half-open intervals, and a room planner that finds free time with them."""

from bisect import bisect_left, bisect_right
from typing import Iterable, Iterator, List, Optional, Tuple

Span = Tuple[int, int]


class IntervalSet:
    """Disjoint spans ``[start, end)`` in rising order; spans that touch are one span."""

    def __init__(self, spans: Iterable[Span] = ()) -> None:
        self._starts: List[int] = []
        self._ends: List[int] = []
        for start, end in spans:
            self.add(start, end)

    def __iter__(self) -> Iterator[Span]:
        return iter(zip(self._starts, self._ends))

    def __len__(self) -> int:
        return len(self._starts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IntervalSet) and list(self) == list(other)

    def __repr__(self) -> str:
        return "IntervalSet({})".format(list(self))

    def __contains__(self, point: int) -> bool:
        index = bisect_right(self._starts, point) - 1
        return index >= 0 and point < self._ends[index]

    @property
    def total(self) -> int:
        return sum(end - start for start, end in self)

    def add(self, start: int, end: int) -> int:
        """Adds a span and returns how much of it was new."""
        if end < start:
            raise ValueError("a span cannot end before it starts: {} > {}".format(start, end))
        if start == end:
            return 0
        before = self.total
        first = bisect_left(self._ends, start)
        last = bisect_right(self._starts, end)
        if first < last:
            start = min(start, self._starts[first])
            end = max(end, self._ends[last - 1])
        self._starts[first:last] = [start]
        self._ends[first:last] = [end]
        return self.total - before

    def remove(self, start: int, end: int) -> int:
        """Takes a span out and returns how much of it was there."""
        before = self.total
        first = bisect_right(self._ends, start)
        last = bisect_left(self._starts, end)
        kept = []
        if first < last:
            if self._starts[first] < start:
                kept.append((self._starts[first], start))
            if end < self._ends[last - 1]:
                kept.append((end, self._ends[last - 1]))
            self._starts[first:last] = [span[0] for span in kept]
            self._ends[first:last] = [span[1] for span in kept]
        return before - self.total

    def covers(self, start: int, end: int) -> bool:
        """Whether the whole of a span, which is not empty, lies in one of ours."""
        index = bisect_right(self._starts, start) - 1
        return index >= 0 and end <= self._ends[index]

    def __or__(self, other: "IntervalSet") -> "IntervalSet":
        return IntervalSet([*self, *other])

    def __sub__(self, other: "IntervalSet") -> "IntervalSet":
        result = IntervalSet(self)
        for start, end in other:
            result.remove(start, end)
        return result

    def __and__(self, other: "IntervalSet") -> "IntervalSet":
        result = IntervalSet()
        ours, theirs = list(self), list(other)
        i = j = 0
        while i < len(ours) and j < len(theirs):
            start = max(ours[i][0], theirs[j][0])
            end = min(ours[i][1], theirs[j][1])
            if start < end:
                result.add(start, end)
            if ours[i][1] < theirs[j][1]:
                i += 1
            else:
                j += 1
        return result

    def gaps(self, start: int, end: int) -> "IntervalSet":
        """What of a span is not covered."""
        return IntervalSet([(start, end)]) - self


class Planner:
    """Bookings of rooms in minutes; ``pause`` minutes are kept free after each."""

    def __init__(self, rooms: Iterable[str], opening: int, closing: int, pause: int = 0) -> None:
        self.opening, self.closing, self.pause = opening, closing, pause
        self._busy = {room: IntervalSet() for room in rooms}

    def is_free(self, room: str, start: int, length: int) -> bool:
        if start < self.opening or start + length > self.closing:
            return False
        wanted = IntervalSet([(start, start + length + self.pause)])
        return not (wanted & self._busy[room])

    def book(self, start: int, length: int) -> Optional[str]:
        """Books the free room that is left with the least free time, and returns its name."""
        if length <= 0:
            raise ValueError("a booking needs a length")
        free = [room for room in self._busy if self.is_free(room, start, length)]
        if not free:
            return None
        room = min(free, key=lambda name: (-self._busy[name].total, name))
        self._busy[room].add(start, start + length + self.pause)
        return room

    def earliest(self, length: int, after: int = 0) -> Optional[int]:
        """The first minute at which some room is free for so long."""
        starts = []
        for busy in self._busy.values():
            for start, end in busy.gaps(max(self.opening, after), self.closing + self.pause):
                if end - start >= length + self.pause:
                    starts.append(start)
        return min(starts, default=None)
