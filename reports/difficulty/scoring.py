"""A score out of features alone: how they are weighed where no runs say better.

The weights were set by hand, before any run, by what each feature takes of whoever repairs: how much has to be found
out, how much has to be written, and how little the tests tell. No outcome had a part in them.
"""

from __future__ import annotations

import math
from typing import Final

from mendlab.corpora.tree import FileTree
from mendlab.records import Difficulty, Grade, Task
from mendlab.reports.difficulty.features import Features, features

EASY_BELOW, HARD_FROM = 1 / 3, 2 / 3

WEIGHTS: Final[dict[str, tuple[float, float, float]]] = {
    # name: (weight, value that counts as 0, value that counts as 1)
    "search_rank": (2.0, 0.5, 3.0),
    "order": (1.5, 1.0, 3.0),
    "edits": (1.0, 1.0, 4.0),
    "files": (1.0, 1.0, 2.0),
    "tokens_added": (1.0, 0.0, 3.0),
    "tokens_new": (1.0, 0.0, 1.5),
    "tokens_removed": (0.25, 0.0, 3.0),
    "kind": (1.0, 0.2, 1.0),
    "tests_passing": (0.5, 0.0, 1.0),
    "tests_failing": (-0.25, 0.0, 4.0),
    "shows_as_value": (0.25, 0.0, 1.0),
    "suspects": (0.5, 2.0, 7.0),
    "call_distance": (0.5, 0.0, 4.0),
    "lines": (0.5, 1.5, 5.0),
    "complexity": (0.5, 0.7, 3.5),
    "nesting": (0.25, 0.0, 4.0),
    "infected": (0.25, 0.0, 1.0),
}
MIDDLE, STEEPNESS = 2.2, 1.6
"""The weighed sum that counts as medium, and how fast the score moves with it."""


def weighed(found: Features) -> float:
    """Return the weighed sum of the features, each between 0 and 1; larger is harder."""
    return math.fsum(
        weight * min(1.0, max(0.0, (found.get(name, low) - low) / (high - low)))
        for name, (weight, low, high) in WEIGHTS.items()
    )


def by_features(found: Features) -> Difficulty:
    """Return the difficulty that features alone give."""
    return difficulty(1 / (1 + math.exp(-STEEPNESS * (weighed(found) - MIDDLE))), found)


def grade_of(task: Task, good: FileTree, buggy: FileTree) -> Difficulty:
    """Return the difficulty of one task by its features alone."""
    return by_features(features(task, good, buggy))


def difficulty(score: float, found: Features) -> Difficulty:
    """Return the difficulty for a score: easy below a third, hard from two thirds."""
    grade: Grade = "easy" if score < EASY_BELOW else "hard" if score >= HARD_FROM else "medium"
    return Difficulty(grade=grade, score=round(score, 4), features={k: round(v, 4) for k, v in found.items()})
