"""What intervals.py draws and counts."""

from __future__ import annotations

import math

import numpy as np
import pytest
from covering.drawing import KINDS, Cell, draw, subjects, task_variance
from covering.methods import METHODS
from covering.ranks import rank_coverage
from intervals import coverage, difference_coverage, exact

from mendlab.reports.statistics import mean_estimate, wilson


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("tasks", [50, 100, 1000])
def test_all_tasks_have_a_subject(kind: str, tasks: int) -> None:
    assert sum(subjects(kind, tasks)) == tasks
    assert min(subjects(kind, tasks)) >= 1


def test_what_is_drawn_has_the_rate_and_the_likeness() -> None:
    cell = Cell("many", 1000, 1, 0.3, 0.2)
    values, _ = draw(cell, np.random.default_rng(1), 60)
    assert values.mean() == pytest.approx(0.3, abs=0.01)
    pairs = values.reshape(60, -1, 5)
    both = np.corrcoef(pairs[:, :, 0].ravel(), pairs[:, :, 1].ravel())[0, 1]
    assert both == pytest.approx(0.2, abs=0.03)
    several = draw(Cell("many", 1000, 10, 0.3, 0.2), np.random.default_rng(1), 60)[0]
    assert several.var() / 0.21 == pytest.approx(task_variance(Cell("many", 1000, 10, 0.3, 0.2)), abs=0.02)


@pytest.mark.parametrize("cell", [Cell("unequal", 100, 3, 0.03, 0.2), Cell("few", 50, 1, 0.97, 0.05)])
def test_many_draws_at_once_have_the_intervals_of_reports(cell: Cell) -> None:
    values, subject = draw(cell, np.random.default_rng(4), 12)
    low, high = METHODS["mendlab"](values, subject, cell)
    for at, row in enumerate(values):
        found = mean_estimate(row, [1.0] * cell.tasks, subject.tolist())
        assert (found.low, found.high) == pytest.approx((low[at], high[at]))


def test_where_outcomes_can_be_summed_they_are() -> None:
    cell = Cell("none", 50, 1, 0.03, 0.0)
    by_hand = sum(math.comb(50, x) * 0.03**x * 0.97 ** (50 - x) for x in range(51) if _holds(x, 50, 0.03))
    assert exact(cell) == coverage(cell, METHODS, 10, seed=1)["mendlab"] == pytest.approx(by_hand)


def _holds(successes: int, total: int, rate: float) -> bool:
    low, high = wilson(successes, total)
    return low <= rate <= high


def test_the_methods_differ_as_they_should() -> None:
    found = coverage(Cell("few", 100, 3, 0.5, 0.2), METHODS, 150, seed=2)
    assert found["naive Wilson"] < 0.7 < 0.88 < found["mendlab"]


def test_the_bootstrap_of_ranks_is_held_to_a_correlation_that_is_known() -> None:
    assert rank_coverage("many", 100, 0.5, 40, seed=1) >= 0.8


def test_equal_repairers_are_seldom_told_apart() -> None:
    found = difference_coverage(Cell("none", 60, 1, 0.5, 0.0), 60, seed=3)
    assert found["told apart"] <= 0.1
    assert found["interval"] >= 0.88
