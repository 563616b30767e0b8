"""Hashes of all windows of a length in a sequence, at the speed of array arithmetic.

A window's hash is a polynomial modulo 2**64 in an odd base, which is invertible there: so one running sum over the
sequence gives them all.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
_BASE: Final = 0x9E3779B97F4A7C15
_INVERSE: Final = pow(_BASE, -1, 1 << 64)
_MIX: Final = np.uint64(0xD6E8FEB86659FD93)


def stretch_hashes(values: Hashes, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> Hashes:
    """Return the hash of ``values[start:end]`` for each pair; equal stretches have equal hashes wherever they stand."""
    size = len(values)
    forward, backward = _powers(_INVERSE, _room(size)), _powers(_BASE, _room(size))
    sums = np.zeros(size + 1, dtype=np.uint64)
    np.cumsum((values + np.uint64(1)) * forward[:size], out=sums[1:])
    hashes: Hashes = (sums[ends] - sums[starts]) * backward[starts]
    return (hashes ^ (hashes >> np.uint64(32))) * _MIX


def window_hashes(values: Hashes, length: int) -> Hashes:
    """Return the hash of each window of so many values; none where there are fewer."""
    count = max(0, len(values) - length + 1)
    starts = np.arange(count, dtype=np.int64)
    return stretch_hashes(values, starts, starts + length)


@lru_cache(maxsize=4)
def _powers(base: int, count: int) -> Hashes:
    """The powers of a base modulo 2**64, from the 0th."""
    powers = np.full(count, base, dtype=np.uint64)
    powers[0] = 1
    return np.cumprod(powers, dtype=np.uint64)


def _room(size: int) -> int:
    """A power of two with room for so many, and one more: few different tables are made."""
    return 1 << max(12, size.bit_length())


class Index:
    """A set of hashes that can be asked for many at once."""

    def __init__(self, hashes: Hashes) -> None:
        self.known = np.unique(hashes)
        bits = min(27, max(16, (64 * max(1, len(self.known))).bit_length()))
        self._shift = np.uint64(64 - bits)
        self._table = np.zeros(1 << bits, dtype=np.bool_)
        self._table[self.known >> self._shift] = True

    def find(self, hashes: Hashes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the positions in ``hashes`` of those that are known, and which of ``known`` each is."""
        likely = np.flatnonzero(self._table[hashes >> self._shift])
        if not len(likely):
            return likely, likely
        places = np.searchsorted(self.known, hashes[likely])
        places[places == len(self.known)] = 0
        same = self.known[places] == hashes[likely]
        return likely[same], places[same]
