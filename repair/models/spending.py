"""The budget in money: reserved before a call, settled after it, both on the disk at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final, final

from mendlab.corpora.journal import Journal
from mendlab.errors import ModelError
from mendlab.records import Charge

LEDGER_FILE: Final = "spending.jsonl"


@final
class Spending:
    """How much may be spent, and has been, in US dollars. Threads may use it at once.

    What is reserved counts as spent until it is settled, so that more than the limit is spent only by what calls under
    way cost beyond their estimates. A call whose cost is not known is held to have cost what was reserved, and so is
    one that was under way when the run was killed: the ledger in the ``run`` folder has it. ``known`` is what answers
    cost of which the ledger does not know.
    """

    def __init__(self, limit: float | None = None, run: Path | None = None, known: float = 0.0) -> None:
        self._limit = limit
        self._ledger = Journal(run / LEDGER_FILE, Charge) if run is not None else None
        charged = sum(charge.usd for charge in self._ledger.read()) if self._ledger is not None else 0.0
        self._spent = max(charged, known)
        self._under_way = 0
        self._changed = threading.Condition()

    @property
    def spent(self) -> float:
        """What is spent, or set aside."""
        return self._spent

    @property
    def room(self) -> float | None:
        """What may still be spent, if there is a limit."""
        return None if self._limit is None else self._limit - self._spent

    def reserve(self, amount: float, stopped: Callable[[], bool] = lambda: False) -> None:
        """Set ``amount`` aside, waiting for calls under way where only what they may cost is in the way.

        Raises:
            ModelError: it is more than is left.
            KeyboardInterrupt: ``stopped`` says so.
            OutputError: the ledger cannot be written.
        """
        with self._changed:
            while self._limit is not None and self._spent + amount > self._limit:
                if stopped():
                    raise KeyboardInterrupt
                if self._under_way <= 0:
                    raise ModelError(
                        f"of ${self._limit:g} ${self._spent:.4f} is spent, and the next call may cost ${amount:.4f}",
                        hint="what is done is kept: give a larger --max-cost to go on from here",
                    )
                self._changed.wait(0.2)
            self._under_way += 1
            self._spent += amount
        self._write(amount)

    def settle(self, reserved: float, cost: float | None) -> None:
        """Put what a call cost in the place of what was set aside for it, now or before the run was resumed."""
        change = 0.0 if cost is None else cost - reserved
        with self._changed:
            self._under_way = max(0, self._under_way - 1)
            self._spent += change
            self._changed.notify_all()
        self._write(change)

    def close(self) -> None:
        """Let others write the ledger."""
        if self._ledger is not None:
            self._ledger.close()

    def _write(self, amount: float) -> None:
        if self._ledger is not None and amount:
            self._ledger.append(Charge(usd=amount))
