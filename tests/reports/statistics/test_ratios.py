from __future__ import annotations

import random
import statistics

import pytest

from mendlab.reports.statistics.bootstrap import cluster_bootstrap
from mendlab.reports.statistics.ratios import Ratio, ratio


def test_a_ratio_is_of_the_sums():
    found = ratio([1.0, 3.0, 2.0], [1, 0, 1], "abc")
    assert found.value == 3.0
    assert 0 < found.low < 3.0 < found.high


def test_what_has_no_divisor_has_no_ratio_and_one_cluster_no_interval():
    assert ratio([1.0, 2.0], [0, 0], "ab") == Ratio(None, None, None)
    assert ratio([1.0, 2.0], [1, 1], "aa") == Ratio(1.5, None, None)
    assert ratio([0.0, 0.0], [1, 1], "ab") == Ratio(0.0, None, None)


def test_what_is_always_the_same_is_certain():
    found = ratio([2.0] * 10, [1.0] * 10, range(10))
    assert (found.low, found.high) == pytest.approx((2.0, 2.0))


@pytest.mark.slow
def test_ratio_intervals_cover_what_they_claim():
    chance = random.Random(3)
    hits = 0
    for _ in range(600):
        above = [chance.expovariate(0.5) for _ in range(120)]
        below = [float(chance.random() < 0.4) for _ in range(120)]
        found = ratio(above, below, range(120))
        hits += found.low <= 5.0 <= found.high
    assert 0.92 <= hits / 600 <= 0.98


def test_the_bootstrap_draws_clusters():
    chance = random.Random(5)
    values = [chance.gauss(0, 1) for _ in range(60)]

    def median(drawn):
        return statistics.median(values[place] for place in drawn)

    alone = cluster_bootstrap(median, range(60), resamples=400)
    together = cluster_bootstrap(median, [place // 10 for place in range(60)], resamples=400)
    assert alone[0] < statistics.median(values) < alone[1]
    assert together != alone
    assert cluster_bootstrap(median, range(60), resamples=400) == alone
    assert cluster_bootstrap(median, ["one"] * 60) is None
