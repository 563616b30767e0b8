"""How much of long texts the page shows: all that a reader wants, or less where there are so many attempts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from mendlab.reports.packing import pack

T = TypeVar("T")

BUDGET_BYTES: Final = 7_500_000
"""What all tasks of a page may take, so that the page stays below 10 MB."""
SAMPLE: Final = 60


@dataclass(frozen=True, slots=True)
class Detail:
    """Lines of an answer, of a diff, of a message or an output, and the failing tests of an attempt that are shown."""

    answer_lines: int = 120
    diff_lines: int = 300
    message_lines: int = 30
    failing_tests: int = 20
    columns: int = 400


FULL: Final = Detail()
LEVELS: Final = (
    FULL,
    Detail(answer_lines=40, diff_lines=120, message_lines=12, failing_tests=5, columns=240),
    Detail(answer_lines=15, diff_lines=40, message_lines=6, failing_tests=3, columns=160),
    Detail(answer_lines=4, diff_lines=16, message_lines=3, failing_tests=1, columns=120),
)


def choose_detail(items: Sequence[T], render: Callable[[T, Detail], str], budget: int = BUDGET_BYTES) -> Detail:
    """Return the first level at which all items fit into the budget, judged by some spread over them; else the last."""
    step = max(1, len(items) // SAMPLE)
    sample = items[::step]
    for level in LEVELS[:-1]:
        size = len(pack([render(item, level) for item in sample]))
        if size * len(items) <= budget * len(sample):
            return level
    return LEVELS[-1]
