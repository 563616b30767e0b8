"""What injection is told, what it gives, and the tasks in the making between."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mendlab.errors import InputError
from mendlab.mutators.choosing.preference import Chooser, Detected, Preference
from mendlab.mutators.injecting.higher_order import HIGHEST_ORDER, Across
from mendlab.records import DropReason, Task
from mendlab.verify.detection.baseline import task_limits
from mendlab.verify.tasks import make_task

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
        tries: most candidates of higher order that the tests are run on, for each task that is wanted.
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

    @property
    def missing(self) -> int | None:
        """How many tasks are wanted still; None: as many as there are."""
        return None if self._choice.limit is None else self._choice.limit - len(self.tasks)

    def has_enough_at(self, place: object) -> bool:
        """Whether a function has as many tasks as it may have."""
        return self._choice.per_function is not None and self._full[place] >= self._choice.per_function

    def take_one(self, offers: Sequence[Detected]) -> Detected | None:
        """Make a task of one of the offers, if a function of theirs may have one; the others are set aside."""
        open_ = [offer for offer in offers if not self.has_enough_at(offer.place)]
        chosen = self._chooser.choose(open_) if open_ and self.missing != 0 else None
        self.set_aside += [offer for offer in offers if offer is not chosen]
        if chosen is not None:
            self._full[chosen.place] += 1
            limits = task_limits(chosen.baseline)
            seed = self._choice.seed
            self.tasks.append(make_task(chosen.candidate, chosen.detection, limits, hold_out=True, seed=seed))
        return chosen

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
