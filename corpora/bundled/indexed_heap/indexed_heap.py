"""A binary heap whose items can be looked up, re-prioritised and removed, and an agenda built on it."""

from __future__ import annotations

from typing import Generic, Hashable, Iterator, TypeVar

K = TypeVar("K", bound=Hashable)


class IndexedHeap(Generic[K]):
    """Keys with priorities, the smallest first; keys of equal priority leave in the order they came."""

    def __init__(self) -> None:
        self._entries: list[tuple[float, int, K]] = []
        self._places: dict[K, int] = {}
        self._arrivals = 0

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, key: K) -> bool:
        return key in self._places

    def __getitem__(self, key: K) -> float:
        return self._entries[self._places[key]][0]

    def push(self, key: K, priority: float) -> None:
        """Adds a key, or changes the priority of one that is there (its place in line stays)."""
        if key in self._places:
            place = self._places[key]
            _, arrival, _ = self._entries[place]
            self._entries[place] = (priority, arrival, key)
        else:
            place = len(self._entries)
            self._entries.append((priority, self._arrivals, key))
            self._places[key] = place
            self._arrivals += 1
        self._settle(place)

    def peek(self) -> tuple[K, float]:
        if not self._entries:
            raise IndexError("the heap is empty")
        priority, _, key = self._entries[0]
        return key, priority

    def pop(self) -> tuple[K, float]:
        key, priority = self.peek()
        self.remove(key)
        return key, priority

    def remove(self, key: K) -> float:
        """Takes a key out from anywhere and returns its priority."""
        place = self._places.pop(key)
        priority = self._entries[place][0]
        last = self._entries.pop()
        if place < len(self._entries):
            self._entries[place] = last
            self._places[last[2]] = place
            self._settle(place)
        return priority

    def drain(self) -> Iterator[K]:
        while self._entries:
            yield self.pop()[0]

    def _settle(self, place: int) -> None:
        self._sink(self._rise(place))

    def _before(self, a: int, b: int) -> bool:
        return self._entries[a][:2] < self._entries[b][:2]

    def _rise(self, place: int) -> int:
        while place > 0:
            parent = (place - 1) // 2
            if not self._before(place, parent):
                break
            self._swap(place, parent)
            place = parent
        return place

    def _sink(self, place: int) -> None:
        while True:
            smallest = place
            for child in (2 * place + 1, 2 * place + 2):
                if child < len(self._entries) and self._before(child, smallest):
                    smallest = child
            if smallest == place:
                return
            self._swap(place, smallest)
            place = smallest

    def _swap(self, a: int, b: int) -> None:
        entries = self._entries
        entries[a], entries[b] = entries[b], entries[a]
        self._places[entries[a][2]] = a
        self._places[entries[b][2]] = b


class Agenda:
    """Jobs by due time on a clock that only moves forward; repeating jobs come back by themselves."""

    def __init__(self, now: float = 0) -> None:
        self.now = now
        self._heap: IndexedHeap[str] = IndexedHeap()
        self._every: dict[str, float] = {}

    def at(self, due: float, job: str, every: float = 0) -> None:
        """Plans a job, in place of an earlier plan for it; ``every`` above 0 repeats it."""
        if due < self.now:
            raise ValueError(f"{job} is due in the past")
        self._heap.push(job, due)
        self._every[job] = every

    def cancel(self, job: str) -> bool:
        if job not in self._heap:
            return False
        self._heap.remove(job)
        return True

    def snooze(self, job: str, delay: float) -> float:
        """Puts a job off and returns when it is due then."""
        due = self._heap[job] + delay
        self._heap.push(job, due)
        return due

    def advance(self, until: float) -> list[tuple[float, str]]:
        """Moves the clock and returns what fell due on the way, ``until`` included, as (time, job)."""
        fired = []
        while len(self._heap) and self._heap.peek()[1] <= until:
            job, due = self._heap.pop()
            fired.append((due, job))
            if self._every[job] > 0:
                self._heap.push(job, due + self._every[job])
        self.now = max(self.now, until)
        return fired
