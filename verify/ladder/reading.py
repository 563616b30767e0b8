"""The rungs that run nothing: is there a patch, is it allowed, does it apply, does it change anything."""

from __future__ import annotations

from mendlab.corpora.tree import FileTree
from mendlab.records import INFRA_STOP, Outcome, PytestHarness
from mendlab.verify.code import normalised_tree
from mendlab.verify.ladder.case import Case, Ruling
from mendlab.verify.patches import PatchFailure
from mendlab.verify.patches.completion import apply_answer
from mendlab.verify.patches.policy import violations


def parse(case: Case) -> Ruling:
    """Whether there is an answer that can be read as a patch."""
    raw = case.attempt.raw_patch
    if raw is None and case.attempt.stop_reason.startswith(INFRA_STOP):
        return Ruling(None, case.attempt.stop_reason, Outcome.INFRA_ERROR)
    if raw is None or not raw.strip():
        return Ruling(False, case.attempt.stop_reason if raw is None else "the patch is empty", Outcome.NO_PATCH)
    task = case.task
    result = apply_answer(case.buggy, raw, editable=task.editable, kind=task.kind, harness=task.harness)
    if isinstance(result, PatchFailure):
        if result.outcome in (Outcome.NO_PATCH, Outcome.MALFORMED_DIFF):
            return Ruling(False, result.reason, result.outcome)
        case.unapplied = result
        return Ruling(True)
    case.applied = result
    return Ruling(True, result.format.value)


def policy(case: Case) -> Ruling:
    """Whether it changes only what the task allows."""
    harness = case.task.harness
    protected = harness.test_files if isinstance(harness, PytestHarness) else ()
    after = case.applied.tree if case.applied is not None else None
    found = violations(
        case.attempt.raw_patch or "", case.buggy, after, editable=case.task.editable, protected=protected
    )
    return Ruling(False, "; ".join(found), Outcome.POLICY_VIOLATION) if found else Ruling(True)


def apply(case: Case) -> Ruling:
    """Whether it fits the buggy tree, and at which rung of the ladder of application."""
    if case.unapplied is not None:
        failure = case.unapplied
        return Ruling(False, f"{failure.rung.value}: {failure.reason}", failure.outcome)
    assert case.applied is not None
    return Ruling(True, case.applied.rung.value)


def no_op(case: Case) -> Ruling:
    """Whether it changes the program at all."""
    if same_program(case.buggy, case.patched):
        return Ruling(False, "the syntax tree is as it was", Outcome.NO_CHANGE)
    return Ruling(True)


def same_program(one: FileTree, other: FileTree) -> bool:
    """Whether two trees differ in nothing but the layout, comments and docstrings of Python files."""
    changes = one.changed(other)
    return one.keys() == other.keys() and all(
        path.endswith(".py") and data is not None and _same_file(one[path], data) for path, data in changes.items()
    )


def _same_file(one: bytes, other: bytes) -> bool:
    first, second = normalised_tree(one), normalised_tree(other)
    return first is not None and first == second
