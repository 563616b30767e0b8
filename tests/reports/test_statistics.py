from __future__ import annotations

import random
from itertools import combinations

import pytest

from mendlab.errors import InputError
from mendlab.reports.statistics import TaskCount, estimate_pass_at_k, pass_at_k, wilson


@pytest.mark.parametrize("samples", range(13))
def test_pass_at_k_equals_exhaustive_enumeration(samples):
    for successes in range(samples + 1):
        outcomes = [True] * successes + [False] * (samples - successes)
        for k in range(1, samples + 1):
            draws = list(combinations(outcomes, k))
            assert pass_at_k(samples, successes, k) == pytest.approx(sum(map(any, draws)) / len(draws), abs=1e-12)


def test_pass_at_k_is_undefined_with_fewer_samples_than_k():
    assert pass_at_k(4, 4, 5) is None
    assert pass_at_k(0, 0, 1) is None


def test_pass_at_k_is_stable_with_many_samples():
    assert pass_at_k(100_000, 1, 100) == pytest.approx(0.001, rel=1e-9)
    assert pass_at_k(10_000, 5_000, 5_000) == 1.0


@pytest.mark.parametrize(("samples", "successes", "k"), [(3, 4, 1), (3, -1, 1), (3, 1, 0)])
def test_what_is_no_count_is_refused(samples, successes, k):
    with pytest.raises(InputError, match="no meaning"):
        pass_at_k(samples, successes, k)


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


def test_cluster_t_is_the_t_interval_of_the_means_where_tasks_are_alike():
    # Means 0, 0.5, 1: mean 0.5, standard error 0.5/sqrt(3), t(0.975, 2) = 4.302653.
    estimate = estimate_pass_at_k(counts((2, 0), (2, 1), (2, 2), (2, 1)))
    reach = 3.182446 * (1 / 6) ** 0.5 / 2
    assert estimate.method == "cluster_t"
    assert (estimate.low, estimate.high) == pytest.approx((max(0, 0.5 - reach), min(1, 0.5 + reach)), abs=1e-6)


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
    assert estimate.low == pytest.approx(wilson(20, 20)[0])


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
