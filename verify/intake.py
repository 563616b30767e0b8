"""Intake: bugs that others have collected become tasks if their own tests hold them up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mendlab.corpora.building import Building
from mendlab.corpora.candidates import Candidate, Refusal
from mendlab.records import Baseline, Detection, Task
from mendlab.verify.bench import Bench
from mendlab.verify.code import Screen
from mendlab.verify.detection.baseline import problem, task_limits
from mendlab.verify.detection.examine import Examiner
from mendlab.verify.tasks import make_task
from mendlab.workers import Progress


@dataclass(frozen=True, slots=True)
class TakenIn:
    """The tasks that hold, and the candidates that do not, each with its reason."""

    tasks: tuple[Task, ...]
    refused: tuple[Refusal, ...]


def take_in(
    candidates: Sequence[Candidate],
    bench: Bench,
    building: Building,
    *,
    workers: int,
    progress: Progress,
    hold_out: int | None = None,
) -> TakenIn:
    """Prove each candidate: the reference passes every time, the buggy tree fails every time, and claims are borne out.

    All tests stay in sight, as published; with a seed to ``hold_out`` by, some are kept from repairers.

    Raises:
        EngineError: the lab itself fails.
        OutputError: what is found out cannot be written down.
    """
    subjects = [candidate.loaded for candidate in candidates]
    examiner = Examiner(bench, building, workers=workers, progress=progress)
    baselines = examiner.baselines(subjects)
    refused = {c.id: why for c in candidates if (why := _unusable(c, baselines[c.loaded.subject.id]))}
    usable = [candidate for candidate in candidates if candidate.id not in refused]
    found = examiner.detections(usable, any_failure=True)
    refused.update({c.id: why for c in usable if (why := _unproved(c, found[c.id]))})
    tasks = tuple(_task(c, found[c.id], baselines, hold_out) for c in usable if c.id not in refused)
    return TakenIn(tasks, tuple(Refusal(name, why) for name, why in refused.items()))


def _unusable(candidate: Candidate, baseline: Baseline) -> str | None:
    why = problem(baseline)
    if why is None and (wrong := baseline.failing or baseline.flaky) and candidate.claimed_fail_to_pass is None:
        first = wrong[0] if isinstance(wrong[0], str) else wrong[0].test_id
        why = f"{len(wrong)} of its tests do not pass every time on the reference, {first} first"
    if why is not None:
        return f"the reference does not hold: {why}"
    refusal = Screen(candidate.loaded.tree).refuse(candidate.loaded.tree.changed(candidate.buggy))
    return None if refusal is None else f"the buggy program is no candidate: {refusal.value.replace('_', ' ')}"


def _unproved(candidate: Candidate, detection: Detection) -> str | None:
    if detection.dropped is not None:
        return f"the tests do not tell the buggy program from the reference: {detection.dropped.value}"
    for claimed, proved, name in (
        (candidate.claimed_fail_to_pass, detection.fail_to_pass, "fail-to-pass"),
        (candidate.claimed_pass_to_pass, detection.pass_to_pass, "pass-to-pass"),
    ):
        missing = sorted(set(claimed or ()) - set(proved))
        if missing:
            return f"{len(missing)} claimed {name} tests are not borne out, {missing[0]} first"
    return None


def _task(candidate: Candidate, detection: Detection, baselines: dict[str, Baseline], hold_out: int | None) -> Task:
    if candidate.claimed_fail_to_pass is not None:
        claimed = {*candidate.claimed_fail_to_pass, *(candidate.claimed_pass_to_pass or ())}
        detection = detection.model_copy(
            update={
                "fail_to_pass": tuple(t for t in detection.fail_to_pass if t in claimed),
                "pass_to_pass": tuple(t for t in detection.pass_to_pass if t in claimed),
            }
        )
    limits = task_limits(baselines[candidate.loaded.subject.id])
    return make_task(candidate, detection, limits, hold_out=hold_out is not None, seed=hold_out or 0)
