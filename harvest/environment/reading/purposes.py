"""Which extras, groups, environments and files are for running the tests, by name."""

from __future__ import annotations

import re
from typing import Final

_TESTS: Final = frozenset({"test", "tests", "testing", "unittest", "unittests", "pytest", "check"})
_WORK: Final = frozenset({"dev", "develop", "development", "ci", "all", "full", "complete", "default"})


def doubt_of(name: str) -> int | None:
    """Return 1 for what is named after tests, 2 for what is named after work on the project, None for other things."""
    words = set(re.split(r"[^a-z]+", name.lower()))
    if words & _TESTS:
        return 1
    return 2 if words & _WORK else None
