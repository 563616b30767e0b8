"""What a report is made from: runs, and the tasks they were made on, joined attempt by attempt."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from mendlab.corpora.contamination.records import Contamination
from mendlab.errors import InputError
from mendlab.records import Attempt, Grades, Manifest, Outcome, Review, RunConfig, Task, Verdict
from mendlab.reports.review.decisions import standing
from mendlab.verify.patches import LENIENT

BASELINES: Final = frozenset({"noop", "reference", "search"})


@dataclass(frozen=True, slots=True)
class RunData:
    """One run, as its directory holds it. ``named_baseline`` is set where the reader wants it beside the others."""

    config: RunConfig
    attempts: Sequence[Attempt]
    verdicts: Sequence[Verdict]
    named_baseline: bool = False
    reviews: Sequence[Review] = ()

    @property
    def is_baseline(self) -> bool:
        """Whether it stands beside the others to compare with: named so, or of a strategy that is one."""
        return self.named_baseline or self.config.strategy in BASELINES


@dataclass(frozen=True, slots=True)
class Material:
    """Everything a report draws on. ``taskset_path`` is only for the commands that the report shows.

    Where the set is graded, its tasks have their difficulty, and ``grades`` says how well that agrees with solvers.
    Where signs of ``contamination`` were looked for, its tasks have their marks.
    """

    runs: tuple[RunData, ...]
    tasks: tuple[Task, ...]
    manifest: Manifest | None = None
    taskset_path: str = "TASKSET"
    grades: Grades | None = None
    contamination: Contamination | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """One sample of one task: the attempt and its verdict, either of which may not be there yet.

    ``reviews`` has the decision of each person who looked at it.
    """

    task: Task
    sample: int
    attempt: Attempt | None
    verdict: Verdict | None
    reviews: tuple[Review, ...] = ()

    @property
    def outcome(self) -> Outcome | None:
        """The verdict's outcome; ``None`` where there is no verdict."""
        return None if self.verdict is None else self.verdict.outcome

    @property
    def safely_applied(self) -> bool:
        """Whether no lenient rung was needed to apply the patch; only then does it count as a success."""
        return self.verdict is not None and self.verdict.apply_rung not in LENIENT

    def counts_as(self, success: Collection[Outcome]) -> bool:
        """Whether its outcome is one of these, reached without a lenient rung."""
        return self.outcome in success and self.safely_applied


def join(run: RunData, tasks: Sequence[Task]) -> tuple[Judged, ...]:
    """Return the samples of a run in the order of the tasks. A sample judged twice keeps its last verdict.

    Raises:
        InputError: the run has a task that is not in the task set.
    """
    by_id = {task.id: task for task in tasks}
    attempts = {(attempt.task_id, attempt.sample): attempt for attempt in run.attempts}
    verdicts = {(verdict.task_id, verdict.sample): verdict for verdict in run.verdicts}
    keys = attempts.keys() | verdicts.keys()
    strangers = sorted({task_id for task_id, _ in keys} - by_id.keys())
    if strangers:
        raise InputError(
            f"run {run.config.run_id!r} has task {strangers[0]!r}, which is not in the task set",
            hint=f"name the set that the run was made on: {run.config.taskset}",
        )
    place = {task.id: index for index, task in enumerate(tasks)}
    ordered = sorted(keys, key=lambda key: (place[key[0]], key[1]))
    reviews: dict[tuple[str, int], list[Review]] = {}
    for review in standing(run.reviews).values():
        reviews.setdefault((review.task_id, review.sample), []).append(review)
    return tuple(
        Judged(by_id[key[0]], key[1], attempts.get(key), verdicts.get(key), tuple(reviews.get(key, ())))
        for key in ordered
    )
