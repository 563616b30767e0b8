"""Baselines and detections of many subjects and candidates, side by side; each is kept as soon as it is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import groupby

from mendlab.corpora.building import Building
from mendlab.corpora.candidates import Candidate, LoadedSubject
from mendlab.errors import EngineError, SubjectError
from mendlab.records import Baseline, Detection, DropReason, TestOutcome, TestResult
from mendlab.verify.baseline import take_baseline
from mendlab.verify.coverage import Coverage
from mendlab.verify.detect import Detector
from mendlab.verify.engines import Bench
from mendlab.verify.reach import take_coverage
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

    def take(loaded: LoadedSubject) -> Baseline:
        baseline = _baseline_or_why_not(loaded, bench)
        keep(baseline)
        return baseline

    found: list[Baseline] = []
    for baseline in map_ordered(take, subjects, workers):
        found.append(baseline)
        progress("clean runs", len(found), len(subjects))
    return found


def examine_subjects(
    subjects: Sequence[LoadedSubject], bench: Bench, building: Building, *, workers: int, progress: Progress
) -> dict[str, Baseline]:
    """Return every baseline that is known, those of ``subjects`` among them, by the subject's id."""
    pending = [loaded for loaded in subjects if loaded.subject.id not in building.baselines]
    clean_runs(pending, bench, workers=workers, progress=progress, keep=building.add_baseline)
    return building.baselines


def _baseline_or_why_not(loaded: LoadedSubject, bench: Bench) -> Baseline:
    try:
        return take_baseline(loaded, bench)
    except SubjectError as error:
        why = TestResult(test_id="collection", outcome=TestOutcome.ERROR, message=str(error))
        return Baseline(subject=loaded.subject.id, passing=(), failing=(why,), cpu_seconds=0.0)


def examine_candidates(
    candidates: Sequence[Candidate],
    baselines: dict[str, Baseline],
    bench: Bench,
    building: Building,
    *,
    workers: int,
    progress: Progress,
    any_failure: bool = False,
) -> dict[str, Detection]:
    """Return what the tests say of every candidate, by its id. Candidates of one subject share warm processes."""
    loaded_by_id = {candidate.loaded.subject.id: candidate.loaded for candidate in candidates if candidate.defect.span}
    coverages: PerKey[str, Coverage | None] = PerKey(
        lambda subject: take_coverage(loaded_by_id[subject], bench) if subject in loaded_by_id else None
    )

    def examine(batch: Sequence[Candidate]) -> list[tuple[str, Detection]]:
        pending = [candidate for candidate in batch if candidate.id not in building.detections]
        if pending:
            loaded = pending[0].loaded
            detector = Detector(
                loaded,
                baselines[loaded.subject.id],
                bench,
                coverage=coverages.get(loaded.subject.id),
                any_failure=any_failure,
            )
            with closing(detector):
                for candidate in pending:
                    building.add_detection(candidate.id, _detect(detector, candidate))
        return [(candidate.id, building.detections[candidate.id]) for candidate in batch]

    found: dict[str, Detection] = {}
    progress("mutants tried", 0, len(candidates))
    for part in map_ordered(examine, list(_batches(candidates, workers)), workers):
        found.update(part)
        progress("mutants tried", len(found), len(candidates))
    return found


def _detect(detector: Detector, candidate: Candidate) -> Detection:
    """Try twice: a lab's failure drops the one candidate, and is counted as what it is."""
    for _ in range(2):
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
