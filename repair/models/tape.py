"""The tape: every answer of a run, on the disk before it is used, and found again by the call that it was given to."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Final, final

from mendlab.corpora.journal import Journal
from mendlab.corpora.natural import natural_key
from mendlab.errors import InputError
from mendlab.records import ModelAnswer

ANSWERS_FILE: Final = "answers.jsonl"


@final
class Tape:
    """The answers in a run's folder, and those of another run, ``replayed``, if there is one. Threads may use it.

    An answer is that to the ``call``-th call of a sample of a task, with a request of the same digest.
    """

    def __init__(self, run: Path, replayed: Path | None = None) -> None:
        self._journal = Journal(run / ANSWERS_FILE, ModelAnswer)
        self._lock = threading.Lock()
        self._answers = {_key(answer): answer for answer in self._journal.read()}
        self.replayed = replayed
        self._others: dict[tuple[str, int, int, str], ModelAnswer] = {}
        if replayed is not None:
            source = Journal(replayed / ANSWERS_FILE, ModelAnswer)
            if not source.path.is_file():
                hint = "name the folder of a run that a model made"
                raise InputError(f"there is no {ANSWERS_FILE} to replay", where=replayed, hint=hint)
            self._others = {_key(answer): answer for answer in source.read()}

    @property
    def spent(self) -> float:
        """What the answers of this run cost, as far as it is known."""
        return sum(answer.cost_usd or 0.0 for answer in self._answers.values())

    @property
    def rejected(self) -> frozenset[str]:
        """The names of parameters that the model has refused."""
        return frozenset(name for answer in self._answers.values() for name in answer.rejected)

    def find(self, task_id: str, sample: int, call: int, request: str) -> ModelAnswer | None:
        """Return the answer to a call; one that is replayed is then this run's too."""
        key = (task_id, sample, call, request)
        with self._lock:
            found = self._answers.get(key)
        if found is None and (found := self._others.get(key)) is not None:
            self.add(found)
        return found

    def add(self, answer: ModelAnswer) -> None:
        """Bring an answer to the disk; errors as :meth:`Journal.append`."""
        self._journal.append(answer)
        with self._lock:
            self._answers[_key(answer)] = answer

    def finalise(self) -> None:
        """Put the answers in order."""
        if self._answers:
            self._journal.rewrite(sorted(self._answers.values(), key=_place))

    def close(self) -> None:
        """Let others append."""
        self._journal.close()


def _key(answer: ModelAnswer) -> tuple[str, int, int, str]:
    return answer.task_id, answer.sample, answer.call, answer.request


def _place(answer: ModelAnswer) -> tuple[object, int, int, str]:
    return natural_key(answer.task_id), answer.sample, answer.call, answer.request
