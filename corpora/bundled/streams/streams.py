"""Lazy building blocks for event streams: batches, sessions, merging, peeking and resampling."""

import heapq
from collections import deque

_NOTHING = object()


def batches(items, size, weight=None):
    """Yields lists whose items weigh at most ``size`` together; a heavier single item goes alone."""
    if size < 1:
        raise ValueError("size must be positive")
    batch, load = [], 0
    for item in items:
        cost = 1 if weight is None else weight(item)
        if batch and load + cost > size:
            yield batch
            batch, load = [], 0
        batch.append(item)
        load += cost
    if batch:
        yield batch


def sessions(times, gap):
    """Yields (first, last, count) for runs of rising times with pauses of at most ``gap`` between them."""
    first = last = None
    count = 0
    for time in times:
        if count and time < last:
            raise ValueError("times go back from {} to {}".format(last, time))
        if count and time - last > gap:
            yield first, last, count
            count = 0
        if count == 0:
            first = time
        last = time
        count += 1
    if count:
        yield first, last, count


def merge_streams(streams, key=None):
    """Merges sorted streams given by name; yields (name, item), earlier names first among equals."""
    heap = []
    for order, (name, stream) in enumerate(streams.items()):
        iterator = iter(stream)
        for item in iterator:
            heap.append((key(item) if key else item, order, name, item, iterator))
            break
    heapq.heapify(heap)
    while heap:
        _, order, name, item, iterator = heap[0]
        yield name, item
        following = next(iterator, _NOTHING)
        if following is _NOTHING:
            heapq.heappop(heap)
        else:
            heapq.heapreplace(heap, (key(following) if key else following, order, name, following, iterator))


def without_repeats(items, within):
    """Leaves out each item equal to one of the ``within`` items kept just before it."""
    recent = deque(maxlen=within)
    for item in items:
        if item not in recent:
            recent.append(item)
            yield item


def steps(samples, every):
    """Resamples (time, value) pairs to multiples of ``every``: each tick holds the last value at or before it."""
    tick = value = None
    for time, new_value in samples:
        if tick is None:
            tick = -(-time // every) * every
        while tick < time:
            yield tick, value
            tick += every
        value = new_value
    if tick is not None and tick == time:
        yield tick, value


class Peekable:
    """An iterator that can look ahead and take items back."""

    def __init__(self, items):
        self._iterator = iter(items)
        self._ahead = deque()

    def __iter__(self):
        return self

    def __next__(self):
        if self._ahead:
            return self._ahead.popleft()
        return next(self._iterator)

    def peek(self, distance=0, default=None):
        """The item ``distance`` places ahead, or the default where the stream is over."""
        while len(self._ahead) <= distance:
            item = next(self._iterator, _NOTHING)
            if item is _NOTHING:
                return default
            self._ahead.append(item)
        return self._ahead[distance]

    def push_back(self, item):
        self._ahead.appendleft(item)

    def take_while(self, wanted):
        """Yields items as long as ``wanted`` holds; the first other item stays in the stream."""
        for item in self:
            if not wanted(item):
                self.push_back(item)
                return
            yield item


def running_totals():
    """A coroutine: send numbers, get (count, total, largest) so far; ``None`` starts over."""
    count, total, largest = 0, 0, None
    while True:
        number = yield count, total, largest
        if number is None:
            count, total, largest = 0, 0, None
            continue
        count += 1
        total += number
        largest = number if largest is None or number > largest else largest
