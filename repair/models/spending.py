"""The budget in money: reserved before a call, settled after it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import final

from mendlab.errors import ModelError


@final
class Spending:
    """How much may be spent, and has been, in US dollars. Threads may use it at once.

    What is reserved counts as spent until it is settled, so that more than the limit is spent only by what calls under
    way cost beyond their estimates. A call whose cost is not known is held to have cost what was reserved.
    """

    def __init__(self, limit: float | None = None, spent: float = 0.0) -> None:
        self._limit = limit
        self._spent = spent
        self._reserved = 0.0
        self._changed = threading.Condition()

    @property
    def spent(self) -> float:
        """What is settled."""
        return self._spent

    def reserve(self, amount: float, stopped: Callable[[], bool] = lambda: False) -> None:
        """Set ``amount`` aside, waiting for calls under way where only what they may cost is in the way.

        Raises:
            ModelError: it is more than is left.
            KeyboardInterrupt: ``stopped`` says so.
        """
        if self._limit is None:
            return
        with self._changed:
            while self._spent + self._reserved + amount > self._limit:
                if stopped():
                    raise KeyboardInterrupt
                if self._reserved <= 0:
                    raise ModelError(
                        f"of ${self._limit:g} ${self._spent:.4f} is spent, and the next call may cost ${amount:.4f}",
                        hint="what is done is kept: give a larger --max-cost to go on from here",
                    )
                self._changed.wait(0.2)
            self._reserved += amount

    def settle(self, reserved: float, cost: float | None) -> None:
        """Put what a call cost in the place of what was set aside for it."""
        if self._limit is None:
            return
        with self._changed:
            self._reserved = max(0.0, self._reserved - reserved)
            if self._reserved < 1e-9:
                self._reserved = 0.0
            self._spent += reserved if cost is None else cost
            self._changed.notify_all()
