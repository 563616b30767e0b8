"""Baselines and detections of many subjects and candidates, side by side; each is kept as soon as it is known."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from mendlab.corpora.building import Building
from mendlab.corpora.candidates import Candidate, LoadedSubject
from mendlab.errors import SubjectError
from mendlab.records import Baseline, Covered, Detection, TestOutcome, TestResult
from mendlab.verify.bench import Bench
from mendlab.verify.detection.baseline import COLLECTION, take_baseline
from mendlab.verify.detection.batches import in_batches, try_batches
from mendlab.verify.detection.detect import Detector
from mendlab.verify.detection.reach import take_coverage, take_infections
from mendlab.verify.engines.coverage import Coverage
from mendlab.verify.engines.infection import Infections
from mendlab.workers import PerKey, Progress, map_ordered


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

    def heard(done: int, total: int) -> None:
        progress("tests run clean", done, total)

    def take(loaded: LoadedSubject) -> Baseline:
        baseline = _baseline_or_why_not(loaded, bench, heard if len(subjects) == 1 else None)
        keep(baseline)
        return baseline

    found: list[Baseline] = []
    if subjects:
        progress("clean runs", 0, len(subjects))
    for baseline in map_ordered(take, subjects, workers):
        found.append(baseline)
        progress("clean runs", len(found), len(subjects))
    return found


def _baseline_or_why_not(loaded: LoadedSubject, bench: Bench, heard: Callable[[int, int], None] | None) -> Baseline:
    try:
        return take_baseline(loaded, bench, heard=heard)
    except SubjectError as error:
        why = TestResult(test_id=COLLECTION, outcome=TestOutcome.ERROR, message=str(error))
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

        def keep(candidate: Candidate, detection: Detection) -> None:
            nonlocal tried
            self.building.add_detection(candidate.id, detection)
            with lock:
                tried += 1
                self._progress("candidates tried", tried, len(candidates))

        def open_detector(loaded: LoadedSubject) -> Detector:
            coverage = self._coverages.get(loaded.subject.id) if loaded.subject.id in placed else None
            baseline = self.building.baselines[loaded.subject.id]
            infections = None if coverage is None or any_failure else known_infections.get(loaded.subject.id)
            return Detector(
                loaded, baseline, self.bench, coverage=coverage, infections=infections, any_failure=any_failure
            )

        def learn(subject: str) -> Infections | None:
            batch = [one.loaded.tree.changed(one.buggy) for one in pending if one.loaded.subject.id == subject]
            tests = self.building.baselines[subject].passing
            coverage = self._coverages.get(subject)
            if coverage is None:
                return None
            return take_infections(self._subjects[subject], self.bench, tests, batch, coverage, self._progress)

        known_infections = PerKey(learn)

        pending = [candidate for candidate in candidates if candidate.id not in known]
        placed = {candidate.loaded.subject.id for candidate in pending if candidate.defect.span}
        batches = in_batches(pending, _subject_of, self._workers)
        try_batches(batches, open_detector, keep, workers=self._workers)
        return {candidate.id: known[candidate.id] for candidate in candidates}

    def _take_coverage(self, subject: str) -> Coverage | None:
        known = self.building.covered.get(subject)
        if known is not None:
            return Coverage(known.lines, known.leaning, known.files)
        tests = self.building.baselines[subject].passing
        found = take_coverage(self._subjects[subject], self.bench, tests, self._progress)
        if found is not None:
            lines, files = ({name: dict(ran) for name, ran in part.items()} for part in (found.lines, found.files))
            self.building.add_covered(Covered(subject=subject, lines=lines, leaning=found.leaning, files=files))
        return found


def _subject_of(candidate: Candidate) -> str:
    return candidate.loaded.subject.id
