from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import spearmanr

from mendlab.reports.difficulty.agreeing import spearman
from mendlab.reports.difficulty.rasch import fit


def drawn(solvers=8, tasks=300, seed=3, own=1.0):
    """Solvers and tasks whose difficulty is twice their first feature and something of their own."""
    chance = np.random.default_rng(seed)
    rows = chance.normal(size=(tasks, 2))
    difficulty = 2 * rows[:, 0] + own * chance.normal(size=tasks)
    ability = np.linspace(-1.5, 1.5, solvers)
    won = (chance.random((solvers, tasks)) < expit(ability[:, None] - difficulty[None, :])).astype(float)
    return rows, difficulty, ability, won


def test_what_was_put_in_is_found():
    rows, difficulty, ability, won = drawn()
    model = fit(rows, won, np.ones_like(won))
    assert model.weights[0] == pytest.approx(2, abs=0.4)
    assert abs(model.weights[1]) < 0.4
    assert spearmanr(model.abilities, ability)[0] > 0.95
    assert spearmanr(model.difficulty(rows, model.rests), difficulty)[0] > 0.9
    assert spearmanr(model.difficulty(rows), difficulty)[0] > 0.8


def test_the_slope_is_at_its_end():
    """At the largest density the score of each solver is what its prior takes back (Rasch's sufficient statistic)."""
    rows, _, _, won = drawn(tasks=80)
    model = fit(rows, won, np.ones_like(won))
    expected = expit(model.abilities[:, None] - model.difficulty(rows, model.rests)[None, :])
    assert (won - expected).sum(axis=1) == pytest.approx(model.abilities / 3.0**2, abs=0.01)


def test_tasks_that_nobody_or_everybody_mends_are_finite_and_at_the_ends():
    rows, _, _, won = drawn(tasks=60, own=0)
    won[:, 0], won[:, 1] = 0, 1
    rows[:2] = 0
    model = fit(rows, won, np.ones_like(won))
    hard, easy = model.difficulty(rows, model.rests)[:2]
    assert hard > easy + 2
    assert np.isfinite([hard, easy]).all()


def test_few_solvers_leave_tasks_nothing_of_their_own():
    rows, _, _, won = drawn(solvers=2)
    model = fit(rows, won, np.ones_like(won))
    assert not model.rests.any()
    assert 0 < model.failing(model.difficulty(rows)).min() < model.failing(model.difficulty(rows)).max() < 1


def test_what_was_never_tried_says_nothing():
    rows, _, _, won = drawn(tasks=100)
    samples = np.ones_like(won)
    won[:, 50:], samples[:, 50:] = 0, 0
    assert fit(rows, won, samples).rests[50:] == pytest.approx(0, abs=0.02)


def test_a_constant_feature_does_no_harm():
    rows, _, _, won = drawn(tasks=50)
    assert np.isfinite(fit(np.column_stack([rows, np.ones(50)]), won, np.ones_like(won)).weights).all()


def test_spearman_is_scipys():
    chance = np.random.default_rng(1)
    one, other = chance.integers(0, 5, 40), chance.integers(0, 5, 40)
    assert spearman(one, other) == pytest.approx(spearmanr(one, other)[0])
    assert spearman(one, [1] * 40) is None
