"""The tape: every answer of a model, on the disk before it is used, and found again by the call that it was given to.

What an agent's tools answered lies beside it, since it decides what the model was asked next.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, final

from mendlab.corpora.natural import natural_key
from mendlab.errors import InputError
from mendlab.records import AgentStep, ModelAnswer
from mendlab.repair.models.recorded import Recorded

ANSWERS_FILE: Final = "answers.jsonl"
TRAJECTORY_FILE: Final = "trajectory.jsonl"


@final
class Tape:
    """The answers in a run's folder, and those of another run, ``replayed``, if there is one. Threads may use it.

    An answer is that to the ``call``-th call of a sample of a task, with a request of the same digest; so is a step.
    """

    def __init__(self, run: Path, replayed: Path | None = None) -> None:
        if replayed is not None and not (replayed / ANSWERS_FILE).is_file():
            hint = "name the folder of a run that a model made"
            raise InputError(f"there is no {ANSWERS_FILE} to replay", where=replayed, hint=hint)
        self.run = run
        self.replayed = replayed
        self._answers = Recorded(run, ANSWERS_FILE, ModelAnswer, _call, replayed)
        self._steps = Recorded(run, TRAJECTORY_FILE, AgentStep, _step, replayed)

    @property
    def spent(self) -> float:
        """What the answers of this run cost, as far as it is known."""
        return sum(answer.cost_usd or 0.0 for answer in self._answers.own)

    @property
    def rejected(self) -> frozenset[str]:
        """The names of parameters that the model has refused."""
        return frozenset(name for answer in self._answers.own for name in answer.rejected)

    def find(self, task_id: str, sample: int, call: int, request: str) -> ModelAnswer | None:
        """Return the answer to a call; one that is replayed is then this run's too."""
        return self._answers.find((task_id, sample, call, request))

    def add(self, answer: ModelAnswer) -> None:
        """Bring an answer to the disk; errors as :meth:`Journal.append`."""
        self._answers.add(answer)

    def find_step(self, task_id: str, sample: int, step: int, request: str) -> AgentStep | None:
        """Return the step that followed an answer, as :meth:`find` does."""
        return self._steps.find((task_id, sample, step, request))

    def add_step(self, step: AgentStep) -> None:
        """Bring a step to the disk; errors as :meth:`Journal.append`."""
        self._steps.add(step)

    def finalise(self) -> None:
        """Put the answers and the steps in order."""
        self._answers.finalise(lambda answer: _place(*_call(answer)))
        self._steps.finalise(lambda step: _place(*_step(step)))

    def close(self) -> None:
        """Let others append."""
        self._answers.close()
        self._steps.close()


_Key = tuple[str, int, int, str]


def _call(answer: ModelAnswer) -> _Key:
    return answer.task_id, answer.sample, answer.call, answer.request


def _step(step: AgentStep) -> _Key:
    return step.task_id, step.sample, step.step, step.request


def _place(task_id: str, *rest: object) -> Any:
    return natural_key(task_id), *rest
