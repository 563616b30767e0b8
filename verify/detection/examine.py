"""Baselines and detections of many subjects and candidates, side by side; each is kept as soon as it is known."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import groupby

from mendlab.corpora.building import Building
from mendlab.corpora.candidates import Candidate, LoadedSubject
from mendlab.errors import EngineError, SubjectError
from mendlab.records import Baseline, Detection, DropReason, TestOutcome, TestResult
from mendlab.verify.bench import Bench
from mendlab.verify.detection.baseline import take_baseline
from mendlab.verify.detection.detect import Detector
from mendlab.verify.detection.reach import take_coverage
from mendlab.verify.engines.coverage import Coverage
from mendlab.workers import PerKey, Progress, is_unwanted, map_ordered


def clean_runs(
    subjects: Sequence[LoadedSubject],
    bench: Bench,
    *,
    workers: int,
    progress: Progress,
    keep: Callable[[Baseline], None] = lambda baseline: None,
) -> list[Baseline]:
    """Return the baseline of every subject, in order; each is handed to ``keep`` as soon as it is known.

    One that cannot be tested has no passing test, and says why. Raises EngineError if the lab itself fails.
    """

    def take(loaded: LoadedSubject) -> Baseline:
        baseline = _baseline_or_why_not(loaded, bench)
        keep(baseline)
        return baseline

    found: list[Baseline] = []
    for baseline in map_ordered(take, subjects, workers):
        found.append(baseline)
        progress("clean runs", len(found), len(subjects))
    return found


def _baseline_or_why_not(loaded: LoadedSubject, bench: Bench) -> Baseline:
    try:
        return take_baseline(loaded, bench)
    except SubjectError as error:
        why = TestResult(test_id="collection", outcome=TestOutcome.ERROR, message=str(error))
        return Baseline(subject=loaded.subject.id, passing=(), failing=(why,), cpu_seconds=0.0)


class Examiner:
    """Examines subjects and candidates of a task set that is being made; what is known already is not done again."""

    def __init__(self, bench: Bench, building: Building, *, workers: int, progress: Progress) -> None:
        self.bench = bench
        self.building = building
        self._workers = workers
        self._progress = progress
        self._subjects: dict[str, LoadedSubject] = {}
        self._coverages: PerKey[str, Coverage | None] = PerKey(self._take_coverage)

    def baselines(self, subjects: Sequence[LoadedSubject]) -> dict[str, Baseline]:
        """Return every baseline that is known, those of ``subjects`` among them, by the subject's id."""
        self._subjects.update({loaded.subject.id: loaded for loaded in subjects})
        pending = [loaded for loaded in subjects if loaded.subject.id not in self.building.baselines]
        clean_runs(pending, self.bench, workers=self._workers, progress=self._progress, keep=self.building.add_baseline)
        return self.building.baselines

    def detections(self, candidates: Sequence[Candidate], *, any_failure: bool = False) -> dict[str, Detection]:
        """Return what the tests say of every candidate, by its id. The baselines of their subjects are known.

        Candidates of one subject share warm processes. ``any_failure`` as for :class:`Detector`.
        """

        known = self.building.detections
        lock = threading.Lock()
        tried = sum(candidate.id in known for candidate in candidates)
        self._progress("candidates tried", tried, len(candidates))

        def note() -> None:
            nonlocal tried
            with lock:
                tried += 1
                self._progress("candidates tried", tried, len(candidates))

        def examine(batch: Sequence[Candidate]) -> None:
            pending = [candidate for candidate in batch if candidate.id not in known]
            if pending:
                self._examine(pending, any_failure, note)

        for _ in map_ordered(examine, list(_batches(candidates, self._workers)), self._workers):
            pass
        return {candidate.id: known[candidate.id] for candidate in candidates}

    def _examine(self, pending: Sequence[Candidate], any_failure: bool, note: Callable[[], None]) -> None:
        loaded = pending[0].loaded
        coverage = (
            self._coverages.get(loaded.subject.id) if any(candidate.defect.span for candidate in pending) else None
        )
        baseline = self.building.baselines[loaded.subject.id]
        detector = Detector(loaded, baseline, self.bench, coverage=coverage, any_failure=any_failure)
        with closing(detector):
            for candidate in pending:
                if is_unwanted():
                    return
                self.building.add_detection(candidate.id, _detect(detector, candidate))
                note()

    def _take_coverage(self, subject: str) -> Coverage | None:
        return take_coverage(self._subjects[subject], self.bench, self.building.baselines[subject].passing)


def _detect(detector: Detector, candidate: Candidate) -> Detection:
    """Try three times: a lab's failure drops the one candidate, and is counted as what it is."""
    for _ in range(3):
        try:
            return detector.detect(candidate)
        except EngineError:
            detector.close()
    return Detection(dropped=DropReason.ENGINE_ERROR)


def _batches(candidates: Sequence[Candidate], workers: int) -> Iterator[Sequence[Candidate]]:
    """Group by subject, and cut what is large, so that every worker has something to do."""
    most = max(1, min(25, -(-len(candidates) // (2 * workers))))
    for _, group in groupby(sorted(candidates, key=_subject_of), key=_subject_of):
        members = list(group)
        for start in range(0, len(members), most):
            yield members[start : start + most]


def _subject_of(candidate: Candidate) -> str:
    return candidate.loaded.subject.id
