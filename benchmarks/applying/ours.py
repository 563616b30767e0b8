"""What mendlab makes of a case: the rungs of the judge that run nothing, as ``verify/ladder/reading.py`` has them."""

from __future__ import annotations

from dataclasses import dataclass

from applying.cases import Case
from mendlab.corpora.tree import FileTree
from mendlab.records import Outcome
from mendlab.verify.ladder.reading import same_program
from mendlab.verify.patches import Applied, ApplyRung, apply_patch
from mendlab.verify.patches.policy import violations

_UNREAD = (Outcome.NO_PATCH, Outcome.MALFORMED_DIFF)


@dataclass(frozen=True, slots=True)
class Said:
    """The tree and the rung of an answer that is applied, or the outcome of one that is refused, with the reason."""

    tree: FileTree | None
    rung: ApplyRung | None
    outcome: Outcome | None
    reason: str = ""


def say_of(case: Case) -> Said:
    """Apply the answer, and look at what it may touch and whether it changes the program, in the judge's order."""
    result = apply_patch(case.before, case.answer, editable=case.editable)
    after = result.tree if isinstance(result, Applied) else None
    if not isinstance(result, Applied) and result.outcome in _UNREAD:
        return Said(None, None, result.outcome, result.reason)
    if found := violations(case.answer, case.before, after, editable=case.editable):
        return Said(None, None, Outcome.POLICY_VIOLATION, "; ".join(found))
    if not isinstance(result, Applied):
        return Said(None, None, result.outcome, f"{result.rung}: {result.reason}")
    if same_program(case.before, result.tree):
        return Said(None, None, Outcome.NO_CHANGE)
    return Said(result.tree, result.rung, None)


def wrong(case: Case, said: Said) -> str | None:
    """Say in what the answer came to another end than it must, or ``None``."""
    if case.right is None:
        if said.outcome is None:
            return f"applied at {said.rung}, and must be {'/'.join(sorted(case.outcomes))}"
        if said.outcome not in case.outcomes:
            return f"{said.outcome} ({said.reason}), and must be {'/'.join(sorted(case.outcomes))}"
        return None
    if said.tree is None or said.rung is None or case.rung is None:
        return f"{said.outcome} ({said.reason}), and must be applied at {case.rung}"
    if said.tree != case.right:
        return f"applied at {said.rung}, to another end"
    rungs = list(ApplyRung)
    if rungs.index(said.rung) > rungs.index(case.rung):
        return f"applied at {said.rung}, and must be at {case.rung} or before"
    return None
