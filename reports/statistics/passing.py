"""Out of some samples of one task: the chance that one of k succeeds, and the chance that all k do."""

from __future__ import annotations

import math

from mendlab.errors import InputError


def pass_at_k(samples: int, successes: int, k: int) -> float | None:
    """Return the probability that at least one of ``k`` samples drawn without replacement succeeds.

    The unbiased estimator of Chen et al. 2021 (arXiv:2107.03374), as the product that neither overflows nor cancels.
    ``None`` where there are fewer than ``k`` samples.

    Raises:
        InputError: the numbers are no counts.
    """
    _require_counts(samples, successes, k, "pass@")
    if samples < k:
        return None
    if samples - successes < k:
        return 1.0
    return 1.0 - math.prod(1.0 - k / i for i in range(samples - successes + 1, samples + 1))


def pass_hat_k(samples: int, successes: int, k: int) -> float | None:
    """Return the probability that all of ``k`` samples drawn without replacement succeed.

    The unbiased estimator of Yao et al. 2024 (tau-bench, arXiv:2406.12045). ``None`` where there are fewer than ``k``.

    Raises:
        InputError: the numbers are no counts.
    """
    _require_counts(samples, successes, k, "pass^")
    if samples < k:
        return None
    return math.prod((successes - i) / (samples - i) for i in range(k)) if successes >= k else 0.0


def _require_counts(samples: int, successes: int, k: int, what: str) -> None:
    if k < 1 or not 0 <= successes <= samples:
        raise InputError(f"{what}{k} of {successes} successes in {samples} samples has no meaning")
