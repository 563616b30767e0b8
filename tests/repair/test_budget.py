from __future__ import annotations

import time

import pytest

from mendlab.repair import budget
from mendlab.repair.budget import Budget


def test_each_limit_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Budget(seconds=5.0, candidates=2)
    assert (found.exhausted, found.left) == (None, 2)
    found.tried = 2
    assert (found.exhausted, found.left) == ("candidates", 0)
    found = Budget(seconds=5.0, candidates=2)
    found.elsewhere = 5.0
    assert found.exhausted == "seconds"
    found = Budget(seconds=5.0, candidates=2)
    later = time.monotonic() + 5.0 * budget.TIMES_WALL + budget.LEAST_WALL_SECONDS
    monkeypatch.setattr(time, "monotonic", lambda: later)
    assert found.exhausted == "wall seconds", "what sleeps takes no CPU time"
