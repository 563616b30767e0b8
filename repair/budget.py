"""How much work one attempt may do."""

from __future__ import annotations

import time
from typing import Final, final

TIMES_WALL: Final = 10
LEAST_WALL_SECONDS: Final = 20.0


@final
class Budget:
    """CPU seconds, of the thread that makes it and ``elsewhere``, and a number of candidates.

    CPU time rather than the clock, so that a busy machine finds the same patches; behind it stands a loose limit by the
    clock, for programs that sleep. Whoever works adds to ``tried`` and to ``elsewhere``, the CPU seconds of other
    processes.
    """

    def __init__(self, seconds: float, candidates: int) -> None:
        self.tried = 0
        self.elsewhere = 0.0
        self._seconds = seconds
        self._candidates = candidates
        self._started = time.thread_time()
        self._latest = time.monotonic() + LEAST_WALL_SECONDS + TIMES_WALL * seconds

    @property
    def left(self) -> int:
        """How many candidates may still be tried."""
        return max(0, self._candidates - self.tried)

    @property
    def exhausted(self) -> str | None:
        """Return which limit is reached, or ``None``."""
        if self.tried >= self._candidates:
            return "candidates"
        if time.thread_time() - self._started + self.elsewhere >= self._seconds:
            return "seconds"
        return "wall seconds" if time.monotonic() >= self._latest else None
