"""CPU and wall time of whole trees of processes."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

OURS = Path(__file__).with_name("ours.py")
READERS = Path(__file__).parents[1] / "peer_drivers" / "drive_history_readers.py"


@dataclass(frozen=True, slots=True)
class Cost:
    """What a program took, with all that it started, and what it said."""

    cpu: float
    wall: float
    said: dict[str, Any]


def cost(command: Sequence[str], runs: int) -> Cost:
    """The median of some runs."""
    costs = [_once(command) for _ in range(runs)]
    return Cost(median(each.cpu for each in costs), median(each.wall for each in costs), costs[-1].said)


def _once(command: Sequence[str]) -> Cost:
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert process.stdout is not None
    said = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command} failed")
    return Cost(usage.ru_utime + usage.ru_stime, time.perf_counter() - began, json.loads(said))
