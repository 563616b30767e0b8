"""Running a function harness plainly, in one process: the meaning that every engine has to keep."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.records import FunctionHarness

Run = Callable[[FileTree, FunctionHarness], dict[str, bool]]


def _run(tree: FileTree, harness: FunctionHarness) -> dict[str, bool]:
    """Return whether each test passes; a step without an id that raises fails the later tests of its group."""
    passed: dict[str, bool] = {}
    for group in harness.groups:
        names: dict[str, Any] = {"__name__": "solution"}
        exec(tree[harness.module], names)
        names["__name__"] = "tests"
        exec(group.setup, names)
        broken = False
        for step in group.steps:
            holds = not broken
            try:
                if not broken:
                    exec(step.code, names)
            except Exception:
                holds = False
                broken = step.test_id is None
            if step.test_id is not None:
                assert step.test_id not in passed
                passed[step.test_id] = holds
    return passed


@pytest.fixture
def run_plainly() -> Run:
    return _run
