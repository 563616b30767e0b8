"""A wall of parcel lockers: each box is a small state machine driven by couriers, customers and the clock."""

import enum
from datetime import datetime, timedelta
from typing import Dict, List, NamedTuple, Optional, Sequence

PICKUP_PERIOD = timedelta(hours=72)
REMINDER_AFTER = timedelta(hours=48)
MAX_WRONG_CODES = 3


class State(enum.Enum):
    EMPTY = "empty"
    RESERVED = "reserved"
    LOADED = "loaded"
    BLOCKED = "blocked"
    EXPIRED = "expired"


class Refused(Exception):
    """An event that the box does not accept in its present state."""


class Notice(NamedTuple):
    box: int
    kind: str


class Box:
    def __init__(self, number: int, size: int) -> None:
        self.number = number
        self.size = size
        self.state = State.EMPTY
        self.code: Optional[str] = None
        self.loaded_at: Optional[datetime] = None
        self.wrong_codes = 0
        self.reminded = False

    def _expect(self, event: str, *states: State) -> None:
        if self.state not in states:
            raise Refused("cannot {} box {}: it is {}".format(event, self.number, self.state.value))

    def reserve(self, code: str) -> None:
        self._expect("reserve", State.EMPTY)
        self.state, self.code = State.RESERVED, code

    def load(self, now: datetime) -> None:
        self._expect("load", State.RESERVED)
        self.state, self.loaded_at = State.LOADED, now
        self.wrong_codes, self.reminded = 0, False

    def open(self, code: str) -> bool:
        """Whether the door opens; the third wrong code in a row blocks the box."""
        self._expect("open", State.LOADED)
        if code == self.code:
            self._clear()
            return True
        self.wrong_codes += 1
        if self.wrong_codes >= MAX_WRONG_CODES:
            self.state = State.BLOCKED
        return False

    def unblock(self, new_code: str) -> None:
        self._expect("unblock", State.BLOCKED)
        self.state, self.code, self.wrong_codes = State.LOADED, new_code, 0

    def cancel(self) -> None:
        self._expect("cancel", State.RESERVED)
        self._clear()

    def collect(self) -> None:
        """The courier takes an expired parcel away."""
        self._expect("collect from", State.EXPIRED)
        self._clear()

    def tick(self, now: datetime) -> Optional[Notice]:
        """Lets time pass; returns what the customer must be told, if anything."""
        if self.state not in (State.LOADED, State.BLOCKED) or self.loaded_at is None:
            return None
        age = now - self.loaded_at
        if age >= PICKUP_PERIOD:
            self.state = State.EXPIRED
            return Notice(self.number, "expired")
        if age >= REMINDER_AFTER and not self.reminded:
            self.reminded = True
            return Notice(self.number, "reminder")
        return None

    def _clear(self) -> None:
        self.state, self.code, self.loaded_at = State.EMPTY, None, None


class Wall:
    """Boxes numbered from 1, given by their sizes."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self.boxes: Dict[int, Box] = {n: Box(n, size) for n, size in enumerate(sizes, start=1)}

    def reserve(self, size: int, code: str) -> int:
        """Takes the smallest empty box that fits, the lowest number among equals."""
        fitting = [b for b in self.boxes.values() if b.state is State.EMPTY and b.size >= size]
        if not fitting:
            raise Refused("no empty box of size {}".format(size))
        box = min(fitting, key=lambda b: (b.size, b.number))
        box.reserve(code)
        return box.number

    def tick(self, now: datetime) -> List[Notice]:
        notices = [box.tick(now) for box in self.boxes.values()]
        return [notice for notice in notices if notice is not None]

    def occupancy(self) -> Dict[str, int]:
        """How many boxes are in each state, states without boxes left out."""
        counts: Dict[str, int] = {}
        for box in self.boxes.values():
            counts[box.state.value] = counts.get(box.state.value, 0) + 1
        return counts
