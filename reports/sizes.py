"""How large patches are beside the reference's."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mendlab.records import CORRECT
from mendlab.reports.data import Judged
from mendlab.reports.diffs import diff_view
from mendlab.reports.statistics import Estimate, mean_estimate
from mendlab.reports.statistics.estimating import cluster_names


@dataclass(frozen=True, slots=True)
class PatchSize:
    """Lines added and removed by some patches and by their references; medians, ``None`` where there are none.

    ``ratio`` is the median of each patch's lines by its reference's; ``larger`` the share of patches that
    change more lines than it.
    """

    patches: int
    lines: float | None
    reference_lines: float | None
    ratio: float | None
    larger: Estimate


@dataclass(frozen=True, slots=True)
class PatchSizes:
    """The sizes of all patches that could be applied, and of those that are correct."""

    applied: PatchSize
    correct: PatchSize


def patch_sizes(judged: Sequence[Judged]) -> PatchSizes:
    """Return the sizes, in lines that are added or removed, of the patches as they were judged."""
    return PatchSizes(_size(judged), _size([one for one in judged if one.counts_as(CORRECT)]))


def _size(judged: Sequence[Judged]) -> PatchSize:
    sized = [
        (one, changed_lines(one.verdict.canonical_patch), changed_lines(one.task.reference))
        for one in judged
        if one.verdict is not None and one.verdict.canonical_patch
    ]
    clusters = cluster_names([(one.task.id, one.task.subject) for one, _, _ in sized])
    return PatchSize(
        patches=len(sized),
        lines=_median(lines for _, lines, _ in sized),
        reference_lines=_median(reference for _, _, reference in sized),
        ratio=_median(lines / max(1, reference) for _, lines, reference in sized),
        larger=mean_estimate([float(lines > ref) for _, lines, ref in sized], [1.0] * len(sized), clusters),
    )


def _median(numbers: Iterable[float]) -> float | None:
    every = list(numbers)
    return statistics.median(every) if every else None


def changed_lines(diff: str) -> int:
    """Return how many lines a unified diff adds and removes."""
    view = diff_view(diff)
    return view.added + view.removed
