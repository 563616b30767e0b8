"""What the three states of a commit say, as records."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from mendlab.harvest.records import DropReason
from mendlab.records import Environment, Record, TestOutcome


class FailureKind(StrEnum):
    """How a fail-to-pass test fails on the parent with the commit's tests."""

    ASSERTION = "assertion"
    EXCEPTION = "exception"
    MISSING_NAME = "missing_name"  # a name, parameter or module that only the commit brings
    IMPORT = "import"  # another error at import or collection
    TIMEOUT = "timeout"
    CRASH = "crash"  # or out of memory


class Failure(Record):
    """A fail-to-pass test before the fix: how it fails, with which exception, on which missing name, in what words."""

    kind: FailureKind
    outcome: TestOutcome
    exception: str | None = None
    name: str | None = None
    message: str = ""


class FlakyKind(StrEnum):
    """What a flaky test was seen to change with. ``again``: with nothing but running it once more."""

    AGAIN = "again"
    ORDER = "order"
    HASH_SEED = "hash_seed"
    CLOCK = "clock"


class Counts(Record):
    """How many tests a state was run with, and how many of them passed every time and never."""

    tests: int
    passed: int
    failed: int


class StateReport(Record):
    """What the tests say of a commit, in which environment, at what cost.

    ``fail_to_pass`` fail each time on the parent with the commit's tests and pass each time on the commit;
    ``pass_to_pass`` pass each time on both. ``flaky`` are in neither. ``new_tests`` are those of ``fail_to_pass`` that
    the parent does not have. ``uncollected`` are files of the commit's own tests that cannot be imported, with why.
    """

    environment: Environment | None
    dropped: DropReason | None = None
    why: str = ""
    fail_to_pass: tuple[str, ...] = ()
    pass_to_pass: tuple[str, ...] = ()
    flaky: dict[str, FlakyKind] = Field(default_factory=dict)
    failures: dict[str, Failure] = Field(default_factory=dict)
    new_tests: tuple[str, ...] = ()
    counts: dict[str, Counts] = Field(default_factory=dict)
    uncollected: dict[str, str] = Field(default_factory=dict)
    arguments: tuple[str, ...] = ()
    cpu_seconds: float = 0.0
    runs: int = 0
