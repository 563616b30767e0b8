"""One attempt before the judge, and the evidence gathered on it so far."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from mendlab.corpora.tree import FileTree
from mendlab.records import Attempt, Differential, Outcome, Task, TestOutcome
from mendlab.verify.audit import Flag
from mendlab.verify.bench import Bench
from mendlab.verify.engines.engine import Engine, RunOptions, TestRun
from mendlab.verify.patches import Applied, PatchFailure

MESSAGE_CHARACTERS = 2000


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a rung found: it held, or not, or had nothing to look at (``None``); an ``outcome`` ends the ladder."""

    held: bool | None
    detail: str = ""
    outcome: Outcome | None = None


@dataclass(slots=True)
class Case:
    """A task, an attempt at it, and what the rungs have found out. ``standing`` is the outcome if all rungs hold.

    ``warm`` returns the warm engine for this task, opened when first needed; ``open_engine`` opens a new one with a
    hash seed.
    """

    task: Task
    attempt: Attempt
    good: FileTree
    buggy: FileTree
    bench: Bench
    warm: Callable[[], Engine]
    open_engine: Callable[[int], Engine]
    applied: Applied | None = None
    unapplied: PatchFailure | None = None
    new_tests: TestRun | None = None
    after: dict[str, TestOutcome] = field(default_factory=dict)
    messages: dict[str, str] = field(default_factory=dict)
    flags: tuple[Flag, ...] = ()
    differential: Differential | None = None
    standing: Outcome = Outcome.PLAUSIBLE
    cpu_seconds: float = 0.0

    @property
    def patched(self) -> FileTree:
        """The tree after the patch; only once the apply rung holds."""
        assert self.applied is not None
        return self.applied.tree

    def run(self, tests: Sequence[str]) -> TestRun:
        """Run tests on the patched tree with the warm engine, and keep what came of them."""
        run = self.warm().run(self.good.changed(self.patched), RunOptions(tests=tests))
        self.note(run)
        return run

    def note(self, run: TestRun) -> None:
        """Add a run to the evidence."""
        self.cpu_seconds += run.cpu_seconds
        self.after.update(run.outcomes())
        self.messages.update({r.test_id: r.message[:MESSAGE_CHARACTERS] for r in run.failing() if r.message})
