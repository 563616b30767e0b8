"""One reviewer's work on one run: the queue, what was decided, and what is shown of each attempt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mendlab.corpora.taskset import TaskSet
from mendlab.reports.outcomes import WORDS
from mendlab.reports.review.decisions import Decision, Decisions, Key, last_standing, standing
from mendlab.reports.review.item_view import item_view
from mendlab.reports.review.queue import Waiting
from mendlab.reports.templating import macro
from mendlab.reports.text import visible


@dataclass(frozen=True, slots=True)
class Desk:
    """What the page asks for and says. Other reviewers' decisions are not shown: each decides alone."""

    run_id: str
    reviewer: str
    queue: tuple[Waiting, ...]
    decisions: Decisions
    taskset: TaskSet

    def state(self) -> dict[str, Any]:
        """Return the queue with the reviewer's decisions, as they are on the disk now."""
        reviews = self.decisions.read()
        stands = standing(reviews)
        mine = [stands.get((self.reviewer, *waiting.key)) for waiting in self.queue]
        return {
            "run": visible(self.run_id),
            "reviewer": visible(self.reviewer),
            "canUndo": last_standing(reviews, self.reviewer) is not None,
            "items": [
                {**_facts(waiting), "decision": review and review.decision, "note": review.note if review else ""}
                for waiting, review in zip(self.queue, mine, strict=True)
            ],
        }

    def item(self, number: int) -> str:
        """Return the markup of one attempt of the queue.

        Raises:
            MendlabError: the task set does not have it, or is damaged.
        """
        return str(macro("review_item.html.j2", "item")(item_view(self.queue[number], self.taskset)))

    def decide(self, key: Key, decision: Decision, note: str) -> bool:
        """Bring a decision to the disk, and say whether the attempt is in the queue at all."""
        if all(waiting.key != key for waiting in self.queue):
            return False
        self.decisions.decide(self.reviewer, key, decision, note)
        return True

    def undo(self) -> Key | None:
        """Take back the last decision, and return what it was on."""
        return self.decisions.undo(self.reviewer)

    def decided(self) -> int:
        """Return how many attempts of the queue have a decision of this reviewer."""
        stands = standing(self.decisions.read())
        return sum((self.reviewer, *waiting.key) in stands for waiting in self.queue)


def _facts(waiting: Waiting) -> dict[str, Any]:
    outcome = waiting.judged.outcome
    words = WORDS[outcome] if outcome else None
    title, sample = visible(waiting.judged.task.id), waiting.judged.sample
    return {
        "task": waiting.judged.task.id,
        "title": f"{title}, sample {sample}" if sample else title,
        "sample": sample,
        "why": waiting.why,
        "outcome": words.label if words else "not judged",
        "tone": words.tone if words else "unusable",
    }
