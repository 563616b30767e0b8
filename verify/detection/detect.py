"""Detection: whether the tests of a subject tell a defect, which of them do, and whether they do so every time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mendlab.corpora.candidates import Candidate, LoadedSubject
from mendlab.records import Baseline, Detection, DropReason, PytestHarness, TestOutcome
from mendlab.verify.bench import Bench
from mendlab.verify.detection.baseline import hang_limits, task_limits
from mendlab.verify.detection.reach import is_reached
from mendlab.verify.engines.coverage import Coverage
from mendlab.verify.engines.engine import OTHER_HASH_SEED, Engine, RunOptions, TestRun
from mendlab.verify.engines.infection import Infections

CONFIRMATIONS = 2


class Detector:
    """Tries defects of one subject on its tests. Not thread-safe: one a worker.

    Args:
        coverage: what the tests run, where it is known; a defect that none of them reaches is not run.
        infections: which tests the defects may infect, as far as that is known.
        any_failure: however a test fails, it tells. For mutants that is not so: one after which the program cannot be
            imported says nothing of the function, and one that mostly hangs is told apart by a limit alone.
    """

    def __init__(
        self,
        loaded: LoadedSubject,
        baseline: Baseline,
        bench: Bench,
        *,
        coverage: Coverage | None = None,
        infections: Infections | None = None,
        any_failure: bool = False,
    ) -> None:
        self.loaded = loaded
        self._coverage = coverage
        self._infections = infections
        self.baseline = baseline
        self.limits = task_limits(baseline)
        self._bench = bench
        self._any_failure = any_failure
        self._engines: dict[str, Engine] = {}

    def detect(self, candidate: Candidate) -> Detection:
        """Try a candidate of this subject.

        A first run stops at the first failure; only what that detects is run in full, and then confirmed, shuffled,
        with another hash seed and the full time limit. A candidate that is to fail ``fewer_than`` some number of tests
        is run in full at once, for its parts are known to be detected. Raises EngineError.
        """
        if not is_reached(self._coverage, self.loaded, candidate):
            return Detection(dropped=DropReason.UNREACHED)
        changes = self.loaded.tree.changed(candidate.buggy)
        if candidate.fewer_than is None:
            probe = self._quick().run(changes, RunOptions(tests=self.baseline.passing, stop_at_first=True))
            if self._breaks_import(probe):
                return Detection(dropped=DropReason.BREAKS_IMPORT)
            if not probe.failing():
                return Detection(dropped=DropReason.SURVIVED)
        full = self._whole().run(changes, RunOptions(tests=self.baseline.passing))
        if self._breaks_import(full):
            return Detection(dropped=DropReason.BREAKS_IMPORT)
        if not full.failing():
            return Detection(dropped=DropReason.FLAKY if candidate.fewer_than is None else DropReason.SURVIVED)
        if candidate.fewer_than is not None and len(full.failing()) >= candidate.fewer_than:
            return Detection(dropped=DropReason.NOT_HARDER)
        if not self._any_failure and _mostly_hangs(full):
            return Detection(dropped=DropReason.TIMEOUT)
        return self._confirm(changes, full)

    def lost(self, candidate: Candidate) -> Detection:
        """Return what is said of a candidate on which the engine fails again and again."""
        return Detection(dropped=DropReason.ENGINE_ERROR)

    def close(self) -> None:
        """End every process. What is tried after that starts new ones."""
        while self._engines:
            self._engines.popitem()[1].close()

    def _confirm(self, changes: Mapping[str, bytes | None], full: TestRun) -> Detection:
        patient = self._patient()
        runs = [full.outcomes()]
        for seed in range(1, CONFIRMATIONS + 1):
            options = RunOptions(tests=self.baseline.passing, shuffle_seed=seed)
            runs.append(patient.run(changes, options).outcomes())
        fail_to_pass = tuple(t for t in self.baseline.passing if _fails_always(t, runs))
        if not fail_to_pass:
            return Detection(dropped=DropReason.FLAKY)
        pass_to_pass = tuple(t for t in self.baseline.passing if _outcomes(t, runs) == {TestOutcome.PASSED})
        # Tests may lean on what others leave behind: as they will be run from now on, without the rest, they must hold.
        last = patient.run(changes, RunOptions(tests=(*fail_to_pass, *pass_to_pass))).outcomes()
        fail_to_pass = tuple(t for t in fail_to_pass if last[t] is not TestOutcome.PASSED)
        pass_to_pass = tuple(t for t in pass_to_pass if last[t] is TestOutcome.PASSED)
        if not fail_to_pass:
            return Detection(dropped=DropReason.FLAKY)
        return Detection(
            fail_to_pass=fail_to_pass,
            pass_to_pass=pass_to_pass,
            before={test_id: runs[-1][test_id] for test_id in fail_to_pass},
        )

    def _breaks_import(self, run: TestRun) -> bool:
        return run.load_error is not None and not self._any_failure

    def _quick(self) -> Engine:
        """The engine for first tries, under tight limits; for mutants one that takes them to be no more than that."""
        if self._any_failure:
            return self._whole()
        if "quick" not in self._engines:
            self._engines["quick"] = quick_engine(
                self.loaded, self.baseline, self._bench, self._coverage, self._infections
            )
        return self._engines["quick"]

    def _whole(self) -> Engine:
        """The engine that runs every test of a suite, one after the other, and leaves none out.

        What one test leaves behind another may find: by what each of them reaches that is not seen.
        """
        if not self._any_failure and not isinstance(self.loaded.subject.harness, PytestHarness):
            return self._quick()
        if "whole" not in self._engines:
            tree, harness = self.loaded.tree, self.loaded.subject.harness
            self._engines["whole"] = self._bench.open(tree, harness, hang_limits(self.baseline))
        return self._engines["whole"]

    def _patient(self) -> Engine:
        """The engine for confirming, with another hash seed and the task's own limits."""
        if "patient" not in self._engines:
            tree, harness = self.loaded.tree, self.loaded.subject.harness
            self._engines["patient"] = self._bench.open(tree, harness, self.limits, hash_seed=OTHER_HASH_SEED)
        return self._engines["patient"]


def quick_engine(
    loaded: LoadedSubject,
    baseline: Baseline,
    bench: Bench,
    coverage: Coverage | None,
    infections: Infections | None = None,
) -> Engine:
    """Open the engine for mutants under limits that a hang soon meets.

    Raises:
        SubjectError: the program cannot be tested as it is.
        EngineError: the engine does not start.
    """
    return bench.open_for_mutants(
        loaded.tree, loaded.subject.harness, hang_limits(baseline), coverage=coverage, infections=infections
    )


def _outcomes(test_id: str, runs: Iterable[Mapping[str, TestOutcome]]) -> set[TestOutcome]:
    return {run[test_id] for run in runs}


def _fails_always(test_id: str, runs: Iterable[Mapping[str, TestOutcome]]) -> bool:
    return TestOutcome.PASSED not in _outcomes(test_id, runs)


def _mostly_hangs(run: TestRun) -> bool:
    hanging = sum(result.outcome is TestOutcome.TIMEOUT for result in run.failing())
    return 2 * hanging >= len(run.failing())
