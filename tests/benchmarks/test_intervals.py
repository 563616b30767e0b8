"""What intervals.py draws and counts."""

from __future__ import annotations

import numpy as np
import pytest
from covering.drawing import KINDS, Cell, draw, subjects
from covering.methods import METHODS
from intervals import coverage, difference_coverage


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("tasks", [50, 100, 1000])
def test_all_tasks_have_a_subject(kind: str, tasks: int) -> None:
    assert sum(subjects(kind, tasks)) == tasks
    assert min(subjects(kind, tasks)) >= 1


def test_what_is_drawn_has_the_rate_and_the_likeness() -> None:
    chance = np.random.default_rng(1)
    drawn = [draw(Cell("many", 1000, 1, 0.3, 0.2), chance) for _ in range(60)]
    values = np.array([value for value, _ in drawn])
    assert values.mean() == pytest.approx(0.3, abs=0.01)
    pairs = values.reshape(60, -1, 5)
    both = np.corrcoef(pairs[:, :, 0].ravel(), pairs[:, :, 1].ravel())[0, 1]
    assert both == pytest.approx(0.2, abs=0.03)


def test_the_methods_differ_as_they_should() -> None:
    found = coverage(Cell("few", 100, 3, 0.5, 0.2), METHODS, 150, seed=2)
    assert found["Wilson over samples"] < 0.7 < 0.88 < found["mendlab"]


def test_equal_repairers_are_seldom_told_apart() -> None:
    found = difference_coverage(Cell("none", 60, 1, 0.5, 0.0), 60, seed=3)
    assert found["told apart"] <= 0.1
    assert found["interval"] >= 0.88
