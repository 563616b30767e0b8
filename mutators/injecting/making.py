"""What injection is told, what it gives, and the tasks in the making between."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from mendlab.corpora.tree import FileTree
from mendlab.errors import InputError
from mendlab.mutators.choosing.preference import Chooser, Detected, Preference
from mendlab.mutators.injecting.higher_order import HIGHEST_ORDER, Across
from mendlab.records import GRADES, Difficulty, DropReason, Grade, Task
from mendlab.verify.detection.baseline import task_limits
from mendlab.verify.tasks import make_task

Grader = Callable[[Task, FileTree, FileTree], Difficulty]

OVERSAMPLE: Final = 4
"""Of how many detected defects one becomes a task, where some are preferred and nothing else is said."""
TRIES: Final = 200
"""How many candidates are tried for each task of higher order, where nothing else is said."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Which mutants are tried, and when it is enough.

    Attributes:
        seed: of every choice.
        operators: names of operators and families; ``None`` for all.
        strategy: in which order mutants come (:data:`mendlab.mutators.choosing.sampling.STRATEGIES`).
        limit: most tasks in all.
        per_function: most tasks in each function.
        prefer: which of the detected defects become tasks (:class:`Chooser`).
        oversample: of how many detected defects in a row one is taken.
        orders: how many mutants make one defect; where several are named, as many tasks of each.
        across: where the parts of a defect may stand (:func:`mendlab.mutators.injecting.higher_order.fits`).
        tries: most candidates that the tests are run on for each task that is wanted, where these are of higher order
            or of a mix of grades.
        mix: how many tasks of each grade are wanted; ``limit`` is their sum.
        grade: grades a task, given its good and its buggy tree; there is one where there is a mix.
    """

    seed: int = 0
    operators: tuple[str, ...] | None = None
    strategy: str = "uniform"
    limit: int | None = None
    per_function: int | None = None
    prefer: Preference = "any"
    oversample: int = 1
    orders: tuple[int, ...] = (1,)
    across: Across = "any"
    tries: int = TRIES
    mix: tuple[tuple[Grade, int], ...] = ()
    grade: Grader | None = None


MOST_TASKS: Final = 1_000_000
"""So many a mix may ask for: more is a slip, and nothing that could be made."""


def orders_of(text: str) -> tuple[int, ...]:
    """Return the orders that a text names: ``2``, ``1,3`` or ``1-3``.

    Raises:
        InputError: it names none, or one that there is not.
    """
    found: set[int] = set()
    for item in text.split(","):
        low, dash, high = item.strip().partition("-")
        if not low.isdecimal() or not (high.isdecimal() if dash else True):
            raise InputError(f"{text!r} names no orders", hint="give 1, 2, 3, or a mix as 1-3 or 1,2")
        found.update(range(int(low), int(high or low) + 1))
    if not found or min(found) < 1 or max(found) > HIGHEST_ORDER:
        raise InputError(f"defects of order {text!r} are not made", hint=f"orders go from 1 to {HIGHEST_ORDER}")
    return tuple(sorted(found))


def mix_of(text: str, limit: int | None) -> tuple[tuple[Grade, int], ...]:
    """Return the mix of grades that a text names: ``hard``, of which ``limit`` are wanted, or ``easy:50,hard:20``.

    Raises:
        InputError: it names none, or no number is given, or another one than the limit.
    """
    hint = "give easy, medium or hard, or a mix as easy:50,medium:100,hard:50"
    mix: dict[Grade, int] = {}
    for item in text.split(","):
        name, colon, count = item.strip().partition(":")
        grade = next((known for known in GRADES if known == name), None)
        if grade is None or grade in mix or (colon and not count.isdecimal()):
            raise InputError(f"{text!r} names no difficulties", hint=hint)
        if not colon and (limit is None or "," in text):
            raise InputError(f"how many {name} tasks are wanted is not said", hint=f"add --limit, or give {name}:50")
        mix[grade] = _number(count) if colon else limit or 0
    total = sum(mix.values())
    if not total or (limit is not None and total != limit):
        raise InputError(f"the mix {text!r} has {total} tasks", hint="leave --limit out, or give the same number")
    if total > MOST_TASKS:
        raise InputError("the mix has more tasks than can be made", hint=f"ask for {MOST_TASKS:,} at most")
    return tuple(mix.items())


def _number(digits: str) -> int:
    """What digits say; of very many no more than that it is too much."""
    return int(digits[:20])


@dataclass(frozen=True, slots=True)
class Injected:
    """The tasks made, and how many mutants came to nothing, by reason."""

    tasks: tuple[Task, ...]
    dropped: dict[str, int]


class Making:
    """The tasks made so far, and the detected defects that may yet become some.

    ``detected`` is how many defects were detected in all, to be counted by whoever offers them.
    """

    def __init__(self, choice: Choice) -> None:
        self.tasks: list[Task] = []
        self.detected = 0
        self.set_aside: list[Detected] = []
        self._choice = choice
        self._chooser = Chooser(choice.prefer)
        self._full: Counter[object] = Counter()
        self._wanted = dict(choice.mix)
        self._graded: dict[str, Difficulty] = {}

    @property
    def missing(self) -> int | None:
        """How many tasks are wanted still; None: as many as there are."""
        return None if self._choice.limit is None else self._choice.limit - len(self.tasks)

    def has_enough_at(self, place: object) -> bool:
        """Whether a function has as many tasks as it may have."""
        return self._choice.per_function is not None and self._full[place] >= self._choice.per_function

    def take_one(self, offers: Sequence[Detected]) -> Detected | None:
        """Make a task of one of the offers, if a function of theirs may have one; the others are set aside.

        What is of a grade of which there are enough is not: it never will be a task.
        """
        if self.missing == 0:
            self.set_aside += offers
            return None
        open_ = (offer for offer in offers if not self.has_enough_at(offer.place) and self._is_wanted(offer))
        some = list(islice(open_, 1) if self._choice.prefer == "any" else open_)  # grading takes a while
        chosen = self._chooser.choose(some) if some else None
        self.set_aside += [offer for offer in offers if offer is not chosen and not self._is_refused(offer)]
        if chosen is not None:
            self._full[chosen.place] += 1
            task = self._task(chosen)
            if task.difficulty is not None:
                self._wanted[task.difficulty.grade] -= 1
            self.tasks.append(task)
        return chosen

    def _is_wanted(self, offer: Detected) -> bool:
        """Whether a task of its grade is wanted still; each is graded once."""
        if not self._choice.mix:
            return True
        difficulty = self._task(offer).difficulty
        return difficulty is not None and self._wanted.get(difficulty.grade, 0) > 0

    def _is_refused(self, offer: Detected) -> bool:
        """Whether it is known to be of a grade of which there are enough."""
        difficulty = self._graded.get(offer.candidate.id)
        return difficulty is not None and self._wanted.get(difficulty.grade, 0) <= 0

    def _task(self, offer: Detected) -> Task:
        limits, seed = task_limits(offer.baseline), self._choice.seed
        task = make_task(offer.candidate, offer.detection, limits, hold_out=True, seed=seed)
        if self._choice.grade is None:
            return task
        if task.id not in self._graded:
            self._graded[task.id] = self._choice.grade(task, offer.candidate.loaded.tree, offer.candidate.buggy)
        return task.model_copy(update={"difficulty": self._graded[task.id]})

    def fill(self) -> None:
        """Make tasks of what was set aside, until there are enough or nothing is left that may be one."""
        while self.missing != 0 and self.set_aside:
            offers, self.set_aside = self.set_aside, []
            if self.take_one(offers) is None:
                break

    def not_chosen(self) -> dict[str, int]:
        """Return how many detected defects were not made tasks, as a reason for dropping."""
        others = self.detected - len(self.tasks)
        return {DropReason.NOT_CHOSEN.value: others} if others else {}
