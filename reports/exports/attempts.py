"""The attempts of a run with their verdicts, for exporters: every sample that was to be made, in order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mendlab.records import Attempt, Verdict
from mendlab.repair.runs import Run


@dataclass(frozen=True, slots=True)
class Judgement:
    """One sample of one task: what was answered, and the verdict, if there are."""

    task_id: str
    sample: int
    attempt: Attempt | None
    verdict: Verdict | None

    @property
    def model(self) -> str | None:
        """The model that answered, or else the one that was asked for."""
        return None if self.attempt is None else self.attempt.model_answered or self.attempt.model_requested


def judgements(run: Run) -> Iterator[Judgement]:
    """Yield the samples of a run for which there is an attempt or a verdict, by task and sample."""
    attempts = {(each.task_id, each.sample): each for each in run.attempts()}
    verdicts = {(each.task_id, each.sample): each for each in run.verdicts()}
    for task_id, sample in dict.fromkeys([*attempts, *verdicts]):
        key = (task_id, sample)
        yield Judgement(task_id, sample, attempts.get(key), verdicts.get(key))
