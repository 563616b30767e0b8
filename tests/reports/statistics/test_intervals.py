from __future__ import annotations

import random

import numpy as np
import pytest

from mendlab.reports.statistics import TaskCount, estimate_pass_at_k, mean_estimate, wilson
from mendlab.reports.statistics.clusters import Clusters
from mendlab.reports.statistics.intervals import limits, score_interval, t_quantile


def test_wilson_is_the_published_interval():
    # Newcombe 1998, table I: 81 of 263, Wilson score method without continuity correction.
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(0, 20)[0] == 0.0
    assert wilson(0, 20)[1] > 0.1


def counts(*pairs, weight=1.0, subjects=None):
    return [
        TaskCount(f"t{i}", (subjects or {}).get(i, f"s{i}"), samples, successes, weight)
        for i, (samples, successes) in enumerate(pairs)
    ]


def test_one_sample_a_task_has_wilsons_interval():
    estimate = estimate_pass_at_k(counts(*[(1, 1)] * 34, *[(1, 0)] * 26))
    assert (estimate.value, estimate.low, estimate.high) == (34 / 60, *wilson(34, 60))
    assert (estimate.method, estimate.tasks) == ("wilson", 60)


def test_pass_at_k_is_taken_by_task_and_then_averaged():
    estimate = estimate_pass_at_k(counts((4, 4), (4, 0), (4, 1)), k=2)
    assert estimate.value == pytest.approx((1 + 0 + 0.5) / 3)


def test_one_sample_a_task_is_clustered_where_tasks_share_a_subject():
    estimate = estimate_pass_at_k(counts(*[(1, 1), (1, 0)] * 20, subjects={i: f"s{i // 4}" for i in range(40)}))
    assert (estimate.value, estimate.method, estimate.clusters) == (0.5, "cluster_t", 10)


def test_the_interval_is_wilsons_at_the_effective_number_of_draws():
    # Sixteen clusters of one task, means 0, 0.5, 1, 0.5 in turn: the mean's variance is s^2/n = (2/15)/16, which is
    # that of 30 coin tosses; 15 effective successes outweigh the prior draw (one of a whole task) 15 to 1.
    estimate = estimate_pass_at_k(counts(*[(2, 0), (2, 1), (2, 2), (2, 1)] * 4))
    draws = 16 / ((15 * 16 / 30 + 1) / 16)
    assert (estimate.low, estimate.high) == pytest.approx(score_interval(0.5, draws, t_quantile(15)))


@pytest.mark.parametrize("rho", [0.0, 0.3, 1.0])
def test_degrees_of_freedom_are_those_of_the_whole_matrix(rho):
    sizes = np.array([1, 2, 2, 5, 9])
    clusters = [name for name, size in enumerate(sizes) for _ in range(size)]
    found = Clusters.of([0.0] * len(clusters), [1.0] * len(clusters), clusters).degrees_of_freedom(rho)
    shares = sizes / sizes.sum()
    corrected = np.diag((1 - shares) ** -0.5) @ (np.eye(5) - np.outer(shares, np.ones(5)))
    covariance = corrected @ np.diag(sizes * (1 - rho + rho * sizes)) @ corrected.T
    assert found == pytest.approx(np.trace(covariance) ** 2 / (covariance**2).sum())


