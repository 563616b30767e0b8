"""The cause that is told of a commit for which no environment does."""

from __future__ import annotations

import pytest

from mendlab.harvest.environment.causes import with_cause
from mendlab.harvest.records import DropReason
from mendlab.harvest.states.reports import StateReport
from mendlab.records import Environment

ENVIRONMENT = Environment(
    rung="current",
    python="3.11",
    until="2024-01-01T00:00:00Z",
    lock=(),
    clock=(),
    left_out={"numpy>=99": "there is no version of it", "python-dateutil": "it has no wheel"},
    later={},
)


@pytest.mark.parametrize(
    ("dropped", "why", "cause"),
    [
        (
            DropReason.NO_ENVIRONMENT,
            "conftest.py:1: ModuleNotFoundError: No module named 'numpy'",
            DropReason.UNRESOLVED,
        ),
        (DropReason.NOTHING_PASSES, "ModuleNotFoundError: No module named 'dateutil.tz'", DropReason.UNRESOLVED),
        (DropReason.NOTHING_PASSES, "ModuleNotFoundError: No module named 'lead'", DropReason.UNDECLARED),
        (DropReason.NOTHING_PASSES, "ModuleNotFoundError: No module named 'shop.new'", DropReason.NOTHING_PASSES),
        (DropReason.NO_ENVIRONMENT, "pytest: error: unrecognized arguments: --cov", DropReason.NO_PLUGIN),
        (DropReason.NO_ENVIRONMENT, "conftest.py:1: ZeroDivisionError: division by zero", DropReason.NO_ENVIRONMENT),
        (DropReason.FLAKY, "No module named 'numpy'", DropReason.FLAKY),
    ],
)
def test_causes(dropped, why, cause):
    found = with_cause(StateReport(environment=ENVIRONMENT, dropped=dropped, why=why), frozenset({"shop", "new"}))
    assert found.dropped is cause
    assert found.why.startswith(why)
    assert ("is left out" in found.why) == (cause is DropReason.UNRESOLVED)
