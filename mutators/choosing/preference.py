"""The choice among defects that the tests detect, by how many of the tests do."""

from __future__ import annotations

import statistics
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from mendlab.corpora.candidates import Candidate
from mendlab.records import Baseline, Detection, Task

Preference = Literal["any", "hard", "spread"]
PREFERENCES: Final[tuple[Preference, ...]] = ("any", "hard", "spread")

BANDS: Final = (0.1, 0.25, 0.5, 0.75, 1.0)
"""Upper ends of the bands of the kill fraction over which ``spread`` spreads."""


@dataclass(frozen=True, slots=True)
class Detected:
    """A candidate that the tests of its program detect."""

    candidate: Candidate
    detection: Detection
    baseline: Baseline

    @property
    def killers(self) -> frozenset[str]:
        """The tests that fail on it."""
        return frozenset(self.detection.fail_to_pass)

    @property
    def kill_fraction(self) -> float:
        """The share of the program's passing tests that fail on it: above 0, at most 1."""
        return len(self.detection.fail_to_pass) / len(self.baseline.passing)

    @property
    def place(self) -> tuple[object, ...]:
        """The function that is changed (:func:`place_in`)."""
        return place_in(self.candidate)


def place_in(candidate: Candidate) -> tuple[object, ...]:
    """Return what ``per_function`` counts by: the function that is changed, or all of them together."""
    defect = candidate.defect
    functions = dict.fromkeys((part.file, part.function) for part in defect.parts)
    return (candidate.loaded.subject.id, *(functions or [(defect.files[0], defect.function)]))


class Chooser:
    """Takes one of several detected defects at a time: the same ones for the same offers in the same order.

    ``any`` takes the first. ``hard`` takes the one with the smallest kill fraction. ``spread`` takes the one from the
    band of kill fractions (:data:`BANDS`) from which least was taken so far. The first of equals is taken.
    """

    def __init__(self, preference: Preference) -> None:
        self._preference = preference
        self._taken: Counter[int] = Counter()

    def choose(self, offers: Sequence[Detected]) -> Detected:
        """Return one of the offers, of which there is at least one."""
        match self._preference:
            case "any":
                chosen = offers[0]
            case "hard":
                chosen = min(offers, key=lambda offer: offer.kill_fraction)
            case "spread":
                chosen = min(offers, key=lambda offer: self._taken[band(offer.kill_fraction)])
        self._taken[band(chosen.kill_fraction)] += 1
        return chosen


def band(kill_fraction: float) -> int:
    """Return the index in :data:`BANDS` of the band in which a kill fraction lies."""
    return bisect_left(BANDS, kill_fraction)


def median_kill_fraction(tasks: Sequence[Task]) -> float | None:
    """Return the median share of the passing tests that fail on a task's defect, or None without tasks."""
    fractions = [len(task.fail_to_pass) / (len(task.fail_to_pass) + len(task.pass_to_pass)) for task in tasks]
    return statistics.median(fractions) if fractions else None