def test_clusters_of_one_size_have_their_number_less_one_degrees_of_freedom():
    summed = Clusters.of([0.0] * 24, [1.0] * 24, [place // 4 for place in range(24)])
    assert summed.degrees_of_freedom(0.2) == pytest.approx(5)
    assert Clusters.of([1, 0, 1, 0], [1.0] * 4, [0, 0, 1, 1]).variance == 0.0


def test_unequal_clusters_widen_the_interval():
    values = [1.0, 0.0] * 20
    equal = mean_estimate(values, [1.0] * 40, [place // 4 for place in range(40)])
    unequal = mean_estimate(values, [1.0] * 40, [0] * 20 + list(range(1, 11)) * 2)
    assert unequal.high - unequal.low > equal.high - equal.low


def test_tasks_of_one_subject_count_as_one_cluster():
    alone = estimate_pass_at_k(counts(*[(2, 2), (2, 0)] * 10))
    paired = estimate_pass_at_k(
        counts(*[(2, 2), (2, 2), (2, 0), (2, 0)] * 5, subjects={i: f"s{i // 2}" for i in range(20)})
    )
    assert (alone.value, alone.clusters) == (0.5, 20)
    assert (paired.value, paired.clusters) == (0.5, 10)
    assert paired.high - paired.low > alone.high - alone.low


def test_tasks_are_the_clusters_where_all_are_of_one_subject():
    estimate = estimate_pass_at_k(counts((2, 1), (2, 2), (2, 0), subjects=dict.fromkeys(range(3), "s")))
    assert (estimate.method, estimate.clusters) == ("cluster_t", 3)


def test_clusters_that_all_agree_still_leave_doubt():
    estimate = estimate_pass_at_k(counts(*[(5, 5)] * 20))
    assert (estimate.value, estimate.high) == (1.0, 1.0)
    assert estimate.low == pytest.approx(score_interval(1.0, 20, t_quantile(19))[0])


def test_programs_that_all_agree_leave_more_doubt_than_tasks():
    programs = estimate_pass_at_k(counts(*[(1, 0)] * 100, subjects={i: f"s{i // 10}" for i in range(100)}))
    tasks = estimate_pass_at_k(counts(*[(1, 0)] * 100))
    assert (programs.low, tasks.low) == (0.0, 0.0)
    assert programs.high > tasks.high


def test_weights_count():
    heavy = TaskCount("heavy", "a", 1, 1, weight=3.0)
    light = TaskCount("light", "b", 1, 0, weight=1.0)
    void = TaskCount("void", "c", 1, 0, weight=0.0)
    estimate = estimate_pass_at_k([heavy, light, void])
    assert (estimate.value, estimate.tasks, estimate.method) == (0.75, 2, "cluster_t")


def test_tasks_with_too_few_samples_are_left_out_and_counted():
    estimate = estimate_pass_at_k(counts((5, 5), (2, 0)), k=5)
    assert (estimate.value, estimate.tasks) == (1.0, 1)


def test_nothing_is_undefined():
    for nothing in ([], counts((2, 1))):
        estimate = estimate_pass_at_k(nothing, k=3)
        assert (estimate.value, estimate.low, estimate.high, estimate.method) == (None, None, None, "undefined")


def test_one_task_with_several_samples_has_a_rate_and_no_interval():
    estimate = estimate_pass_at_k(counts((4, 2)))
    assert (estimate.value, estimate.low, estimate.high, estimate.method) == (0.5, None, None, "undefined")


def test_of_rates_that_cannot_be_missed_on_the_other_side_one_tail_is_asked():
    quantiles = t_quantile(1e9), t_quantile(1e9, 0.95)
    both, one = (score_interval(0.06, 60, quantile)[0] for quantile in quantiles)
    assert both < one < 0.03  # a true rate below half of the mean: a mean below 0 would be as far
    low, high = limits(0.06, 60, 1e9)
    assert (low, high) == pytest.approx((one, score_interval(0.06, 60, quantiles[0])[1]))
    assert limits(0.94, 60, 1e9) == pytest.approx((1 - high, 1 - low))
    between = score_interval(0.2, 30, quantiles[0])[0], score_interval(0.2, 30, quantiles[1])[0]
    assert between[0] < limits(0.2, 30, 1e9)[0] == 0.1 < between[1]
    few = score_interval(0.03, 60, quantiles[0])[0]
    assert limits(0.03, 60, 1e9)[0] == few  # fewer than two successes say too little


@pytest.mark.slow
@pytest.mark.parametrize("rate", [0.03, 0.97])
def test_few_programs_with_hardly_a_success_are_covered_and_not_much_more(rate):
    chance = np.random.default_rng(3)
    hits = 0
    for _ in range(800):
        programs = chance.beta(rate * 4, (1 - rate) * 4, 8).repeat(25)
        found = mean_estimate(chance.binomial(3, programs) / 3, [1.0] * 200, list(np.arange(8).repeat(25)))
        hits += found.low <= rate <= found.high
    assert 0.935 <= hits / 800 <= 0.975


@pytest.mark.slow
@pytest.mark.parametrize(("tasks", "samples"), [(60, 1), (60, 4), (200, 5)])
def test_intervals_cover_what_they_claim(tasks, samples):
    """Tasks of uneven difficulty, at several samples alike within a subject: about 95 of 100 hold the true rate."""
    chance = random.Random(11)
    hits, rounds = 0, 600
    for _ in range(rounds):
        alike = 1 if samples == 1 else 2
        rates = [chance.betavariate(1.2, 0.8) for _ in range(tasks // alike)]
        drawn = [(samples, sum(chance.random() < rates[i // alike] for _ in range(samples))) for i in range(tasks)]
        subjects = {i: f"s{i // alike}" for i in range(tasks)}
        estimate = estimate_pass_at_k(counts(*drawn, subjects=subjects))
        hits += estimate.low <= 0.6 <= estimate.high
    assert 0.92 <= hits / rounds <= 0.98
