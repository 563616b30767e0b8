"""Work over many items, in order, on one or more processes, with a count on stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

_In = TypeVar("_In")
_Out = TypeVar("_Out")


def each(label: str, work: Callable[[_In], _Out], items: Sequence[_In], jobs: int = 1) -> Iterator[_Out]:
    """The results in the order of the items; ``work`` must be picklable where ``jobs`` is more than one."""
    if jobs > 1:
        with ProcessPoolExecutor(jobs) as pool:
            yield from counted(label, pool.map(work, items), len(items))
    else:
        yield from counted(label, map(work, items), len(items))


def counted(label: str, results: Iterator[_Out], total: int) -> Iterator[_Out]:
    """The results, counted on stderr as they come."""
    step = max(1, total // 20)
    for number, result in enumerate(results, 1):
        if number % step == 0 or number == total:
            say(f"{label}: {number} of {total}")
        yield result


def say(text: str) -> None:
    """One line on stderr."""
    print(text, file=sys.stderr, flush=True)
