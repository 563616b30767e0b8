"""Verdicts on mutants, every way in which one can end kept apart, with the tests that kill it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from mendlab.corpora.candidates import Candidate, LoadedSubject
from mendlab.records import Baseline, DropReason, MutantStatus, MutantVerdict, TestOutcome
from mendlab.verify.bench import Bench
from mendlab.verify.detection.canary import check_canary
from mendlab.verify.detection.detect import quick_engine
from mendlab.verify.detection.reach import is_at_import, is_reached
from mendlab.verify.engines.coverage import Coverage
from mendlab.verify.engines.engine import Engine, RunOptions, TestRun
from mendlab.verify.engines.infection import Infections

_KILLED_BY: Final = {
    TestOutcome.FAILED: MutantStatus.KILLED_BY_ASSERTION,
    TestOutcome.TIMEOUT: MutantStatus.KILLED_BY_TIMEOUT,
}
_PLAINEST_FIRST: Final = (
    MutantStatus.KILLED_BY_ASSERTION,
    MutantStatus.KILLED_BY_ERROR,
    MutantStatus.KILLED_BY_TIMEOUT,
)


class Assessor:
    """Gives verdicts on mutants of one subject. Not thread-safe: one a worker.

    Args:
        coverage: what the tests run, where it is known; a mutant that none of them reaches is not run.
        infections: which tests the mutants may infect, as far as that is known.
        full: every test that reaches a mutant runs, instead of stopping at the first that does not pass.

    Raises:
        EngineError: the engine does not kill a mutant that must be killed, or the good tree fails.
    """

    def __init__(
        self,
        loaded: LoadedSubject,
        baseline: Baseline,
        bench: Bench,
        *,
        coverage: Coverage | None,
        infections: Infections | None = None,
        full: bool,
    ) -> None:
        self._loaded = loaded
        self._baseline = baseline
        self._bench = bench
        self._coverage = coverage
        self._infections = infections
        self._full = full
        self._engine: Engine | None = None
        try:
            check_canary(self._open(), loaded, coverage, baseline.passing)
        except BaseException:
            self.close()
            raise

    def detect(self, candidate: Candidate) -> MutantVerdict:
        """Return the verdict on a mutant of other code than the subject's that compiles. Raises EngineError."""
        if not is_reached(self._coverage, self._loaded, candidate):
            return not_run(candidate, MutantStatus.UNREACHED)
        changes = self._loaded.tree.changed(candidate.buggy)
        verdict = run_mutant(self._open(), candidate, changes, self._baseline.passing, full=self._full)
        return verdict.model_copy(update={"at_import": is_at_import(self._coverage, self._loaded, candidate)})

    def lost(self, candidate: Candidate) -> MutantVerdict:
        """Return the verdict on a mutant that the engine fails on again and again."""
        return not_run(candidate, MutantStatus.ENGINE_ERROR)

    def close(self) -> None:
        """End every process. What is tried after that starts new ones."""
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def _open(self) -> Engine:
        if self._engine is None:
            self._engine = quick_engine(self._loaded, self._baseline, self._bench, self._coverage, self._infections)
        return self._engine


def not_run(candidate: Candidate, status: MutantStatus | DropReason) -> MutantVerdict:
    """Return the verdict on a mutant that no test was run on."""
    status = MutantStatus(status.value)
    return MutantVerdict(
        mutant=candidate.id,
        subject=candidate.loaded.subject.id,
        defect=candidate.defect,
        status=status,
        reached=0 if status is MutantStatus.UNREACHED else None,
    )


def run_mutant(
    engine: Engine,
    candidate: Candidate,
    changes: Mapping[str, bytes | None],
    tests: Collection[str],
    *,
    full: bool,
) -> MutantVerdict:
    """Run tests, all of which pass on the good tree, on a mutant. Raises EngineError."""
    run = engine.run(changes, RunOptions(tests=tests, stop_at_first=not full))
    killers = {} if run.load_error is not None else _killers(run, full=full)
    return MutantVerdict(
        mutant=candidate.id,
        subject=candidate.loaded.subject.id,
        defect=candidate.defect,
        status=status_of(run, killers),
        killers=killers,
        reached=None if run.reached is None else len(run.reached),
        infected=None if run.infected is None else len(run.infected),
        cpu_seconds=run.cpu_seconds,
    )


def status_of(run: TestRun, killers: Mapping[str, TestOutcome]) -> MutantStatus:
    """Return what a run makes of a mutant; of several ways to be killed an assertion comes before an error."""
    if run.load_error is not None:
        return MutantStatus.BREAKS_IMPORT
    ways = {_KILLED_BY.get(outcome, MutantStatus.KILLED_BY_ERROR) for outcome in killers.values()}
    if ways:
        return next(way for way in _PLAINEST_FIRST if way in ways)
    if run.reached is not None and not run.reached:
        return MutantStatus.UNREACHED
    if run.infected is not None and not run.infected:
        return MutantStatus.NOT_INFECTED
    return MutantStatus.SURVIVED


def _killers(run: TestRun, *, full: bool) -> dict[str, TestOutcome]:
    """The tests that do not pass. Where running stops at the first, that one: others are missing, not come to."""
    failing = {result.test_id: result.outcome for result in run.failing()}
    if full or not failing:
        return failing
    come_to = [test_id for test_id, outcome in failing.items() if outcome is not TestOutcome.MISSING]
    first = next(iter(come_to or failing))
    return {first: failing[first]}
