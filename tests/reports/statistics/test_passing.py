from __future__ import annotations

from itertools import combinations

import pytest

from mendlab.errors import InputError
from mendlab.reports.statistics import TaskCount, estimate_pass_hat_k, pass_at_k, pass_hat_k


@pytest.mark.parametrize("samples", range(13))
def test_both_equal_exhaustive_enumeration(samples):
    for successes in range(samples + 1):
        outcomes = [True] * successes + [False] * (samples - successes)
        for k in range(1, samples + 1):
            draws = list(combinations(outcomes, k))
            assert pass_at_k(samples, successes, k) == pytest.approx(sum(map(any, draws)) / len(draws), abs=1e-12)
            assert pass_hat_k(samples, successes, k) == pytest.approx(sum(map(all, draws)) / len(draws), abs=1e-12)


@pytest.mark.parametrize("chance", [pass_at_k, pass_hat_k])
def test_they_are_undefined_with_fewer_samples_than_k(chance):
    assert chance(4, 4, 5) is None
    assert chance(0, 0, 1) is None


def test_they_are_stable_with_many_samples():
    assert pass_at_k(100_000, 1, 100) == pytest.approx(0.001, rel=1e-9)
    assert pass_at_k(10_000, 5_000, 5_000) == 1.0
    assert pass_hat_k(100_000, 99_999, 100) == pytest.approx(0.999, rel=1e-9)


@pytest.mark.parametrize("chance", [pass_at_k, pass_hat_k])
@pytest.mark.parametrize(("samples", "successes", "k"), [(3, 4, 1), (3, -1, 1), (3, 1, 0)])
def test_what_is_no_count_is_refused(chance, samples, successes, k):
    with pytest.raises(InputError, match="no meaning"):
        chance(samples, successes, k)


def test_pass_hat_k_is_averaged_over_tasks():
    counts = [TaskCount(f"t{place}", f"s{place}", 4, successes) for place, successes in enumerate((4, 2, 0))]
    assert estimate_pass_hat_k(counts, 2).value == pytest.approx((1 + 1 / 6 + 0) / 3)
