"""One attempt before the judge, and the evidence gathered on it so far."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from mendlab.corpora.tree import FileTree
from mendlab.records import Attempt, Differential, Outcome, Task, TestOutcome, TestResult
from mendlab.verify.audit import Flag
from mendlab.verify.bench import Bench
from mendlab.verify.engines.engine import ENDS_THE_PROCESS, Engine, RunOptions, TestRun
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

    ``engine`` returns the engine for this task with a hash seed, opened when first needed. ``in_the_same_words``: in
    the last run, which was one of all tests, it answered whatever it was asked as the good program does.
    """

    task: Task
    attempt: Attempt
    good: FileTree
    buggy: FileTree
    bench: Bench
    engine: Callable[[int], Engine]
    symbolic_seconds: float = 0.0
    applied: Applied | None = None
    alike: bool | None = None
    in_the_same_words: bool = False
    unapplied: PatchFailure | None = None
    load_error: str | None = None
    results: dict[str, TestResult] = field(default_factory=dict)
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

    def run(self, tests: Sequence[str], ahead: Sequence[str] = ()) -> tuple[TestResult, ...]:
        """Return the results of tests on the patched tree, and keep them.

        Those ``ahead`` are run along with them, and their results are there when they are asked for. If only of those
        some hang or die, ``tests`` are run again without them: what that did to the rest is not held against these.
        """
        if not self.results.keys() >= set(tests):
            run = self._run(tuple(dict.fromkeys((*tests, *ahead))), frozenset(tests) if ahead else frozenset())
            lost = {result.test_id for result in run.results if result.outcome in ENDS_THE_PROCESS}
            if run.load_error is None and lost and not lost & set(tests):
                return self.run(tests)
            self.load_error = run.load_error
            self.results.update({result.test_id: result for result in run.results})
        results = tuple(self.results[test] for test in tests)
        self.note(results)
        return results

    def run_all(self) -> None:
        """Run all tests once more, for the calls that the engine was prepared for after the last run."""
        self._run((*self.task.fail_to_pass, *self.task.pass_to_pass), frozenset())

    def _run(self, tests: tuple[str, ...], decisive: frozenset[str]) -> TestRun:
        options = RunOptions(tests=tests, decisive=decisive, often=True)
        run = self.engine(0).run(self.good.changed(self.patched), options)
        self.cpu_seconds += run.cpu_seconds
        self.alike = run.alike
        is_whole = {*self.task.fail_to_pass, *self.task.pass_to_pass} <= set(tests)
        self.in_the_same_words = is_whole and run.in_the_same_words
        return run

    def note(self, results: Sequence[TestResult]) -> None:
        """Add results to the evidence."""
        self.after.update({result.test_id: result.outcome for result in results})
        failing = (result for result in results if result.outcome is not TestOutcome.PASSED)
        self.messages.update({r.test_id: r.message[:MESSAGE_CHARACTERS] for r in failing if r.message})
