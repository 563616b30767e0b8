"""What is printed of tasks that were mended."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from measures.shares import Share

from repaired.mending import Mended


def summary(title: str, mended: Sequence[Mended]) -> list[str]:
    """Return the lines of one set of tasks."""
    correct = [each for each in mended if each.correct]
    lines = [
        f"{title}: n = {len(mended)}",
        f"  correct    {Share.of(each.correct for each in mended).with_interval()}",
        f"  plausible  {Share.of(each.plausible for each in mended).with_interval()}",
    ]
    if correct:
        wall, cpu = (median(getattr(each, name) for each in correct) for name in ("wall_seconds", "cpu_seconds"))
        lines.append(f"  median to a correct patch: {wall:.1f} s by the clock, {cpu:.1f} s of CPU time")
    spent = sum(each.cpu_seconds for each in mended)
    if spent:
        lines.append(f"  {sum(each.tried for each in mended) / spent:.0f} candidates for a second of CPU time")
    return lines


def failures(mended: Sequence[Mended]) -> list[str]:
    """Return a line for each task without a correct patch."""
    return [
        f"  {each.task}: {each.outcome.value}, {each.operator or 'no patch'}, {each.tried} tried: {each.why}"
        for each in mended
        if not each.correct
    ]


def by_family(mended: Sequence[Mended]) -> list[str]:
    """Return a line for each family of defects."""
    families = sorted({each.family for each in mended})
    return [
        f"  {family:16} {Share.of(each.correct for each in mended if each.family == family)}" for family in families
    ]
