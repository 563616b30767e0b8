"""A folder of what a check has found to hold, written while it is found, so that a kill costs no more than a task.

``build.json`` says what decides the outcome, ``proved.jsonl`` has the tasks that hold, ``besieged.jsonl`` what came of
the attacks on those that withstood them. What does not hold is looked at again.
"""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Final, Self

from mendlab.corpora.building import begin_in_place
from mendlab.corpora.journal import Journal
from mendlab.records import BuildConfig
from mendlab.verify.attacks.gate import Besieged
from mendlab.verify.check import Proved

PROVED: Final = "proved.jsonl"
BESIEGED: Final = "besieged.jsonl"


class CheckFolder:
    """What is known so far; used in a ``with`` block. Threads may add at once.

    Raises:
        OutputError: something else is there, another check writes there, or it cannot be written.
        InputError: it was begun with other settings.
    """

    def __init__(self, out: Path, config: BuildConfig) -> None:
        begin_in_place(out, config)
        self._proved = Journal(out / PROVED, Proved)
        self._besieged = Journal(out / BESIEGED, Besieged)
        self._proved.claim()
        self.proved = tuple(self._proved.read())
        self.besieged = {found.task: found for found in self._besieged.read()}

    def add_proved(self, proved: Proved) -> None:
        """Keep what was found of tasks; it is on the disk when this returns."""
        self._proved.append(proved)

    def add_besieged(self, besieged: Besieged) -> None:
        """Keep what came of the attacks on a task; it is on the disk when this returns."""
        self._besieged.append(besieged)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._proved.close()
        self._besieged.close()
