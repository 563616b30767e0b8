"""A cache of pages with a size budget, expiry by an injected clock and least-recently-used eviction."""

import functools
import time
from collections import OrderedDict


class Stats:
    """Counts of what the cache did."""

    def __init__(self):
        self.hits = self.misses = self.evicted = self.expired = 0

    @property
    def ratio(self):
        """Hits among all look-ups, 0.0 before the first."""
        asked = self.hits + self.misses
        return self.hits / asked if asked else 0.0


class Entry:
    __slots__ = ("value", "size", "expires")

    def __init__(self, value, size, expires):
        self.value = value
        self.size = size
        self.expires = expires


class PageCache:
    """Holds values whose sizes sum to at most ``capacity``.

    A value lives ``ttl`` seconds from when it was put, or for ever when that is None. Pinned
    keys are never evicted, but they expire.
    """

    def __init__(self, capacity, ttl=None, clock=time.monotonic, size_of=len):
        self.capacity = capacity
        self.ttl = ttl
        self.used = 0
        self.stats = Stats()
        self._clock = clock
        self._size_of = size_of
        self._entries = OrderedDict()
        self._pinned = set()

    def __len__(self):
        self.sweep()
        return len(self._entries)

    def keys(self):
        """Keys from the one that would be evicted first to the most recently used."""
        return list(self._entries)

    def get(self, key, default=None):
        entry = self._entries.get(key)
        if entry is not None and self._is_over(entry):
            self._drop(key)
            self.stats.expired += 1
            entry = None
        if entry is None:
            self.stats.misses += 1
            return default
        self.stats.hits += 1
        self._entries.move_to_end(key)
        return entry.value

    def put(self, key, value, ttl=None):
        """Stores a value and evicts others for it; False when it is too large to be kept at all."""
        size = self._size_of(value)
        self.discard(key)
        self.sweep()
        if not self._make_room(size):
            return False
        life = self.ttl if ttl is None else ttl
        expires = None if life is None else self._clock() + life
        self._entries[key] = Entry(value, size, expires)
        self.used += size
        return True

    def _make_room(self, size):
        unpinned = [key for key in self._entries if key not in self._pinned]
        fixed = self.used - sum(self._entries[key].size for key in unpinned)
        if fixed + size > self.capacity:
            return False
        for key in unpinned:
            if self.used + size <= self.capacity:
                break
            self._drop(key)
            self.stats.evicted += 1
        return True

    def pin(self, key):
        if key not in self._entries:
            raise KeyError(key)
        self._pinned.add(key)

    def unpin(self, key):
        self._pinned.discard(key)

    def discard(self, key):
        """Whether there was such a key; its pin goes with it."""
        if key not in self._entries:
            return False
        self._drop(key)
        return True

    def sweep(self):
        """Drops everything that has expired and returns how many entries that was."""
        over = [key for key, entry in self._entries.items() if self._is_over(entry)]
        for key in over:
            self._drop(key)
        self.stats.expired += len(over)
        return len(over)

    def _is_over(self, entry):
        return entry.expires is not None and self._clock() >= entry.expires

    def _drop(self, key):
        self.used -= self._entries.pop(key).size
        self._pinned.discard(key)


def cached(cache, key=None):
    """Answers repeated calls from a cache; ``key`` makes the cache key from the arguments."""

    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            wanted = key(*args, **kwargs) if key else (args, tuple(sorted(kwargs.items())))
            found = cache.get(wanted, wrapper)
            if found is wrapper:
                found = function(*args, **kwargs)
                cache.put(wanted, found)
            return found

        return wrapper

    return decorate
