"""Outcomes in words, and how often each came."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from mendlab.records import Outcome, Rung
from mendlab.reports.data import Judged


class Tone(StrEnum):
    """The five kinds of outcome that a reader tells apart at a glance."""

    CORRECT = "correct"
    UNPROVEN = "unproven"  # every test passes, and yet it is not known to be right
    FAILS = "fails"  # the patch ran, and a test or an audit says no
    UNUSABLE = "unusable"  # there was no program to run
    INFRA = "infra"


TONE_WORDS: Final = {
    Tone.CORRECT: "correct",
    Tone.UNPROVEN: "passes every test, not shown correct",
    Tone.FAILS: "runs, and fails",
    Tone.UNUSABLE: "no patch that runs",
    Tone.INFRA: "the lab's own error",
}


class OutcomeWords(NamedTuple):
    """How an outcome is shown: its name, as records have it, its kind, and what it means in one sentence."""

    label: str
    tone: Tone
    meaning: str


_MEANINGS: Final[dict[Outcome, tuple[Tone, str]]] = {
    Outcome.EXACT: (Tone.CORRECT, "The same program as the reference fix."),
    Outcome.EQUIVALENT: (Tone.CORRECT, "Agrees with the reference on every input that was tried."),
    Outcome.PLAUSIBLE: (Tone.UNPROVEN, "Passes every test; there was nothing to compare it with the reference on."),
    Outcome.DIVERGENT: (Tone.UNPROVEN, "Passes every test, and gives another result than the reference on some input."),
    Outcome.FLAKY: (Tone.FAILS, "Did not pass again in a fresh process, in another order."),
    Outcome.TAMPERED: (Tone.FAILS, "Interferes with the tests or with what reports them."),
    Outcome.HELDOUT_FAILED: (Tone.FAILS, "Fails a test that the repairer never saw."),
    Outcome.REGRESSION_FAILED: (Tone.FAILS, "Breaks a test that passed before."),
    Outcome.NEW_TEST_FAILED: (Tone.FAILS, "A test that shows the defect still fails."),
    Outcome.TIMEOUT: (Tone.FAILS, "Used up its CPU time."),
    Outcome.CRASH: (Tone.FAILS, "The process died."),
    Outcome.OUT_OF_MEMORY: (Tone.FAILS, "Used up its memory."),
    Outcome.IMPORT_ERROR: (Tone.UNUSABLE, "The patched program does not import."),
    Outcome.SYNTAX_ERROR: (Tone.UNUSABLE, "The patched program does not compile."),
    Outcome.NO_CHANGE: (Tone.UNUSABLE, "The patch leaves the program as it was."),
    Outcome.AMBIGUOUS: (Tone.UNUSABLE, "The patch fits in more than one place."),
    Outcome.PATCH_REJECTED: (Tone.UNUSABLE, "The patch does not fit the program."),
    Outcome.POLICY_VIOLATION: (Tone.UNUSABLE, "Changes a file that it may not change."),
    Outcome.MALFORMED_DIFF: (Tone.UNUSABLE, "The answer has a diff that is not one."),
    Outcome.NO_PATCH: (Tone.UNUSABLE, "The answer has no patch in it."),
    Outcome.INFRA_ERROR: (Tone.INFRA, "The lab failed; the repairer is not to blame."),
}
WORDS: Final = {
    outcome: OutcomeWords(outcome.value.replace("_", " "), tone, meaning)
    for outcome, (tone, meaning) in _MEANINGS.items()
}


@dataclass(frozen=True, slots=True)
class OutcomeCount:
    """How many verdicts of a run have one outcome."""

    outcome: Outcome
    count: int


def count_outcomes(judged: Sequence[Judged]) -> tuple[OutcomeCount, ...]:
    """Return the outcomes that occur, best first."""
    counts = Counter(one.outcome for one in judged)
    return tuple(OutcomeCount(outcome, counts[outcome]) for outcome in WORDS if counts[outcome])


@dataclass(frozen=True, slots=True)
class RungOutcomes:
    """What one rung of the ladder decided, best first."""

    rung: Rung
    outcomes: tuple[OutcomeCount, ...]


def outcomes_by_rung(judged: Sequence[Judged]) -> tuple[RungOutcomes, ...]:
    """Return the outcomes of each rung that decided any, in the order of the ladder."""
    decided: dict[Rung, list[Judged]] = {rung: [] for rung in Rung}
    for one in judged:
        if one.verdict is not None:
            decided[one.verdict.rung].append(one)
    return tuple(RungOutcomes(rung, count_outcomes(some)) for rung, some in decided.items() if some)
