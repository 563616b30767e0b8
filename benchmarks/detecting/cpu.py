"""CPU time, of this process and everything it started."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_TICKS: Final = os.sysconf("SC_CLK_TCK")


@dataclass(slots=True)
class Spent:
    """Seconds of a stretch of work; both are 0 until it is over."""

    wall: float = 0.0
    cpu: float = 0.0


@contextmanager
def spending() -> Iterator[Spent]:
    """Measure what is done inside: wall time, and CPU time of this process and its descendants."""
    spent, wall, cpu = Spent(), time.monotonic(), tree_cpu()
    yield spent
    spent.wall, spent.cpu = max(time.monotonic() - wall, 1e-6), max(tree_cpu() - cpu, 1e-6)


def tree_cpu() -> float:
    """CPU seconds of this process, of its living descendants, and of all those that any of them has waited for."""
    total, waiting = 0, [os.getpid()]
    while waiting:
        pid = waiting.pop()
        total += sum(int(value) for value in _stat(Path(f"/proc/{pid}"))[11:15])
        waiting += _children(pid)
    return total / _TICKS


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for thread in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += map(int, thread.read_text().split())
        except OSError:
            continue
    return found


def _stat(entry: Path) -> list[str]:
    """The fields of a process from its state on; none if it is gone."""
    try:
        return (entry / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
