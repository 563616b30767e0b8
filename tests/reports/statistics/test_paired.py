from __future__ import annotations

import random
from math import comb

import pytest

from mendlab.reports.statistics.paired import difference, holm, mcnemar, sign_flip


def test_mcnemar_is_the_binomial_test_of_the_discordant():
    # Both tails of 2 of 12 by hand.
    assert mcnemar(2, 10) == pytest.approx(2 * sum(comb(12, k) for k in range(3)) / 2**12)
    assert mcnemar(0, 0) == 1.0


def test_few_clusters_are_flipped_exactly():
    # Of the 2^3 signs of 1, 2 and 3 only two have a sum as far from 0 as 6.
    assert sign_flip([1, 2, 1, 2], "abcc") == pytest.approx(2 / 8)
    assert sign_flip([0.0, 0.0], "ab") == 1.0
    assert sign_flip([1.0, 1.0], "aa") == 1.0


def test_holm_is_his_example():
    # Holm 1979 in the form of Wright 1992: the smallest by 4, the next by 3 and so on, never less than before.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []


def test_the_test_fits_what_was_drawn():
    ones, zeros = [1.0] * 40, [0.0] * 40
    assert difference(ones, zeros, range(40)).test == "mcnemar"
    assert difference(ones, zeros, [place // 2 for place in range(40)]).test == "sign_flip"
    assert difference([0.5] * 40, zeros, range(40)).test == "sign_flip"


def test_a_difference_is_of_the_same_tasks():
    found = difference([1, 1, 0, 1, 0, 1] * 10, [1, 0, 1, 0, 0, 0] * 10, range(60))
    assert (found.value, found.only_first, found.only_second) == (pytest.approx(1 / 3), 30, 10)
    assert found.low < 1 / 3 < found.high
    assert found.p_value == mcnemar(30, 10)


def test_no_difference_still_leaves_doubt():
    found = difference([1.0] * 50, [1.0] * 50, range(50))
    assert (found.value, found.p_value) == (0.0, 1.0)
    assert found.low < 0 < found.high
    assert found.smallest > 0.02


def test_more_tasks_show_smaller_differences():
    few, many = (difference([1.0, 0.0] * n, [0.0, 1.0] * n, range(2 * n)).smallest for n in (20, 200))
    assert few > 2.5 * many


def test_one_cluster_has_a_difference_and_no_interval():
    found = difference([1.0], [0.0], ["a"])
    assert (found.value, found.low, found.smallest) == (1.0, None, None)


@pytest.mark.slow
def test_the_smallest_difference_is_shown_in_four_of_five_cases():
    chance = random.Random(2)
    runs = [
        difference(*zip(*[_tasks(chance, 0.165, 0.06) for _ in range(150)], strict=True), range(150))
        for _ in range(400)
    ]
    told = sum(run.smallest for run in runs) / len(runs)
    assert told == pytest.approx(0.105, abs=0.01)  # what these tasks really differ by
    assert 0.7 <= sum(run.p_value < 0.05 for run in runs) / len(runs) <= 0.88


def _tasks(chance, ahead, behind):
    draw = chance.random()
    return (1.0, 0.0) if draw < ahead else (0.0, 1.0) if draw < ahead + behind else (0.0, 0.0)
