"""Makes the task out of a candidate defect and what detection found."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence

from mendlab.corpora.candidates import Candidate
from mendlab.corpora.diffs import make_diff
from mendlab.records import Detection, Limits, Task

HELD_OUT_SHARE = 0.3
FEWEST_TO_SPLIT = 4


def make_task(candidate: Candidate, detection: Detection, limits: Limits, *, hold_out: bool, seed: int = 0) -> Task:
    """Return the task. ``hold_out`` keeps some tests from the repairer, beside those that the subject sets apart.

    Imported benchmarks keep their published protocol, with all tests in sight, unless asked; injected ones hold some.
    """
    subject = candidate.loaded.subject
    set_apart = set(subject.held_out)
    if hold_out:
        set_apart |= choose_held_out(candidate.id, detection.fail_to_pass, detection.pass_to_pass, seed)
    known = (*detection.fail_to_pass, *detection.pass_to_pass)
    return Task(
        id=candidate.id,
        kind=candidate.kind,
        subject=subject.id,
        snapshot=subject.snapshot,
        defect=candidate.defect,
        statement=candidate.statement,
        editable=candidate.editable,
        harness=subject.harness,
        fail_to_pass=detection.fail_to_pass,
        pass_to_pass=detection.pass_to_pass,
        held_out=tuple(test_id for test_id in known if test_id in set_apart),
        before=detection.before,
        reference=make_diff(candidate.buggy, candidate.loaded.tree),
        tags=candidate.tags,
        weight=candidate.weight,
        limits=limits,
        provenance=subject.provenance,
    )


def choose_held_out(task_id: str, fail_to_pass: Sequence[str], pass_to_pass: Sequence[str], seed: int = 0) -> set[str]:
    """Choose 30% of the tests or a little more, by a hash of seed, task and test.

    Of two fail-to-pass tests or more some are chosen and some stay in sight; of one it stays.
    """
    total = len(fail_to_pass) + len(pass_to_pass)
    if total < FEWEST_TO_SPLIT:
        return set()
    telling = math.ceil(len(fail_to_pass) * HELD_OUT_SHARE) if len(fail_to_pass) > 1 else 0
    others = min(len(pass_to_pass), math.ceil(total * HELD_OUT_SHARE) - telling)
    chosen: set[str] = set()
    for tests, count in ((fail_to_pass, telling), (pass_to_pass, others)):
        ranked = sorted(tests, key=lambda test_id: hashlib.sha256(f"{seed}\0{task_id}\0{test_id}".encode()).digest())
        chosen.update(ranked[:count])
    return chosen
