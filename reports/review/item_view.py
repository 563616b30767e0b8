"""What the review page shows of one attempt: the three programs beside each other, and the machine's evidence."""

from __future__ import annotations

from dataclasses import dataclass

from mendlab.corpora.diffs import apply_diff
from mendlab.corpora.taskset import TaskSet
from mendlab.corpora.tree import FileTree
from mendlab.errors import MendlabError
from mendlab.records import Outcome
from mendlab.reports.attempt_view import AttemptView, attempt_view
from mendlab.reports.review.queue import Waiting, Why
from mendlab.reports.review.side_by_side import FileRows, side_by_side
from mendlab.reports.text import Trimmed, trim


@dataclass(frozen=True, slots=True)
class ItemView:
    """One attempt to decide on. Where its patch was never applied, there is nothing to put beside the others."""

    task_id: str
    why: Why
    outcome: Outcome | None
    statement: Trimmed
    against_defect: tuple[FileRows, ...]
    against_reference: tuple[FileRows, ...]
    applied: bool
    attempt: AttemptView


def item_view(waiting: Waiting, taskset: TaskSet) -> ItemView:
    """Return the view of an attempt.

    Raises:
        MendlabError: the task set lacks the task's trees, or is damaged.
    """
    judged = waiting.judged
    buggy, good = taskset.buggy_tree(judged.task), taskset.good_tree(judged.task)
    patched = _patched(buggy, judged.verdict.canonical_patch if judged.verdict else None)
    return ItemView(
        task_id=judged.task.id,
        why=waiting.why,
        outcome=judged.outcome,
        statement=trim(judged.task.statement, lines=80),
        against_defect=() if patched is None else side_by_side(buggy, patched),
        against_reference=() if patched is None else side_by_side(good, patched),
        applied=patched is not None,
        attempt=attempt_view(judged, "", str(taskset.path)),
    )


def _patched(buggy: FileTree, patch: str | None) -> FileTree | None:
    if patch is None:
        return None
    try:
        return apply_diff(buggy, patch)
    except MendlabError:
        return None  # a verdict from elsewhere, whose patch does not fit this tree: the page shows it as text
