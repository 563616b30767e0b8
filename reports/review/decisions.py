"""What people decide, on disk: ``reviews.jsonl`` in the run's folder, which only grows."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal

from mendlab.corpora.journal import Journal
from mendlab.errors import InputError, OutputError
from mendlab.records import Review

REVIEWS_FILE: Final = "reviews.jsonl"
PATIENCE_SECONDS: Final = 5.0

Decision = Literal["accept", "reject", "unsure"]
Key = tuple[str, int]


class Decisions:
    """The decisions on one run. Reviewers may work at once: a line takes the file for as long as it is written."""

    def __init__(self, run: Path) -> None:
        self.path = run / REVIEWS_FILE
        self._lock = threading.Lock()
        if self.path.is_symlink():
            raise InputError("is a link, and decisions stay in the run's folder", where=self.path, hint="remove it")

    def read(self) -> list[Review]:
        """Return every line, in the order in which they were written; errors as :meth:`Journal.read`."""
        return Journal(self.path, Review).read()

    def decide(self, reviewer: str, key: Key, decision: Decision, note: str) -> None:
        """Bring a decision to the disk, unless it is the one that stands: saying it twice changes nothing.

        Raises:
            OutputError: it cannot be written.
        """
        with self._lock:
            stands = standing(self.read()).get((reviewer, *key))
            if stands is None or (stands.decision, stands.note) != (decision, note):
                self._append(_line(reviewer, key, decision, note))

    def undo(self, reviewer: str) -> Key | None:
        """Take back the reviewer's last decision that stands, and return what it was on; errors as :meth:`decide`."""
        with self._lock:
            last = last_standing(self.read(), reviewer)
            if last is None:
                return None
            key = (last.task_id, last.sample)
            self._append(_line(reviewer, key, None, ""))
            return key

    def _append(self, review: Review) -> None:
        until = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                with Journal(self.path, Review) as journal:
                    journal.append(review)
                return
            except OutputError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.05)


def standing(reviews: Iterable[Review]) -> dict[tuple[str, str, int], Review]:
    """Return the decision that stands of each reviewer on each attempt, in the order in which they were made."""
    return {key: stack[-1] for key, stack in _stacks(reviews).items() if stack}


def last_standing(reviews: Iterable[Review], reviewer: str) -> Review | None:
    """Return the latest decision of a reviewer that was not taken back."""
    mine = [stack[-1] for (name, *_), stack in _stacks(reviews).items() if name == reviewer and stack]
    return mine[-1] if mine else None


def _stacks(reviews: Iterable[Review]) -> dict[tuple[str, str, int], list[Review]]:
    """Return the decisions on each attempt that were not taken back; the one decided last comes last."""
    numbered: dict[tuple[str, str, int], list[tuple[int, Review]]] = {}
    for number, review in enumerate(reviews):
        stack = numbered.setdefault((review.reviewer, review.task_id, review.sample), [])
        if review.decision is not None:
            stack.append((number, review))
        elif stack:
            stack.pop()
    ordered = sorted(numbered.items(), key=lambda item: item[1][-1][0] if item[1] else -1)
    return {key: [review for _, review in stack] for key, stack in ordered}


def _line(reviewer: str, key: Key, decision: Decision | None, note: str) -> Review:
    at = datetime.now(UTC).isoformat(timespec="seconds")
    return Review(task_id=key[0], sample=key[1], decision=decision, reviewer=reviewer, at=at, note=note)
